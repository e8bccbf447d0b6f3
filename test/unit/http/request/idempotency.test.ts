import { describe, expect, it } from 'vitest'
import { memoryStore } from '../../../../src/hosts/memory/store.ts'
import { startRun } from '../../../support/drive.ts'
import { type TestApi, testApi } from '../../../support/http.ts'

const KEY = 'order-4711'
const start = async () => {
  const api = await testApi()
  const post = (json: unknown, key = KEY, headers: Record<string, string> = {}) =>
    api.call('POST', '/v1/runs', { json, headers: { 'idempotency-key': key, ...headers } })
  const count = async () => (await api.call('GET', '/v1/runs?limit=100')).body.data.length
  return { api, post, count }
}

/** Between the claim of a key and the ticket somebody else comes first, once. */
function outrun({ world }: TestApi, session_id: string): void {
  const { store } = world
  const { commit } = store
  let others = 0
  store.commit = async (partition, writes, head) => {
    const claims = partition.includes('/reservation/') && others++ === 0
    if (claims) await startRun(world, { input: '@say other', session_id })
    return commit.call(store, partition, writes, head)
  }
}

describe('Idempotency-Key', () => {
  it('202 the same key and body return the same run [NC-28 WH-20]', async () => {
    const { post, count } = await start()
    const first = await post({ input: '@say a' })
    const again = await post({ input: '@say a' })
    expect([first.status, again.status]).toEqual([202, 202])
    expect(again.body.id).toBe(first.body.id)
    expect(first.headers.get('idempotency-replayed')).toBeNull()
    expect(again.headers.get('idempotency-replayed')).toBe('true')
    expect(await count()).toBe(1)
  })

  it('422 a body with different bytes is a mismatch [NC-29 D05 D16]', async () => {
    const { post, count } = await start()
    await post({ input: '@say a', label: 'x' })
    for (const other of [{ input: '@say b' }, { label: 'x', input: '@say a' }]) {
      const { status, body } = await post(other)
      expect([status, body.code]).toEqual([422, 'idempotency_mismatch'])
    }
    expect(await count()).toBe(1)
  })

  it('400 an invalid key is refused [D02 WH-22]', async () => {
    const { post } = await start()
    for (const key of [
      '1234567',
      'x'.repeat(201),
      'x'.repeat(257),
      'a key with blanks',
      'a\tbcdefgh',
    ]) {
      const { status, body } = await post({ input: 'x' }, key)
      expect([status, body.code]).toEqual([400, 'invalid_header'])
    }
    expect((await post({ input: 'x' }, '"quoted-key"')).status).toBe(202)
  })

  it('a hundred concurrent requests create one run [D09]', async () => {
    const { post, count } = await start()
    const answers = await Promise.all(Array.from({ length: 100 }, () => post({ input: '@say a' })))
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1)
    expect(answers.every(({ status }) => status === 202)).toBe(true)
    expect(await count()).toBe(1)
  })

  it('a refused request does not use up the key, and the corrected one may use it [D11]', async () => {
    const { post } = await start()
    expect((await post({ input: 'x', agent: 'ghost' })).status).toBe(422)
    expect((await post({ input: 'x', agent: 'general' })).status).toBe(202)
  })

  it('a request refused for its webhook or session does not use up the key [D11]', async () => {
    const { api, post } = await start()
    const url = 'https://hooks.example.com/x'
    const refused = [
      [{ webhook: { url: 'http://127.0.0.1/x' } }, 422],
      [{ webhook: { url, secret: 'whsec_AA' } }, 422],
      [{ session_id: 'ses_00000000000000000000000000' }, 404],
    ] as const
    for (const [index, [wrong, status]] of refused.entries()) {
      const key = `refused-${index}`
      const answer = await post({ input: '@say a', ...wrong }, key)
      expect([wrong, answer.status]).toEqual([wrong, status])
      expect((await post({ input: '@say a' }, key)).status).toBe(202)
    }
    const session_id = (await api.call('POST', '/v1/sessions', { json: {} })).body.id
    await post({ input: '@say a', session_id })
    const rejected = await post({ input: '@say b', session_id, on_busy: 'reject' }, 'refused-busy')
    expect(rejected.body.code).toBe('session_busy')
    expect((await post({ input: '@say b', session_id }, 'refused-busy')).status).toBe(202)
    const fanOut = (more: object) =>
      api.call('POST', '/v1/fanouts', {
        json: { tasks: [{ task: '@say a' }], ...more },
        headers: { 'idempotency-key': 'refused-fan-out' },
      })
    expect((await fanOut({ webhook: { url: 'http://127.0.0.1/x' } })).body.code).toBe('blocked_url')
    expect((await fanOut({})).status).toBe(202)
  })

  it('a request that finds the session busy at the last moment does not use up the key [D11]', async () => {
    const { api, post } = await start()
    const session_id = (await api.call('POST', '/v1/sessions', { json: {} })).body.id
    outrun(api, session_id)
    const wanted = { input: '@say b', session_id, on_busy: 'reject' }
    expect((await post(wanted)).body.code).toBe('session_busy')
    expect((await post(wanted)).body.code).toBe('session_busy')
    expect((await post({ input: '@say b', session_id })).status).toBe(202)
    expect((await post(wanted)).body.code).toBe('idempotency_mismatch')
  })

  it('a request refused for a busy session succeeds with its key as soon as the session is free [D09]', async () => {
    const { api, post } = await start()
    const session_id = (await api.call('POST', '/v1/sessions', { json: {} })).body.id
    outrun(api, session_id)
    const wanted = { input: '@say b', session_id, on_busy: 'reject' }
    expect((await post(wanted)).body.code).toBe('session_busy')
    await api.settle()
    // Long after, when what was created under it and is not there would have been deleted.
    api.world.clock.advance(3_600_000)
    const made = await post(wanted)
    expect(made.status).toBe(202)
    expect((await post(wanted)).body.id).toBe(made.body.id)
    const changed = await post({ input: '@say c', session_id })
    expect(changed.body.code).toBe('idempotency_mismatch')
  })

  it('ten concurrent requests with one key that need an idle session all return the same run [D09]', async () => {
    const { api, post } = await start()
    const session_id = (await api.call('POST', '/v1/sessions', { json: {} })).body.id
    const one = { input: '@say a', session_id, on_busy: 'reject' }
    const answers = await Promise.all(Array.from({ length: 10 }, () => post(one)))
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 202))
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1)
  })

  it('an attempt that failed before anything was stored is repeated [D12]', async () => {
    const store = memoryStore()
    let broken = true
    const commit: typeof store.commit = (partition, ...rest) => {
      if (broken && partition.includes('/run/')) throw new Error('the disk is full')
      return store.commit(partition, ...rest)
    }
    const api = await testApi({ store: { ...store, commit } })
    const post = () =>
      api.call('POST', '/v1/runs', {
        json: { input: '@say a' },
        headers: { 'idempotency-key': KEY },
      })
    expect((await post()).status).toBe(500)
    broken = false
    const again = await post()
    expect(again.status).toBe(202)
    expect((await post()).body.id).toBe(again.body.id)
    expect((await api.call('GET', '/v1/runs')).body.data).toHaveLength(1)
  })

  it('a request reads its key once and writes it once, and a repetition only reads it [D11]', async () => {
    const store = memoryStore()
    const seen: string[] = []
    const watched: typeof store = {
      ...store,
      heads: (partitions) => {
        seen.push(...partitions.filter((one) => one.includes('/reservation/')).map(() => 'read'))
        return store.heads(partitions)
      },
      commit: (partition, ...rest) => {
        if (partition.includes('/reservation/')) seen.push('write')
        return store.commit(partition, ...rest)
      },
    }
    const api = await testApi({ store: watched })
    const session_id = (await api.call('POST', '/v1/sessions', { json: {} })).body.id
    const requests: readonly (readonly [string, object])[] = [
      ['/v1/runs', { input: '@say a' }],
      ['/v1/runs', { input: '@say a', session_id }],
      ['/v1/fanouts', { tasks: [{ task: '@say a' }] }],
      ['/v1/sessions', {}],
    ]
    for (const [index, [path, json]] of requests.entries()) {
      const headers = { 'idempotency-key': `once-on-the-way-${index}` }
      seen.length = 0
      const first = await api.call('POST', path, { json, headers })
      expect([path, first.status < 300, seen]).toEqual([path, true, ['read', 'write']])
      seen.length = 0
      const again = await api.call('POST', path, { json, headers })
      expect([path, again.body.id, seen]).toEqual([path, first.body.id, ['read']])
    }
  })

  it('a key can be reused after 24 hours, whether or not its row still exists [F4]', async () => {
    const { api, post } = await start()
    const first = await post({ input: '@say a' })
    api.world.clock.advance(86_400_001)
    const later = await post({ input: '@say b' })
    expect(later.status).toBe(202)
    expect(later.body.id).not.toBe(first.body.id)
  })

  it('410 a deleted run is not created again [D14]', async () => {
    const { api, post } = await start()
    const { body } = await post({ input: '@say a' })
    await api.world.store.drop(`test/run/${body.id}`)
    api.world.clock.advance(3_600_000)
    const again = await post({ input: '@say a' })
    expect([again.status, again.body.code]).toEqual([410, 'gone'])
    expect(again.body.detail).toContain(body.id)
  })

  it('a retry shows a generated webhook secret again, because a lost answer loses it too', async () => {
    const web = { check: () => undefined, send: async () => ({ ok: false, error: 'x' }) as const }
    const api = await testApi({ web })
    const json = { input: '@say a', webhook: { url: 'https://example.com' } }
    const headers = { 'idempotency-key': KEY }
    const first = await api.call('POST', '/v1/runs', { json, headers })
    const again = await api.call('POST', '/v1/runs', { json, headers })
    expect(first.body.webhook_secret).toMatch(/^whsec_/)
    expect(again.body.webhook_secret).toBe(first.body.webhook_secret)
  })
})

