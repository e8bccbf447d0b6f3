/** Keys as the rules of tenancy have them: scopes, the tenant's idempotency, equal time. */

import { beforeEach, describe, expect, it } from 'vitest'
import { createApp } from '../../src/http/app.ts'
import { equalSecret } from '../../src/lib/bytes.ts'
import { sha256 } from '../../src/lib/digest.ts'
import { testWorld } from '../support/drive.ts'
import { type TestApi, testApi } from '../support/http.ts'
import { isOperators } from '../support/operators.ts'

let api: TestApi
beforeEach(async () => {
  api = await testApi()
})

interface Made {
  readonly id: string
  readonly key: string
}
const made = async (...scopes: string[]): Promise<Made> =>
  (await api.call('POST', '/v1/keys', { json: { scopes } })).body

describe('H11 a key without the needed scope', () => {
  it('is refused by every route, before anything of the request is read', async () => {
    const { key } = await made('metrics:read')
    const { routes } = createApp(testWorld())
    const needing = routes.filter((route) => {
      const { scope, path } = route
      if (isOperators(route)) return false
      if (scope === null || scope === 'any') return false
      return scope !== 'metrics:read' && path !== '/mcp'
    })
    expect(needing.length).toBeGreaterThan(100)
    for (const { method, path, scope } of needing) {
      const target = path.replaceAll(/\{\w+\+?\}/g, 'x')
      const sent = method === 'get' ? {} : { body: 'no JSON' }
      const { status, body } = await api.call(method.toUpperCase(), target, { key, ...sent })
      expect([method, path, status, body.code]).toEqual([
        ...[method, path, 403, 'insufficient_scope'],
      ])
      expect(body.detail).toContain(scope)
    }
  })

  it('that may read runs neither starts, cancels, approves nor makes keys', async () => {
    const { key } = await made('runs:read')
    const { body: run } = await api.call('POST', '/v1/runs', { json: { input: '@say done' } })
    for (const [path, json] of [
      ['/v1/runs', { input: '@say done' }],
      [`/v1/runs/${run.id}/cancel`, {}],
      [`/v1/approvals/apr_${'0'.repeat(52)}/decision`, { decision: 'approve' }],
      ['/v1/keys', { scopes: ['runs:read'] }],
    ] as const) {
      const { status, body } = await api.call('POST', path, { key, json })
      expect([path, status, body.code]).toEqual([path, 403, 'insufficient_scope'])
    }
    expect((await api.call('GET', `/v1/runs/${run.id}`, { key })).body.status).toBe('queued')
  })
})

describe('one Idempotency-Key', () => {
  const start = (key: string, input = '@say done') =>
    api.call('POST', '/v1/runs', {
      ...{ key, json: { input } },
      headers: { 'idempotency-key': 'the-callers-own' },
    })

  it('D08 means the same request through another API key of the tenant', async () => {
    const [one, other] = [await made('runs:*'), await made('runs:*')]
    const [first, again] = [await start(one.key), await start(other.key)]
    expect([first.status, again.status]).toEqual([202, 202])
    expect(again.body.id).toBe(first.body.id)
    expect(again.headers.get('idempotency-replayed')).toBe('true')
    const differs = await start(other.key, '@say more')
    expect([differs.status, differs.body.code]).toEqual([422, 'idempotency_mismatch'])
    expect((await api.call('GET', '/v1/runs')).body.data).toHaveLength(1)
  })

  it('D15 with a revoked API key is refused, and discloses nothing of the first answer', async () => {
    const { id, key } = await made('runs:*')
    const first = await start(key)
    await api.call('DELETE', `/v1/keys/${id}`)
    const [again, other] = [await start(key), await start(key, '@say more')]
    for (const { status, body, text, headers } of [again, other]) {
      expect([status, body.code]).toEqual([401, 'unauthorized'])
      expect(text).not.toContain(first.body.id)
      expect(headers.has('idempotency-replayed')).toBe(false)
      expect(headers.has('location')).toBe(false)
    }
    expect({ ...again.body, request_id: '' }).toEqual({ ...other.body, request_id: '' })
  })
})

describe('H25 secrets are compared in constant time', () => {
  const right = sha256('the secret')
  const early = `${right[0] === '0' ? '1' : '0'}${right.slice(1)}`
  const late = `${right.slice(0, -1)}${right.endsWith('0') ? '1' : '0'}`

  /** Compares character by character and leaves at the first that differs: what must not be. */
  const leaky = (left: string, other: string): boolean => {
    for (let at = 0; at < left.length; at += 1) if (left[at] !== other[at]) return false
    return true
  }

  /** The two-sided p of Mann and Whitney: whether one of two inputs takes longer than the other. */
  function pOf(compare: (left: string, other: string) => boolean): number {
    const samples: { readonly isLate: boolean; readonly ms: number }[] = []
    let kept = 0
    for (let round = 0; round < 400; round += 1) {
      // In turn, so that whatever else the machine does meets both alike.
      const isLate = (round + (round >> 1)) % 2 === 0
      const given = isLate ? late : early
      const began = performance.now()
      for (let count = 0; count < 300; count += 1) kept += compare(right, given) ? 1 : 0
      samples.push({ isLate, ms: performance.now() - began })
    }
    expect(kept).toBe(0)
    const ranked = samples.slice(100).sort((one, other) => one.ms - other.ms)
    const many = ranked.filter(({ isLate }) => isLate).length
    const few = ranked.length - many
    const sum = ranked.reduce((all, { isLate }, at) => all + (isLate ? at + 1 : 0), 0)
    const u = sum - (many * (many + 1)) / 2
    const spread = Math.sqrt((many * few * (ranked.length + 1)) / 12)
    return twoSided((u - (many * few) / 2) / spread)
  }

  it('where they differ changes nothing that a clock shows (p > 0.01)', () => {
    // By chance alone one test of a hundred says that something differs; six in a row do not.
    const says = Array.from({ length: 6 }, () => pOf(equalSecret))
    expect(Math.max(...says)).toBeGreaterThan(0.01)
    // And the same test sees a comparison that leaves early.
    expect(Array.from({ length: 3 }, () => pOf(leaky)).every((p) => p < 0.01)).toBe(true)
  })

  it('every character is looked at, wherever the first one differs', () => {
    const seen = (given: string): number => {
      let looks = 0
      const counted = {
        length: given.length,
        charCodeAt(at: number) {
          looks += 1
          return given.charCodeAt(at)
        },
      }
      expect(equalSecret(right, counted as unknown as string)).toBe(given === right)
      return looks
    }
    expect([seen(early), seen(late), seen(right)]).toEqual([64, 64, 64])
  })
})

/** Of a standard normal, by the series of Abramowitz and Stegun (26.2.17). */
function twoSided(z: number): number {
  const t = 1 / (1 + 0.231_641_9 * Math.abs(z))
  const factors = [1.330_274_429, -1.821_255_978, 1.781_477_937, -0.356_563_782, 0.319_381_53]
  const tail = factors.reduce((sum, factor) => (sum + factor) * t, 0)
  return (2 * tail * Math.exp((-z * z) / 2)) / Math.sqrt(2 * Math.PI)
}
