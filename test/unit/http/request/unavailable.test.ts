/** Storage in trouble: the caller is told to come again, the operator is told what it was. */

import { describe, expect, it } from 'vitest'
import { beat, mark } from '../../../../src/engine/worker/beat.ts'
import { isTrouble as isTroubleOfAws } from '../../../../src/hosts/aws/failure.ts'
import { openObjects, openStore } from '../../../../src/hosts/aws/ports.ts'
import { isTrouble as isTroubleOfCloudflare } from '../../../../src/hosts/cloudflare/bindings/failure.ts'
import { memoryStore } from '../../../../src/hosts/memory/store.ts'
import { Unavailable } from '../../../../src/lib/unavailable.ts'
import type { Store } from '../../../../src/ports/world.ts'
import { type Answer, testApi } from '../../../support/http.ts'

const run = { json: { input: '@say hello' }, headers: { 'idempotency-key': 'key-of-this-run' } }

describe('unavailable storage', () => {
  it('is a 503 with Retry-After, and the same request succeeds later with its key', async () => {
    let down = false
    const inner = memoryStore()
    const store: Store = {
      ...inner,
      commit: async (...args) => {
        if (down) throw new Unavailable('connect ECONNREFUSED 10.0.0.7:8000')
        return inner.commit(...args)
      },
    }
    const api = await testApi({ store })
    down = true
    const refused = await api.call('POST', '/v1/runs', run)
    expect([refused.status, refused.body.code]).toEqual([503, 'unavailable'])
    expect(refused.headers.get('retry-after')).toBe('1')
    // Where storage is, is nobody else's business.
    expect(JSON.stringify(refused.body)).not.toContain('10.0.0.7')
    down = false
    const accepted = await api.call('POST', '/v1/runs', run)
    expect(accepted.status).toBe(202)
    const again = await api.call('POST', '/v1/runs', run)
    expect(again.body.id).toBe(accepted.body.id)
  })

  it('is also a 503 when every commit is in doubt and nothing can be found', async () => {
    let lost = false
    const inner = memoryStore()
    const isRun = (partition: string) => partition.includes('/run/')
    const store: Store = {
      ...inner,
      commit: async (...args) => (lost && isRun(args[0]) ? 'ambiguous' : inner.commit(...args)),
    }
    const api = await testApi({ store })
    lost = true
    const refused = await api.call('POST', '/v1/runs', run)
    expect([refused.status, refused.body.code]).toEqual([503, 'unavailable'])
    lost = false
    expect((await api.call('POST', '/v1/runs', run)).status).toBe(202)
  })
})

const NEVER = { ticked_seconds_ago: null, oldest_due_seconds: null }