describe('a repeated request', () => {
  it('returns the same run after it has ended, and stays one turn of its session [OC-55]', async () => {
    const { api, post, count } = await start()
    const session_id = (await api.call('POST', '/v1/sessions', { json: {} })).body.id
    const first = await post({ input: '@say once', session_id })
    await api.settle()
    const again = await post({ input: '@say once', session_id })
    await api.settle()
    expect(again.body).toMatchObject({ id: first.body.id, status: 'completed' })
    expect(await count()).toBe(1)
    const { data } = (await api.call('GET', `/v1/sessions/${session_id}/messages`)).body
    expect(data).toHaveLength(2)
  })

  it('performs what the first one did not after a failure before the commit [D12]', async () => {
    const { api, post, count } = await start()
    const { store } = api.world
    const commit = store.commit
    let broken = true
    store.commit = async (partition, writes, head) => {
      if (broken && partition.includes('/run/')) throw new Error('the store is down')
      return commit(partition, writes, head)
    }
    const failed = await post({ input: '@say a' })
    expect([failed.status, failed.body.code]).toEqual([500, 'internal'])
    expect(await count()).toBe(0)
    broken = false
    const again = await post({ input: '@say a' })
    expect(again.status).toBe(202)
    expect(await count()).toBe(1)
  })

  it('does not end a run whose wait is over, and may wait again [OC-31]', async () => {
    const { api, post } = await start()
    const first = await post({ input: '@say a' }, KEY, { prefer: 'wait=1' })
    expect([first.status, first.body.status]).toEqual([202, 'queued'])
    const again = await post({ input: '@say a' }, KEY, { prefer: 'wait=1' })
    expect([again.status, again.body.id]).toEqual([202, first.body.id])
    await api.settle()
    const last = await post({ input: '@say a' }, KEY, { prefer: 'wait=1' })
    expect([last.status, last.body]).toMatchObject([
      200,
      { id: first.body.id, status: 'completed', output: { text: 'a' } },
    ])
    expect((await api.call('GET', '/v1/runs')).body.data).toHaveLength(1)
  })
})

