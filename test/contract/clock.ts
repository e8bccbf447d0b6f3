/**
 * What every clock promises, as tests; the words are those of `Clock` in src/ports/world.ts. A host
 * says how time passes on it, and how somebody sets its wall clock.
 */

import { describe, expect, it } from 'vitest'
import type { Clock } from '../../src/ports/world.ts'

interface ClockUnderTest {
  readonly clock: Clock
  /** Lets this much time pass: really, or on the clock of the host. */
  pass(ms: number): Promise<void>
  /** Moves the wall clock of the host, also back. */
  shift(ms: number): void
}
export type MakeClock = () => ClockUnderTest

const DAY_MS = 86_400_000
/** Timers and the clock that measures them may round in different directions. */
const ROUNDED_MS = 1

export function clockContract(name: string, make: MakeClock): void {
  describe(`clock: ${name}`, () => {
    describe('time', () => timePromises(make))
    describe('sleep', () => sleepPromises(make))
    describe('random bytes', () => chancePromises(make))
  })
}

function timePromises(make: MakeClock): void {
  it('now() returns whole milliseconds since 1970', async () => {
    const { clock, pass } = make()
    for (let i = 0; i < 20; i += 1) {
      expect(Number.isSafeInteger(clock.now())).toBe(true)
      await pass(1)
    }
    // Seconds, or time since the start of the process, would lie far below.
    expect(clock.now()).toBeGreaterThan(Date.UTC(2020, 0))
    expect(clock.now()).toBeLessThan(Date.UTC(2100, 0))
  })

  it('both clocks advance while time passes', async () => {
    const { clock, pass } = make()
    const [now, monotonic] = [clock.now(), clock.monotonic()]
    await pass(20)
    // The two may be read from different sources, so neither is held to the other.
    expect(clock.now() - now).toBeGreaterThan(10)
    expect(clock.monotonic() - monotonic).toBeGreaterThanOrEqual(20 - ROUNDED_MS)
  })

  it('monotonic() never steps back, even when the wall clock does', async () => {
    const { clock, pass, shift } = make()
    const before = clock.now()
    let last = clock.monotonic()
    for (const ms of [-DAY_MS, 2 * DAY_MS, -DAY_MS]) {
      const began = clock.monotonic()
      shift(ms)
      for (let i = 0; i < 500; i += 1) {
        const next = clock.monotonic()
        expect(next).toBeGreaterThanOrEqual(last)
        last = next
      }
      // Neither does it leap with it.
      expect(last - began).toBeLessThan(DAY_MS / 2)
      await pass(1)
    }
    shift(-DAY_MS)
    expect(clock.now()).toBeLessThan(before)
  })
}

function sleepPromises(make: MakeClock): void {
  it('resolves after its time, never earlier, and the shorter one first', async () => {
    const { clock, pass } = make()
    const began = clock.monotonic()
    const ended: [number, number][] = []
    const sleep = async (ms: number): Promise<void> => {
      expect(await clock.sleep(ms)).toBeUndefined()
      ended.push([ms, clock.monotonic() - began])
    }
    const all = Promise.all([sleep(60), sleep(20), sleep(40)])
    for (let i = 0; i < 4; i += 1) await pass(20)
    await all
    expect(ended.map(([ms]) => ms)).toEqual([20, 40, 60])
    for (const [ms, after] of ended) expect(after).toBeGreaterThanOrEqual(ms - ROUNDED_MS)
  })

  it('resolves at once for a zero or negative time', async () => {
    const { clock, pass } = make()
    const sleeps = Promise.all([clock.sleep(0), clock.sleep(-5)])
    await pass(1)
    expect(await sleeps).toEqual([undefined, undefined])
  })

  it.each([
    ['a minute', 60_000],
    ['a month', 30 * DAY_MS],
    ['as long as a number can say', Number.MAX_SAFE_INTEGER],
  ])('%s does not resolve early, and ends when the signal aborts', async (_, ms) => {
    const { clock, pass } = make()
    const stop = new AbortController()
    let over = false
    const sleep = clock.sleep(ms, stop.signal).then(() => {
      over = true
    })
    await pass(20)
    expect(over).toBe(false)
    stop.abort(new Error('never the reason of a rejection'))
    await sleep
  })

  it('never rejects, whether the signal aborted before or aborts afterwards', async () => {
    const { clock, pass } = make()
    expect(await clock.sleep(60_000, AbortSignal.abort(new Error('before')))).toBeUndefined()
    const stop = new AbortController()
    const sleep = clock.sleep(5, stop.signal)
    await pass(10)
    expect(await sleep).toBeUndefined()
    stop.abort(new Error('afterwards'))
  })

  it('the end of one sleep does not end another', async () => {
    const { clock, pass } = make()
    const [one, other] = [new AbortController(), new AbortController()]
    const ended: string[] = []
    const first = clock.sleep(60_000, one.signal).then(() => ended.push('one'))
    const second = clock.sleep(60_000, other.signal).then(() => ended.push('other'))
    one.abort()
    await first
    await pass(5)
    expect(ended).toEqual(['one'])
    other.abort()
    await second
  })
}

function chancePromises(make: MakeClock): void {
  it('come in the requested number, in a new array', () => {
    const { clock } = make()
    for (const count of [0, 1, 17, 4_095, 4_096, 4_097, 20_000]) {
      const bytes = clock.random(count)
      expect(bytes).toBeInstanceOf(Uint8Array)
      expect(bytes.byteLength).toBe(count)
    }
    const [first, second] = [clock.random(16), clock.random(16)]
    const kept = second.slice()
    first.fill(0)
    clock.random(16).fill(1)
    expect(second).toEqual(kept)
  })

  it('never repeat, and contain every byte value equally often', () => {
    const { clock } = make()
    const drawn = Array.from({ length: 4_000 }, () => clock.random(16))
    expect(new Set(drawn.map((bytes) => Buffer.from(bytes).toString('hex'))).size).toBe(4_000)
    const counts = new Array<number>(256).fill(0)
    for (const bytes of drawn) for (const byte of bytes) counts[byte]! += 1
    // 250 are expected; a fair source is this far off less than once in 10^12 runs.
    expect(Math.min(...counts)).toBeGreaterThan(125)
    expect(Math.max(...counts)).toBeLessThan(400)
  })
}
