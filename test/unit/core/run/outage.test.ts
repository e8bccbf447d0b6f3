/** How long an outage of a model is waited out, and how often the model is asked meanwhile. */

import { describe, expect, it } from 'vitest'
import { askAgainAt, givesUpAt } from '../../../../src/core/run/state/outage.ts'

const SINCE = 1_800_000_000_000
const HOUR = 3_600
const failed = (attempt: number, more: object = {}) => ({
  ...{ run: 'run_a', step: 0, attempt, since: SINCE, patience_seconds: HOUR },
  ...more,
})
/** Every pause from the first failure to the end of the patience, in ms. */
function pausesOf(run: string, patience_seconds = HOUR, retryAfterMs?: number): number[] {
  const pauses: number[] = []
  for (let now = SINCE, attempt = 1; ; attempt += 1) {
    const until = askAgainAt(failed(attempt, { run, patience_seconds, retryAfterMs }), now)
    if (until === undefined) return pauses
    pauses.push(until - now)
    now = until
  }
}

describe('retries with patience', () => {
  it('pauses grow from one or two seconds to at most five minutes, until the patience ends', () => {
    const pauses = pausesOf('run_a')
    for (const [index, pause] of pauses.slice(0, -1).entries()) {
      const most = Math.min(300_000, 2_000 * 2 ** index)
      expect(pause).toBeGreaterThanOrEqual(most / 2)
      expect(pause).toBeLessThanOrEqual(most)
    }
    expect(pauses.reduce((sum, one) => sum + one, 0)).toBe(HOUR * 1_000)
    expect(pauses.length).toBeLessThan(40)
  })

  it('pauses differ between runs and are deterministic for each', () => {
    const first = Array.from({ length: 100 }, (_, index) => pausesOf(`run_${index}`)[0])
    expect(new Set(first).size).toBeGreaterThan(80)
    expect(pausesOf('run_7')[0]).toBe(first[7])
  })

  it('Retry-After is a minimum, with jitter between runs', () => {
    const untils = Array.from({ length: 50 }, (_, index) =>
      askAgainAt(failed(1, { run: `run_${index}`, retryAfterMs: 60_000 }), SINCE),
    ).map((until) => until! - SINCE)
    expect(Math.min(...untils)).toBeGreaterThanOrEqual(60_000)
    expect(Math.max(...untils)).toBeLessThanOrEqual(75_000)
    expect(new Set(untils).size).toBeGreaterThan(40)
  })

  it('a Retry-After of zero still waits at least a second', () => {
    expect(askAgainAt(failed(1, { retryAfterMs: 0 }), SINCE)! - SINCE).toBeGreaterThanOrEqual(1_000)
  })

  it('a Retry-After beyond the patience gives up at once', () => {
    expect(askAgainAt(failed(1, { retryAfterMs: 3_600_001 }), SINCE)).toBeUndefined()
    expect(askAgainAt(failed(1, { retryAfterMs: 3_600_000 }), SINCE)).toBe(SINCE + 3_600_000)
  })

  it('one last attempt is made at the end of the patience, and none after it', () => {
    const end = SINCE + 3_600_000
    expect(givesUpAt(failed(9))).toBe(end)
    expect(askAgainAt(failed(9), end - 500)).toBe(end)
    expect(askAgainAt(failed(10), end)).toBeUndefined()
    expect(askAgainAt(failed(10), end + 7_200_000)).toBeUndefined()
  })

  it('millions of attempts do not overflow the pause', () => {
    const until = askAgainAt(failed(5_000_000), SINCE)!
    expect(until - SINCE).toBeLessThanOrEqual(300_000)
  })
})

describe('retries with a patience of 0', () => {
  it('make three attempts, the later ones after one and ten seconds', () => {
    expect(pausesOf('run_a', 0)).toEqual([1_000, 10_000])
    expect(givesUpAt(failed(1, { patience_seconds: 0 }))).toBeUndefined()
  })

  it('use Retry-After as a minimum, up to ten minutes', () => {
    expect(pausesOf('run_a', 0, 40_000)).toEqual([40_000, 40_000])
    expect(pausesOf('run_a', 0, 0)).toEqual([1_000, 10_000])
    expect(pausesOf('run_a', 0, 7_200_000)).toEqual([600_000, 600_000])
  })
})
