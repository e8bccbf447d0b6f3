/** The life of one delivery. */

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  type AttemptOutcome,
  attempted,
  type Delivery,
  newDelivery,
  redriven,
} from '../../../src/core/webhook/delivery.ts'

const NOW = Date.UTC(2026, 0, 1)
const HOUR = 3_600_000
const named = {
  id: 'dlv_1',
  tenant: 'default',
  run_id: 'run_1',
  seq: 7,
  event_type: 'run.completed',
  url: 'https://example.com/hook',
}
const fresh = newDelivery(named, NOW)
const answer = (status: number, headers = {}, body = ''): AttemptOutcome => ({
  type: 'answer',
  status,
  headers,
  body,
})
const down: AttemptOutcome = { type: 'error', message: 'the connection failed' }

/** Attempts with the same outcome until nothing is due any more; the waiting times. */
function through(outcome: AttemptOutcome, chance: number): { delays: number[]; end: Delivery } {
  const delays: number[] = []
  let delivery = fresh
  while (delivery.next_at !== null) {
    const at = delivery.next_at
    delays.push(at - (delivery.last_at ?? NOW))
    delivery = attempted(delivery, outcome, at, chance)
  }
  return { delays, end: delivery }
}

describe('webhook delivery', () => {
  it('is due at once, and delivered by the first success', () => {
    expect(fresh).toMatchObject({ status: 'pending', attempts: 0, next_at: NOW })
    expect(attempted(fresh, answer(204), NOW, 0.5)).toMatchObject({
      status: 'delivered',
      attempts: 1,
      next_at: null,
      last_status: 204,
      last_error: null,
    })
  })
  it('is dead after ten attempts over 75 hours [WS14]', () => {
    const { delays, end } = through(down, 0.5)
    const minutes = [0, 5 / 60, 5, 30, 120, 300, 600, 840, 1_200, 1_440]
    expect(delays).toEqual(minutes.map((one) => one * 60_000))
    expect(end).toMatchObject({ status: 'failed', attempts: 10, last_error: down.message })
    expect((end.last_at ?? 0) - NOW).toBeGreaterThan(75 * HOUR)
  })
  it('jitters each delay by a fifth [WS14]', () => {
    const [, low = 0] = through(down, 0).delays
    const [, high = 0] = through(down, 0.999_999).delays
    expect([low, high]).toEqual([4_000, 6_000])
  })
  it.each([199, 300, 304, 400, 404, 500, 502])('treats status %i as a failure [WS08]', (status) => {
    const after = attempted(fresh, answer(status), NOW, 0.5)
    expect(after).toMatchObject({ status: 'pending', last_status: status })
  })
  it.each([200, 299])('treats status %i as success [WS08]', (status) => {
    expect(attempted(fresh, answer(status), NOW, 0.5).status).toBe('delivered')
  })
  it('reports a redirect as a failure that names the redirect [WS09]', () => {
    const after = attempted(fresh, answer(301, { location: 'https://x' }), NOW, 0.5)
    expect(after.last_error).toMatch(/redirect \(301\)/)
  })
  it('ends at once on 410 [WS10]', () => {
    expect(attempted(fresh, answer(410), NOW, 0.5)).toMatchObject({
      status: 'disabled',
      next_at: null,
    })
  })
  it('keeps at most 4 KB of the response [WS17]', () => {
    const after = attempted(fresh, answer(500, {}, 'é'.repeat(5_000)), NOW, 0.5)
    expect(Buffer.byteLength(after.last_body ?? '')).toBe(4_096)
  })
  it('can be resent manually under the same ID, and the resend is recorded [WS16]', () => {
    const { end } = through(down, 0.5)
    const again = redriven(end, NOW + 100 * HOUR)
    expect(again).toMatchObject({ id: 'dlv_1', status: 'pending', attempts: 0, redrives: 1 })
    expect(attempted(again, answer(200), NOW, 0.5).status).toBe('delivered')
  })
})

describe('Retry-After [WS11]', () => {
  const delay = (value: string, status = 429, from = fresh) => {
    const after = attempted(from, answer(status, { 'retry-after': value }), NOW, 0.5)
    return (after.next_at ?? 0) - NOW
  }
  it('is honored on 429 and 503, between the planned delay and twice that', () => {
    expect(delay('7')).toBe(7_000)
    expect(delay('7', 503)).toBe(7_000)
    expect(delay('1')).toBe(5_000)
    expect(delay('3600')).toBe(10_000)
    expect(delay('7', 500)).toBe(5_000)
  })
  it('may be a date', () => {
    expect(delay(new Date(NOW + 8_000).toUTCString())).toBe(8_000)
    expect(delay(new Date(NOW - 8_000).toUTCString())).toBe(5_000)
  })
  it('is ignored when malformed or negative', () => {
    const junk = ['soon', '-5', '', '1e9', 'NaN', '5 seconds', '2026-01-02', '9'.repeat(30)]
    for (const value of junk) expect(delay(value), value).toBe(5_000)
  })
  it('never delays a retry by more than a day', () => {
    const late: Delivery = { ...fresh, attempts: 8 }
    expect(delay('999999', 429, late)).toBe(24 * HOUR)
  })
  it('never shortens the planned delay and never more than doubles it', () => {
    const chance = fc.double({ min: 0, max: 0.999, noNaN: true })
    const seconds = fc.integer({ min: 0, max: 999_999_999 })
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 8 }), chance, seconds, (attempts, luck, asked) => {
        const from = { ...fresh, attempts }
        const headers = { 'retry-after': String(asked) }
        const plain = attempted(from, answer(500), NOW, luck).next_at ?? 0
        const polite = attempted(from, answer(503, headers), NOW, luck).next_at ?? 0
        expect(polite).toBeGreaterThanOrEqual(plain)
        expect(polite - NOW).toBeLessThanOrEqual(2 * (plain - NOW))
      }),
    )
  })
})
