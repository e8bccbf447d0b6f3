/** Changes of sessions: each is audited, and told once to endpoints that want it. */

import { beforeEach, describe, expect, it } from 'vitest'
import { tick } from '../../../../src/engine/worker/tick.ts'
import { dueAtAnyTime, TENANT } from '../../../support/drive.ts'
import { faultsOf, type TestApi, testApi } from '../../../support/http.ts'
import { type Receivers, receivers } from '../../../support/receivers.ts'
import { verifyWebhook } from '../../../support/verify-webhook.ts'

const URL = 'https://one.example/hook'
let api: TestApi
let web: Receivers
let secret: string
const subscribe = async (events: readonly string[] = ['session.*']) => {
  secret = (await api.call('POST', '/v1/webhook-endpoints', { json: { url: URL, events } })).body
    .secret
}
beforeEach(async () => {
  web = receivers()
  api = await testApi({ web })
  await subscribe()
})

const create = async (json: object = {}, headers: Record<string, string> = {}) => {
  const { body } = await api.call('POST', '/v1/sessions', { json, headers })
  return `/v1/sessions/${body.id}`
}
const idOf = (path: string) => path.split('/').at(-1)
/** The events that have come, in their order. */
const told = async () => {
  await api.settle()
  return web.at(URL).map(({ json }) => json.data)
}
const types = async () => (await told()).map(({ type }) => type)
const audited = async () =>
  (await api.call('GET', '/v1/audit')).body.data
    .filter(({ kind }: { kind: string }) => kind === 'session')
    .map(({ action, name, detail }: Record<string, string>) => [action, name, detail ?? null])
const minutes = async (count: number) => {
  for (let minute = 0; minute < count; minute += 1) {
    api.world.clock.advance(61_000)
    await tick(api.world)
    await api.settle()
  }
}
const due = () => dueAtAnyTime(api.world)
const document = async () => (await api.call('GET', '/openapi.json')).body

