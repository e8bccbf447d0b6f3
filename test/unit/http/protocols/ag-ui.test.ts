/** AG-UI: what the official client's program does not show. */

import { describe, expect, it } from 'vitest'
import { createKey } from '../../../../src/engine/tenant/api-keys.ts'
import { TENANT } from '../../../support/drive.ts'
import { type TestApi, testApi } from '../../../support/http.ts'

const user = (content: unknown, id = 'm1') => ({ id, role: 'user', content })
const input = (more: object = {}) => ({
  ...{ threadId: 'thread', runId: 'run-1', state: {}, tools: [], context: [], forwardedProps: {} },
  messages: [user('@say hello')],
  ...more,
})
const WEATHER = { name: 'weather', description: 'Weather', parameters: { type: 'object' } }

interface Event {
  readonly type: string
  readonly metadata?: { readonly strata: { readonly run_id: string; readonly seq: number } }
  readonly [member: string]: unknown
}

/** The answer, when the run rests: its events come while it moves. */
async function run(api: TestApi, json: object, headers = {}, agent = 'general') {
  let isAnswered = false
  const answer = api.call('POST', `/v1/ag-ui/${agent}`, { json, headers }).finally(() => {
    isAnswered = true
  })
  while (!isAnswered) {
    await new Promise(setImmediate)
    await api.settle()
  }
  const { status, text, body } = await answer
  const events = [...text.matchAll(/^data: (.*)$/gm)].map(([, data = '']) => JSON.parse(data))
  return { status, text, body, events: events as Event[] }
}
const typesOf = (events: readonly Event[]) => events.map(({ type }) => type)

describe('an AG-UI request', () => {
  it.each([
    ['no thread', input({ threadId: '' }), '/threadId'],
    ['a role that nobody has', input({ messages: [{ id: '1', role: 'boss', content: 'x' }] }), ''],
    ['no message', input({ messages: [] }), '/messages'],
    ['a tool of ours', input({ tools: [{ ...WEATHER, name: 'ask_user' }] }), '/tools/0/name'],
    [
      'a file of a provider',
      input({
        messages: [user([{ type: 'document', source: { type: 'file', value: 'file-1' } }])],
      }),
      '/messages/0/content/0/source',
    ],
    [
      'an interrupt that nobody has',
      input({ resume: [{ interruptId: 'x', status: 'resolved', payload: 'x' }] }),
      '/resume/0/interruptId',
    ],
    [
      'an interrupt that is given up',
      input({ resume: [{ interruptId: 'x', status: 'cancelled' }] }),
      '/resume/0',
    ],
  ])('422 for %s', async (_, json, pointer) => {
    const { status, body } = await run(await testApi(), json)
    expect(status).toBe(422)
    expect(body.errors[0].pointer).toContain(pointer)
  })

  it('400, 401, 403, 413, and 422 as on every other endpoint', async () => {
    const api = await testApi()
    const { key } = await createKey(api.world, TENANT, ['runs:read'])
    const as = async (headers: object) => (await run(api, input(), headers)).status
    expect(await as({ authorization: 'Bearer no' })).toBe(401)
    expect(await as({ authorization: `Bearer ${key}` })).toBe(403)
    expect(await as({ 'last-event-id': 'x' })).toBe(400)
    const long = input({ messages: [user('x'.repeat(300_000))] })
    expect((await run(api, long)).status).toBe(413)
    expect((await run(api, input(), {}, 'nobody')).status).toBe(422)
    expect((await api.call('GET', '/v1/runs')).body.data).toEqual([])
  })

  it('422 for the same ID with another body, and resumes from any position with the same body', async () => {
    const api = await testApi()
    const first = await run(api, input())
    expect(typesOf(first.events).at(-1)).toBe('RUN_FINISHED')
    const other = await run(api, input({ messages: [user('@say other')] }))
    expect([other.status, other.body.code]).toEqual([422, 'idempotency_mismatch'])
    const again = await run(api, input())
    expect(again.events).toEqual(first.events)
    const ids = [...first.text.matchAll(/^id: (\d+)$/gm)].map(([, id]) => Number(id))
    for (const id of ids) {
      const rest = await run(api, input(), { 'last-event-id': String(id) })
      const later = first.events.filter(({ metadata }) => (metadata?.strata.seq ?? 0) > id)
      // A turn is always ended, also for who has its end.
      expect(rest.events.slice(1)).toEqual(later.length > 0 ? later : first.events.slice(-1))
    }
  })
})