describe('GET /readyz', () => {
  it('200 without a key while storage answers, which it reads at most once per second', async () => {
    let reads = 0
    const inner = memoryStore()
    const store: Store = {
      ...inner,
      heads: (...args) => {
        if (args[0][0] === '_/clock') reads += 1
        return inner.heads(...args)
      },
    }
    const api = await testApi({ store })
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => api.call('GET', '/readyz', { key: null })),
    )
    for (const { status, body } of answers)
      expect([status, body]).toEqual([200, { status: 'ready', clock: NEVER }])
    expect(reads).toBe(1)
    await api.world.clock.advance(1_000)
    await api.call('GET', '/readyz', { key: null })
    expect(reads).toBe(2)
  })

  it('200 reports when the clock last ticked and its delay, which a monitor may treat as 503', async () => {
    const api = await testApi()
    const asked = async (query = '') => {
      const { status, body } = await api.call('GET', `/readyz${query}`, { key: null })
      return [status, body.clock ?? body.detail]
    }
    expect(await asked('?clock_within=300')).toEqual([503, 'The clock has never ticked.'])
    expect(await beat(api.world)).toEqual({ due: 0, oldestDueSeconds: 0 })
    await api.world.clock.advance(200_000)
    const first = { ticked_seconds_ago: 200, oldest_due_seconds: 0 }
    expect(await asked('?clock_within=300')).toEqual([200, first])
    expect(await asked('?clock_within=199')).toEqual([
      503,
      'The clock last ticked 200 s ago, and its oldest due entry is 0 s late.',
    ])
    expect(await asked()).toEqual([200, first])
    await api.world.store.commit('default/run/run_x', [], {
      expect: null,
      body: '{}',
      alarm: { at: api.world.clock.now() - 400_000, lane: 'main', started: true },
    })
    expect(await beat(api.world)).toEqual({ due: 1, oldestDueSeconds: 400 })
    await api.world.clock.advance(2_000)
    const late = 'The clock last ticked 2 s ago, and its oldest due entry is 400 s late.'
    expect(await asked('?clock_within=300')).toEqual([503, late])
    expect((await asked('?clock_within=100'))[0]).toBe(400)
  })

  it('a tick is marked once per minute, by one of several concurrent workers', async () => {
    let commits = 0
    const inner = memoryStore()
    const store: Store = {
      ...inner,
      commit: async (...args) => {
        if (args[0] === '_/clock') commits += 1
        return inner.commit(...args)
      },
    }
    const api = await testApi({ store })
    await beat(api.world)
    await beat(api.world)
    expect(commits).toBe(1)
    await api.world.clock.advance(60_000)
    await beat(api.world)
    expect(commits).toBe(2)
    await Promise.all([mark(api.world, 1), mark(api.world, 2)])
    expect((await inner.heads(['_/clock']))[0]?.version).toBe(3)
  })

  it('503 names the part that fails or does not answer, and not its address', async () => {
    let trouble: 'fails' | 'hangs' | 'none' = 'fails'
    const inner = memoryStore()
    const store: Store = {
      ...inner,
      heads: (...args) => {
        if (args[0][0] !== '_/clock' || trouble === 'none') return inner.heads(...args)
        if (trouble === 'hangs') return new Promise(() => {})
        throw new Unavailable('connect ECONNREFUSED 10.0.0.7:8000')
      },
    }
    const api = await testApi({ store })
    const refused = await api.call('GET', '/readyz', { key: null })
    expect([refused.status, refused.body.code]).toEqual([503, 'unavailable'])
    expect(refused.body.detail).toBe('No response from: store.')
    expect(refused.text).not.toContain('10.0.0.7')
    trouble = 'hangs'
    await api.world.clock.advance(1_000)
    const asked = api.call('GET', '/readyz', { key: null })
    await api.world.clock.advance(3_000)
    expect((await asked).status).toBe(503)
    trouble = 'none'
    await api.world.clock.advance(1_000)
    expect((await api.call('GET', '/readyz', { key: null })).status).toBe(200)
    expect((await api.call('GET', '/healthz', { key: null })).status).toBe(200)
  })
})

