/** Versions of files on every host: kept, listed, compared, restored, by a key that reads raw. */

import { expect } from 'vitest'
import type { Client } from '../support/launch.ts'
import { eventually } from './store/kit.ts'

interface Version {
  readonly version: string
  readonly action: string
}

export async function keepsFiles(client: Client): Promise<void> {
  const path = 'base/kept.md'
  const put = async (body: string) => {
    const answer = await client.ask(`/v1/files/${path}`, { method: 'PUT', body })
    expect(answer.ok, await answer.clone().text()).toBe(true)
  }
  await put('one\n')
  await put('two\n')
  expect((await client.ask(`/v1/files/${path}`, { method: 'DELETE' })).status).toBe(204)
  let versions: Version[] = []
  await eventually(async () => {
    versions = (await client.get<{ data: Version[] }>(`/v1/file-versions?path=${path}`)).data
    expect(versions.map(({ action }) => action)).toEqual(['delete', 'put', 'put'])
  })
  const [, two, one] = versions as [Version, Version, Version]
  const asked = `/v1/file-versions/${one.version}/compare?path=${path}&with=${two.version}`
  const { files } = await client.get<{ files: object[] }>(asked)
  expect(files).toEqual([{ path, change: 'differs', text: 'one\n', other_text: 'two\n' }])
  const json = { path, version: one.version }
  const post = { method: 'POST', json }
  const back = await client.get<{ created: boolean }>('/v1/file-versions/rollback', post)
  expect(back.created).toBe(true)
  expect(await (await client.ask(`/v1/files/${path}`)).text()).toBe('one\n')
}