describe('an AG-UI thread', () => {
  it('is one session of its tenant, and starts over after that session was deleted', async () => {
    const api = await testApi()
    const { events } = await run(api, input())
    const { body } = await api.call('GET', `/v1/runs/${events[0]?.metadata?.strata.run_id}`)
    const session = await api.call('GET', `/v1/sessions/${body.session_id}`)
    expect(session.body.metadata).toEqual({ thread: 'thread' })
    const { key } = await createKey(api.world, 'stranger', ['*'])
    const authorization = `Bearer ${key}`
    const headers = { authorization }
    const foreign = await api.call('GET', `/v1/sessions/${body.session_id}`, { headers })
    expect(foreign.status).toBe(404)
    const deleted = await api.call('DELETE', `/v1/sessions/${body.session_id}`)
    expect(deleted.status).toBe(204)
    const anew = await run(api, input({ runId: 'run-2' }))
    expect(typesOf(anew.events).at(-1)).toBe('RUN_FINISHED')
    const { body: runs } = await api.call('GET', `/v1/sessions/${body.session_id}/runs`)
    expect(runs.data).toHaveLength(1)
  })
})

describe('a client tool', () => {
  it('is answered only by its agent in its thread', async () => {
    const api = await testApi()
    const script = '@call weather {}\n@then\n@say {last}'
    const asks = input({ messages: [user(script)], tools: [WEATHER] })
    const { events } = await run(api, asks)
    const { toolCallId } = events.find(({ type }) => type === 'TOOL_CALL_START')!
    expect(events.at(-1)).toMatchObject({
      type: 'RUN_FINISHED',
      outcome: { type: 'success', pendingToolCallIds: [toolCallId] },
    })
    const call = { id: toolCallId, type: 'function', function: { name: 'weather', arguments: '' } }
    const messages = [
      user(script),
      { id: 'm2', role: 'assistant', toolCalls: [call] },
      { id: 'm3', role: 'tool', toolCallId, content: 'sunny', error: 'half' },
    ]
    const answer = input({ runId: 'run-2', messages })
    expect((await run(api, { ...answer, threadId: 'other' })).status).toBe(422)
    expect((await run(api, answer, {}, 'explore')).status).toBe(422)
    const done = await run(api, answer)
    const said = done.events.find(({ type }) => type === 'TEXT_MESSAGE_CONTENT')
    expect(said?.delta).toContain('sunny')
    expect(said?.delta).toContain('half')
  })
})

describe('a run that awaits an approval', () => {
  it('reports that in an event, and its stream continues', async () => {
    const api = await testApi()
    const { body: policy, headers } = await api.call('GET', '/v1/policy')
    await api.call('PUT', '/v1/policy', {
      json: { ...policy, approvals: { file_write: 'ask' } },
      headers: { 'if-match': headers.get('etag') ?? '' },
    })
    const script = '@call file_write {"path":"a.md","content":"a"}\n@then\n@say written'
    const answer = run(api, input({ messages: [user(script)] }))
    let waiting: { id: string; args_hash: string }[] = []
    while (waiting.length === 0) {
      await new Promise(setImmediate)
      waiting = (await api.call('GET', '/v1/approvals')).body.data
    }
    const [{ id, args_hash }] = waiting as [{ id: string; args_hash: string }]
    const json = { decision: 'approve', args_hash }
    await api.call('POST', `/v1/approvals/${id}/decision`, { json })
    const { events } = await answer
    expect(events).toContainEqual(
      expect.objectContaining({ type: 'CUSTOM', name: 'strata.approval.requested' }),
    )
    expect(events.at(-1)?.type).toBe('RUN_FINISHED')
  })
})