describe('a run with many concurrent writers', () => {
  const atOnce = (count: number, act: (index: number) => Promise<Answer>): Promise<Answer[]> =>
    Promise.all(Array.from({ length: count }, (_, index) => act(index)))

  it('accepts 80 simultaneous messages, each once', async () => {
    const inner = memoryStore()
    const store: Store = {
      ...inner,
      commit: async (...args) => {
        // Between a look and the commit there is a while, as everywhere but in memory.
        await new Promise((resolve) => setImmediate(resolve))
        return inner.commit(...args)
      },
    }
    const api = await testApi({ store })
    const { id } = (await api.call('POST', '/v1/runs', run)).body
    const answers = await atOnce(80, (index) =>
      api.call('POST', `/v1/runs/${id}/messages`, { json: { content: `message ${index}` } }),
    )
    expect(answers.filter(({ status }) => status !== 202)).toEqual([])
    await api.settle()
    const { data } = (await api.call('GET', `/v1/runs/${id}/transcript`)).body
    const said = data.filter(({ text }: { text?: string }) => text?.startsWith('message '))
    expect(new Set(said.map(({ text }: { text: string }) => text)).size).toBe(80)
    expect(said).toHaveLength(80)
  })

  it('is a 503 with Retry-After for a request that never gets through, and its retry succeeds', async () => {
    let busy = false
    const inner = memoryStore()
    const store: Store = {
      ...inner,
      commit: async (...args) =>
        busy && args[0].includes('/run/') ? 'conflict' : inner.commit(...args),
    }
    const api = await testApi({ store })
    const { id } = (await api.call('POST', '/v1/runs', run)).body
    const message = {
      json: { content: 'hello' },
      headers: { 'idempotency-key': 'key-of-this-one' },
    }
    busy = true
    const refused = await api.call('POST', `/v1/runs/${id}/messages`, message)
    expect([refused.status, refused.body.code]).toEqual([503, 'unavailable'])
    expect(refused.headers.get('retry-after')).toBe('1')
    busy = false
    expect((await api.call('POST', `/v1/runs/${id}/messages`, message)).status).toBe(202)
  })
})

describe('the classification of cloud errors', () => {
  const aws = (name: string, httpStatusCode?: number) =>
    Object.assign(new Error(name), { name, $metadata: { attempts: 3, httpStatusCode } })

  it.each([
    ['no answer came', aws('TimeoutError'), true],
    ['the service is broken', aws('InternalServerError', 500), true],
    ['S3 asks to slow down', aws('SlowDown', 503), true],
    ['DynamoDB throttles', aws('ThrottlingException', 400), true],
    ['a transaction is under way', aws('TransactionInProgressException', 400), true],
    ['the bucket has vanished', aws('NoSuchBucket', 404), true],
    ['no such object', aws('NoSuchKey', 404), false],
    ['no such table', aws('ResourceNotFoundException', 400), false],
    ['not allowed', aws('AccessDeniedException', 400), false],
    ['an error of ours', new TypeError('undefined is not a function'), false],
  ])('AWS: %s', (_, error, expected) => {
    expect(isTroubleOfAws(error)).toBe(expected)
  })

  it.each([
    ['the connection is lost', 'D1_ERROR: Network connection lost.', true],
    ['D1 has too much to do', 'D1_ERROR: D1 DB is overloaded. Too many requests queued.', true],
    ['R2 is broken', 'get: We encountered an internal error. Please try again. (10001)', true],
    [
      'R2 takes no more',
      'put: Reduce your concurrent request rate for the same object. (10058)',
      true,
    ],
    ['the bucket has vanished', 'get: The specified bucket does not exist. (10006)', true],
    ['no such table', 'D1_ERROR: no such table: row: SQLITE_ERROR', false],
    ['an error of ours', 'undefined is not a function', false],
  ])('Cloudflare: %s', (_, message, expected) => {
    expect(isTroubleOfCloudflare(new Error(message))).toBe(expected)
  })

  it('AWS: nothing listens at the endpoint of the table and the bucket', async () => {
    const gone = 'http://127.0.0.1:9'
    const env = {
      AWS_REGION: 'eu-central-1',
      AWS_ACCESS_KEY_ID: 'x',
      AWS_SECRET_ACCESS_KEY: 'x',
      AWS_MAX_ATTEMPTS: '1',
      AWS_ENDPOINT_URL_DYNAMODB: gone,
      AWS_ENDPOINT_URL_S3: gone,
    }
    const before = { ...process.env }
    Object.assign(process.env, env)
    try {
      const objects = openObjects({ STRATA_BUCKET: 'b', AWS_ENDPOINT_URL_S3: gone })
      await expect(objects.get('a')).rejects.toThrow(Unavailable)
      const store = openStore({ STRATA_TABLE: 't' }, objects)
      await expect(store.read('a/run/b')).rejects.toThrow(Unavailable)
    } finally {
      process.env = before
    }
  })
})
