/** The audit on every host: from where a change came, its link in the chain, and the whole chain. */

import { expect } from 'vitest'
import { chainVerifier, type ExportLine } from '../../src/core/audit-chain.ts'
import type { Client } from '../support/launch.ts'
import { eventually } from './store/kit.ts'

interface Entry {
  readonly seq: number
  readonly hash: string
  readonly request_id?: string
  readonly address?: string
  readonly before?: string
  readonly after?: string
}

export async function sealsItsAudit(client: Client): Promise<void> {
  const path = 'base/audited.txt'
  const put = async (body: string) => {
    const headers = { 'x-forwarded-for': '203.0.113.9' }
    const answer = await client.ask(`/v1/files/${path}`, { method: 'PUT', body, headers })
    expect(answer.ok, await answer.clone().text()).toBe(true)
    return answer.headers.get('x-request-id')
  }
  const requests = [await put('one'), await put('two')]
  await eventually(async () => {
    const query = `kind=file&name=${encodeURIComponent(path)}`
    const { data } = await client.get<{ data: Entry[] }>(`/v1/audit?${query}`)
    expect(data.map(({ request_id }) => request_id)).toEqual(requests.toReversed())
    expect(data[0]?.before).toBe(data[1]?.after)
    for (const { address } of data) expect(address).not.toBe('203.0.113.9')
  })
  const exported = await (await client.ask('/v1/audit/export')).text()
  const lines = exported.trimEnd().split('\n')
  const verifier = chainVerifier()
  for (const line of lines) expect(verifier.line(JSON.parse(line) as ExportLine)).toBeUndefined()
  const end = verifier.end()
  expect(end).toMatchObject({ head: { hash: expect.stringMatching(/^[0-9a-f]{64}$/) } })
}