describe('webhook events of session changes', () => {
  it('are sent once each, signed, as the contract states, and not for a change without effect', async () => {
    const path = await create({ title: 'One', metadata: { team: 'blue' } })
    await api.settle()
    const patch = async (json: object) => {
      await api.call('PATCH', path, { json })
      await api.settle()
    }
    await patch({ title: 'Two' })
    await patch({ title: 'Two' })
    await patch({})
    await patch({ archived: true, title: 'Two', retention_seconds: 3_600 })
    await patch({ archived: true })
    await patch({ archived: false })
    const fork = (await api.call('POST', `${path}/fork`, { json: { title: 'Other' } })).body
    await api.settle()
    expect((await api.call('DELETE', path)).status).toBe(204)
    expect((await api.call('DELETE', path)).status).toBe(404)
    const got = await told()
    const state = { agent: null, archived: false, retention_seconds: null, title: 'One' }
    const all = { ...state, session_id: idOf(path), metadata: { team: 'blue' } }
    const kept = { ...all, title: 'Two', retention_seconds: 3_600 }
    const forked_from = { session_id: idOf(path), position: fork.forked_from.position }
    expect(got.map(({ type, data }) => [type, data])).toEqual([
      ['session.created', all],
      ['session.updated', { ...all, title: 'Two', changed: ['title'] }],
      ['session.updated', { ...kept, archived: true, changed: ['archived', 'retention_seconds'] }],
      ['session.updated', { ...kept, changed: ['archived'] }],
      [
        'session.forked',
        { ...state, title: 'Other', session_id: fork.id, metadata: {}, forked_from },
      ],
      ['session.deleted', { ...kept, reason: 'requested' }],
    ])
    const ofOne = got.filter(({ data }) => data.session_id === idOf(path)).map(({ seq }) => seq)
    expect(ofOne).toEqual([...ofOne].sort((left, right) => left - right))
    expect(new Set(got.map(({ id }) => id)).size).toBe(got.length)
    const schema = { $ref: '#/components/schemas/WebhookBody' }
    for (const got of web.at(URL)) {
      expect(verifyWebhook(secret, got, api.world.clock.now())).toEqual(got.json)
      expect(faultsOf(await document(), schema, got.json)).toEqual([])
    }
    const ofFork = ['fork', fork.id, `from ${idOf(path)} at ${forked_from.position}`]
    expect(await audited()).toContainEqual(ofFork)
    expect((await audited()).filter(([, name]: string[]) => name === idOf(path))).toEqual([
      ['delete', idOf(path), null],
      ['update', idOf(path), 'archived'],
      ['update', idOf(path), 'archived, retention_seconds'],
      ['update', idOf(path), 'title'],
    ])
    expect(await due()).toEqual([])
    expect(api.errors).toEqual([])
  })

  it('a refused change is neither sent nor audited', async () => {
    const path = await create()
    const refused = await api.call('PATCH', path, {
      json: { title: 'x' },
      headers: { 'if-match': '"another"' },
    })
    expect(refused.status).toBe(412)
    expect((await api.call('PATCH', path, { json: { title: '' } })).status).toBe(422)
    const wrong = await api.call('POST', `${path}/fork`, { json: { position: '7.9' } })
    expect(wrong.status).toBe(422)
    expect((await api.call('POST', '/v1/sessions', { json: { title: '' } })).status).toBe(422)
    const nobody = path.replace(/.$/, (last) => (last === '0' ? '1' : '0'))
    expect((await api.call('DELETE', nobody)).status).toBe(404)
    expect((await api.call('PATCH', nobody, { json: { title: 'x' } })).status).toBe(404)
    expect(await types()).toEqual(['session.created'])
    expect(await audited()).toEqual([])
  })

  it('a request repeated under its key is sent once', async () => {
    const headers = { 'idempotency-key': 'one-session' }
    const paths = await Promise.all([1, 2, 3].map(() => create({ title: 'One' }, headers)))
    expect(new Set(paths).size).toBe(1)
    const again = { json: {}, headers: { 'idempotency-key': 'one-fork' } }
    await api.call('POST', `${paths[0]}/fork`, again)
    await api.call('POST', `${paths[0]}/fork`, again)
    expect(await types()).toEqual(['session.created', 'session.forked'])
    expect(await audited()).toHaveLength(1)
  })

  it('the session of a run is reported when a caller changes it, and its turns are not', async () => {
    const { body: run } = await api.call('POST', '/v1/runs', { json: { input: '@say secret' } })
    await api.settle()
    const path = `/v1/sessions/${run.session_id}`
    await api.call('PATCH', path, { json: { title: 'Named' } })
    await api.call('POST', '/v1/runs', {
      json: { input: '@say more', session_id: run.session_id, agent: 'explore' },
    })
    await api.settle()
    await api.call('DELETE', path)
    expect(await types()).toEqual(['session.updated', 'session.deleted'])
    expect(JSON.stringify(await told())).not.toContain('secret')
    await minutes(3)
    expect(await types()).toHaveLength(2)
    expect((await api.call('GET', path)).status).toBe(404)
  })

  it('an expired session is reported as deleted by its retention', async () => {
    await create({ retention_seconds: 60 })
    await minutes(5)
    const got = await told()
    expect(got.map(({ type }) => type)).toEqual(['session.created', 'session.deleted'])
    expect(got[1].data).toMatchObject({ reason: 'retention', retention_seconds: 60 })
    expect(await audited()).toMatchObject([['delete', got[1].data.session_id, expect.any(String)]])
    expect(await due()).toEqual([])
  })

  it('an endpoint for other events receives nothing, and nothing is stored without a subscriber', async () => {
    api = await testApi({ web })
    await subscribe(['session.deleted'])
    const path = await create()
    const rows = await api.world.store.read(`${TENANT}/session/${idOf(path)}`)
    expect(rows.map(({ key }) => key)).toEqual(['active', 'head'])
    await api.call('PATCH', path, { json: { title: 'x' } })
    await api.call('DELETE', path)
    expect(await types()).toEqual(['session.deleted'])
    expect(await audited()).toHaveLength(2)
  })

  it('metadata too large for a message: the event arrives without its data, with its location', async () => {
    const pairs = Array.from({ length: 16 }, (_, index) => [`k${index}`, '\u20ac'.repeat(512)])
    const path = await create({ metadata: Object.fromEntries(pairs) })
    await api.settle()
    const [got] = web.at(URL)
    expect(got!.json.data).toMatchObject({ type: 'session.created', href: path })
    expect(got!.json.data).not.toHaveProperty('data')
    const schema = { $ref: '#/components/schemas/WebhookBody' }
    expect(faultsOf(await document(), schema, got!.json)).toEqual([])
  })
})