describe('Idempotency-Key of POST /v1/sessions', () => {
  it('a hundred concurrent requests create one session, and another body is a mismatch [D09]', async () => {
    const api = await testApi()
    const headers = { 'idempotency-key': KEY }
    const post = (json: unknown) => api.call('POST', '/v1/sessions', { json, headers })
    const answers = await Promise.all(Array.from({ length: 100 }, () => post({ agent: 'general' })))
    expect(answers.every(({ status }) => status === 201)).toBe(true)
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1)
    const replayed = answers.filter(({ headers }) => headers.get('idempotency-replayed') === 'true')
    expect(replayed).toHaveLength(99)
    expect((await api.call('GET', '/v1/sessions')).body.data).toHaveLength(1)
    const other = await post({})
    expect([other.status, other.body.code]).toEqual([422, 'idempotency_mismatch'])
  })

  it('410 a deleted session is not created again [D14]', async () => {
    const api = await testApi()
    const headers = { 'idempotency-key': KEY }
    const { body } = await api.call('POST', '/v1/sessions', { json: {}, headers })
    await api.call('DELETE', `/v1/sessions/${body.id}`)
    api.world.clock.advance(3_600_000)
    const again = await api.call('POST', '/v1/sessions', { json: {}, headers })
    expect([again.status, again.body.code]).toEqual([410, 'gone'])
  })

  it('one key on two routes is two keys, each with its own resource', async () => {
    const api = await testApi()
    const headers = { 'idempotency-key': KEY }
    const asked = [
      ['/v1/runs', { input: '@say a' }],
      ['/v1/fanouts', { tasks: [{ task: '@say a' }] }],
      ['/v1/sessions', { agent: 'general' }],
      ['/v1/hooks', { scheme: 'standard' }],
    ] as const
    const made: string[] = []
    for (const [path, json] of [...asked, ...asked]) {
      const { status, body } = await api.call('POST', path, { json, headers })
      expect([path, Math.floor(status / 100)]).toEqual([path, 2])
      made.push(body.id)
    }
    expect(new Set(made.slice(0, 4)).size).toBe(4)
    expect(made.slice(4)).toEqual(made.slice(0, 4))
  })

  it('one key on two resources of one route is two keys', async () => {
    const api = await testApi()
    const headers = { 'idempotency-key': KEY }
    const hook = async () =>
      (await api.call('POST', '/v1/hooks', { json: { scheme: 'standard' } })).body.id
    const secrets: string[] = []
    for (const id of [await hook(), await hook()]) {
      const { status, body } = await api.call('POST', `/v1/hooks/${id}/rotate-secret`, { headers })
      expect(status).toBe(200)
      secrets.push(body.secret)
    }
    expect(secrets[0]).not.toBe(secrets[1])
  })
})
