/** `overlay` of POST /v1/resolve and POST /v1/resolve/diff. */

import { expect, it } from 'vitest'
import { LIMITS } from '../../../../src/core/limits.ts'
import { type TestApi, testApi } from '../../../support/api.ts'
import { settle } from '../../../support/drive.ts'
import { agent, skill } from '../../../support/layers.ts'

const AGENT = 'base/.agents/agents/scout.md'
const SKILL = 'base/.agents/skills/one/SKILL.md'

async function apiWith(): Promise<TestApi> {
  const api = await testApi()
  await api.write({ [AGENT]: agent('Look around.', 'scout'), [SKILL]: skill('first', 'one') })
  return api
}

const edited = (text: string | null, path = AGENT) => ({ overlay: { files: [{ path, text }] } })

it('200 resolves with the edits; the next resolution and the next run do not see them', async () => {
  const api = await apiWith()
  const before = (await api.call('POST /v1/resolve', {})).body
  const { status, body } = await api.call('POST /v1/resolve', edited(agent('Look twice.', 'scout')))
  expect(status).toBe(200)
  const scout = body.agents.find(({ id }: { id: string }) => id === 'scout')
  expect(scout.system_prompt).toBe('Look twice.\n')
  expect(scout.origin.etag).toMatch(/^overlay-[0-9a-f]{64}$/)
  const run = await api.call('POST /v1/runs', { agent: 'scout', input: '@say done' })
  expect((await api.call('POST /v1/resolve', {})).body).toEqual(before)
  await settle(api.world)
  const config = (await api.call(`GET /v1/runs/${run.body.id}/config`)).body
  expect([run.status, config.prompt]).toEqual([202, expect.stringContaining('Look around.')])
  const { body: digests } = await api.call('POST /v1/resolve/diff', {
    left: { digest: body.digest },
    right: {},
  })
  expect(digests.code).toBe('not_found')
})

it('200 compares an overlay with the stored files, and two overlays', async () => {
  const api = await apiWith()
  const stored = await api.call('POST /v1/resolve/diff', { left: {}, right: edited(null, SKILL) })
  expect(stored.body.differences).toEqual([
    { kind: 'skill', id: 'one', change: 'removed', fields: [] },
  ])
  const both = await api.call('POST /v1/resolve/diff', {
    left: edited(agent('a', 'scout')),
    right: edited(agent('b', 'scout')),
  })
  expect(both.body.differences).toEqual([
    { kind: 'agent', id: 'scout', change: 'changed', fields: ['body_digest'] },
  ])
})

it('200 shows no value of a secret that an edit contains', async () => {
  const api = await apiWith()
  const toml =
    '[mcp_servers.desk]\nurl = "https://desk.example/mcp"\nhttp_headers = { X-Key = "hush" }\n'
  const { body } = await api.call('POST /v1/resolve', edited(toml, 'base/.agents/config.toml'))
  expect(body.servers.map(({ name }: { name: string }) => name)).toEqual(['desk'])
  expect(JSON.stringify(body)).not.toContain('hush')
})

it('422 413 names the place of an invalid edit, also in a comparison', async () => {
  const api = await apiWith()
  const refusal = async (request: string, body: unknown) => {
    const answer = await api.call(`POST ${request}`, body)
    return [answer.status, answer.body.code, answer.body.errors?.[0]?.pointer]
  }
  const bad = edited('x', 'base/../x')
  const at = '/overlay/files/0/path'
  expect(await refusal('/v1/resolve', bad)).toEqual([422, 'invalid_request', at])
  const sides = { left: {}, right: bad }
  expect(await refusal('/v1/resolve/diff', sides)).toEqual([422, 'invalid_request', `/right${at}`])
  const large = edited('x'.repeat(LIMITS.overlay_bytes + 1))
  expect(await refusal('/v1/resolve', large)).toEqual([413, 'too_large', '/overlay/files/0/text'])
  const files = Array.from({ length: LIMITS.overlay_files + 1 }, (_, i) => ({
    path: `base/${i}`,
    text: 'x',
  }))
  const many = await refusal('/v1/resolve', { overlay: { files } })
  expect(many).toEqual([422, 'invalid_request', '/overlay/files'])
  const missing = { overlay: { files: [{ path: AGENT }] } }
  const none = await refusal('/v1/resolve', missing)
  expect(none).toEqual([422, 'invalid_request', '/overlay/files/0/text'])
  expect(await refusal('/v1/runs', { input: 'x', ...edited('x') })).toEqual([
    422,
    'invalid_request',
    '/overlay',
  ])
})