describe('a process that dies right after the commit', () => {
  /** After the commit with the change nothing reaches the store any more. */
  const dying = async (act: () => Promise<unknown>) => {
    const { store } = api.world
    const { commit } = store
    let dead = false
    store.commit = async (partition, writes, head) => {
      if (dead) throw new Error('the process has died')
      dead = writes.some(({ op, key }) => op === 'put' && key.startsWith('event/'))
      return commit.call(store, partition, writes, head)
    }
    await act()
    expect(dead).toBe(true)
    store.commit = commit
  }

  it.each([
    ['session.created', () => create(), []],
    [
      'session.updated',
      (path: string) => api.call('PATCH', path, { json: { title: 'x' } }),
      ['update'],
    ],
    ['session.forked', (path: string) => api.call('POST', `${path}/fork`, { json: {} }), ['fork']],
    ['session.deleted', (path: string) => api.call('DELETE', path), ['delete']],
  ])('%s is still sent once and audited', async (type, act, actions) => {
    const path = await create()
    expect(await types()).toEqual(['session.created'])
    await dying(() => act(path))
    expect(await types()).toHaveLength(1)
    await minutes(3)
    expect(await types()).toEqual(['session.created', type])
    expect((await audited()).map(([action]: string[]) => action)).toEqual(actions)
    await minutes(30)
    expect(await types()).toHaveLength(2)
    expect(await due()).toEqual([])
    if (type === 'session.deleted') {
      expect(await api.world.store.read(`${TENANT}/session/${idOf(path)}`)).toEqual([])
    }
  })

  it('a caller that repeats the change gets its answer, and the event is sent once', async () => {
    const path = await create()
    await dying(() => api.call('PATCH', path, { json: { archived: true } }))
    const again = await api.call('PATCH', path, { json: { archived: true } })
    expect([again.status, again.body.archived]).toEqual([200, true])
    await minutes(3)
    expect(await types()).toEqual(['session.created', 'session.updated'])
    expect(await audited()).toHaveLength(1)
  })

  it('a write that the store does not confirm is sent once', async () => {
    const { store } = api.world
    const { commit } = store
    const path = await create()
    const unsure = async (act: () => Promise<{ status: number }>) => {
      let done = false
      store.commit = async (partition, writes, head) => {
        const result = await commit.call(store, partition, writes, head)
        if (done || !writes.some(({ key }) => key.startsWith('event/'))) return result
        done = true
        return 'ambiguous'
      }
      const { status } = await act()
      store.commit = commit
      return status
    }
    const json = { title: 'x' }
    const read = await api.call('GET', path)
    const headers = { 'if-match': read.headers.get('etag') ?? '' }
    expect(await unsure(() => api.call('PATCH', path, { json, headers }))).toBe(200)
    expect(await unsure(() => api.call('POST', `${path}/fork`, { json }))).toBe(201)
    expect(await unsure(() => api.call('DELETE', path))).toBe(204)
    await minutes(3)
    expect((await types()).sort()).toEqual([
      'session.created',
      'session.deleted',
      'session.forked',
      'session.updated',
    ])
    expect(await audited()).toHaveLength(3)
  })
})
