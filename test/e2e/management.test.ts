/** Management on the real host: its files, its etags, many writers at once. */

import { describe, expect, it } from 'vitest'
import { skill } from '../support/layers.ts'
import { type NodeApi, startNodeApi } from '../support/node-api.ts'

async function call({ url, key }: NodeApi, request: string, body?: unknown, headers = {}) {
  const [method, path] = request.split(' ')
  const sent = body === undefined ? {} : { 'content-type': 'application/json' }
  const answer = await fetch(`${url}${path}`, {
    method: method!,
    headers: { authorization: `Bearer ${key}`, ...sent, ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  // biome-ignore lint/suspicious/noExplicitAny: what a test expects of it stands in the test
  const json = (await answer.json()) as any
  return { status: answer.status, body: json, etag: answer.headers.get('etag') ?? '' }
}

describe('the Node platform', () => {
  it('loses nothing under concurrent writers, refuses stale ones, and restores by rollback [K35]', async () => {
    const api = await startNodeApi()
    const names = Array.from({ length: 20 }, (_, i) => `s${i}`)
    const puts = names.map((name) =>
      call(api, `PUT /v1/mcp-servers/${name}`, { url: `https://${name}.example/mcp` }),
    )
    expect((await Promise.all(puts)).map(({ status }) => status)).toEqual(names.map(() => 201))
    const { body: servers } = await call(api, 'GET /v1/mcp-servers')
    expect(servers.data.map(({ name }: { name: string }) => name)).toEqual([...names].sort())

    const one = '/v1/skills/deploy'
    const text = (body: string) => ({ skill_md: skill(body, 'deploy') })
    const made = await call(api, `PUT ${one}`, text('one'))
    const race = await Promise.all(
      ['two', 'three'].map((body) =>
        call(api, `PUT ${one}`, text(body), { 'if-match': made.etag }),
      ),
    )
    expect(race.map(({ status }) => status).sort()).toEqual([200, 412])
    const { body: versions } = await call(api, `GET ${one}/versions`)
    const first = versions.data.at(-1).version
    expect((await call(api, `POST ${one}/rollback`, { version: first })).status).toBe(200)
    expect((await call(api, `GET ${one}`)).body.skill_md).toBe(text('one').skill_md)
  })
})
