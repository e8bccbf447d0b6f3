/** Previews of messages to inbound hooks, compared with what receiving the same message does. */

import { beforeEach, describe, expect, it } from 'vitest'
import { look } from '../../../support/drive.ts'
import {
  bodyOf,
  HOOK_MESSAGES,
  HOOK_SECRET,
  HOOK_TEMPLATES,
  type HookMessageCase,
  signHook,
} from '../../../support/hook-messages.ts'
import { type TestApi, testApi } from '../../../support/http.ts'

let api: TestApi
beforeEach(async () => {
  api = await testApi()
})

const hookOf = async (scheme: string, more: object = {}): Promise<string> => {
  const json = { scheme, secret: HOOK_SECRET, ...more }
  const { status, body } = await api.call('POST', '/v1/hooks', { json })
  if (status !== 201) throw new Error(JSON.stringify(body))
  return body.id
}
const preview = (id: string, json: object) => api.call('POST', `/v1/hooks/${id}/preview`, { json })
const send = (id: string, message: HookMessageCase) => {
  const now = api.world.clock.now()
  const body = bodyOf(message, now)
  const headers = { ...message.headers, ...signHook(message.scheme, body, now) }
  return api.call('POST', `/v1/hooks/${id}`, { body, headers, key: null })
}
const previewOf = (id: string, { payload, headers }: HookMessageCase) =>
  preview(id, { payload: payload(api.world.clock.now()), ...(headers && { headers }) })

describe.each(HOOK_MESSAGES)('a preview of $name', (message) => {
  it.each(HOOK_TEMPLATES)(
    '200 shows the input of the run that it starts (%j)',
    async (template) => {
      const id = await hookOf(message.scheme, { template })
      const shown = await previewOf(id, message)
      expect([shown.status, shown.body.starts]).toEqual([200, true])
      expect((await api.call('GET', '/v1/runs')).body.data).toEqual([])
      const sent = await send(id, message)
      expect(sent.status).toBe(202)
      const { state } = await look(api.world, sent.body.run_id)
      expect(shown.body.input).toBe(state.spec!.input[0]!.text)
    },
  )

  it('200 a preview of other event types starts nothing, as receiving does', async () => {
    const id = await hookOf(message.scheme, { events: ['nothing.else'] })
    const shown = await previewOf(id, message)
    expect(shown.body).toMatchObject({ starts: false, input: null, reason: { code: 'event_type' } })
    expect((await send(id, message)).body).toEqual({ run_id: null })
  })
})

describe('a preview', () => {
  it('200 says that a message only tests the connection', async () => {
    const github = await hookOf('github')
    const ping = await preview(github, { payload: {}, headers: { 'X-GitHub-Event': 'ping' } })
    expect(ping.body).toMatchObject({
      starts: false,
      event: 'ping',
      reason: { code: 'connection_test' },
    })
    const slack = await hookOf('slack')
    const challenge = await preview(slack, {
      payload: { type: 'url_verification', challenge: 'x' },
    })
    expect(challenge.body.reason.code).toBe('connection_test')
  })

  it('200 names values that are missing or cut, each once', async () => {
    const template = '{{a}} {{b.c[0]}} {{b.c[0]}} {{long}} {{$event}}'
    const id = await hookOf('standard', { template })
    const { body } = await preview(id, { payload: { a: 1, long: 'x'.repeat(70_000) } })
    expect(body).toMatchObject({ missing: ['b.c[0]', '$event'], shortened: ['long'] })
    expect(body.input.length).toBeLessThan(67_000)
  })

  it('200 names images and files without reading their URLs', async () => {
    const media = ['photo.url', 'note', 'absent']
    const id = await hookOf('standard', { template: 'Look at {{photo.url}}', media })
    const url = 'https://10.0.0.1/x.png'
    const { body } = await preview(id, { payload: { photo: { url }, note: 'aGVsbG8=' } })
    expect(body.media).toEqual([
      { path: 'photo.url', source: 'url', url },
      { path: 'note', source: 'data', url: null },
      { path: 'absent', source: 'missing', url: null },
    ])
  })

  it('rejects what receiving rejects, with the same code', async () => {
    const id = await hookOf('standard', { template: '{{ticket.text}}' })
    const cases: [unknown, number, string][] = [
      ['{', 400, 'invalid_json'],
      ['', 400, 'invalid_json'],
      [{ other: 1 }, 422, 'invalid_request'],
      ['"'.padEnd(1_100_000, 'x'), 413, 'too_large'],
    ]
    for (const [payload, status, code] of cases) {
      const text = typeof payload === 'string' ? payload : JSON.stringify(payload)
      const headers = signHook('standard', text, api.world.clock.now())
      const sent = await api.call('POST', `/v1/hooks/${id}`, { body: text, headers, key: null })
      const shown = await preview(id, { payload })
      expect([sent.status, sent.body.code]).toEqual([status, code])
      expect([shown.status, shown.body.code]).toEqual([status, code])
    }
  })

  it('rejects a run that would not be accepted: an unknown agent', async () => {
    const id = await hookOf('standard', { agent: 'absent' })
    const message = HOOK_MESSAGES[0]!
    const [sent, shown] = [await send(id, message), await previewOf(id, message)]
    expect(sent.status).toBeGreaterThanOrEqual(400)
    expect([shown.status, shown.body.code, shown.body.detail]).toEqual([
      sent.status,
      sent.body.code,
      sent.body.detail,
    ])
  })

  it('422 a missing payload and unknown members are refused with a pointer', async () => {
    const id = await hookOf('standard')
    const pointers = async (json: object) => {
      const { status, body } = await preview(id, json)
      return [status, body.errors?.[0]?.pointer]
    }
    expect(await pointers({})).toEqual([422, '/payload'])
    expect(await pointers({ payload: {}, signature: 'x' })).toEqual([422, '/signature'])
    expect(await pointers({ payload: {}, headers: { a: 1 } })).toEqual([422, '/headers/a'])
  })

  it('404 an unknown hook, and 403 a key without hooks:read', async () => {
    expect((await preview(`hk_${'0'.repeat(26)}`, { payload: {} })).status).toBe(404)
    const id = await hookOf('standard')
    const json = { name: 'narrow', scopes: ['runs:read'] }
    const { key } = (await api.call('POST', '/v1/keys', { json })).body
    const path = `/v1/hooks/${id}/preview`
    const headers = { authorization: `Bearer ${key}` }
    expect((await api.call('POST', path, { json: { payload: {} }, headers })).status).toBe(403)
    expect((await api.call('POST', path, { json: { payload: {} }, key: null })).status).toBe(401)
  })

  it('writes nothing', async () => {
    const id = await hookOf('standard', { media: ['a'] })
    const commit = api.world.store.commit
    let writes = 0
    api.world.store.commit = (...rest) => {
      writes += 1
      return commit.apply(api.world.store, rest)
    }
    expect((await preview(id, { payload: { a: 'aGVsbG8=' } })).status).toBe(200)
    expect(writes).toBe(0)
  })
})
