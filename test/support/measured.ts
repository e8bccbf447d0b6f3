/**
 * Bounds that depend on the machine. They are asserted with `MEASURE=1` alone, on a machine that
 * does nothing else. Otherwise the same input runs without a stopwatch, and the test asserts what
 * can be counted. Bounds in milliseconds are those of a nominal machine and are multiplied by the
 * reference of this one (`reference.ts`). No other test of the gate reads a clock or the memory of the process
 * (`test/determinism.test.ts`).
 */

import { expect } from 'vitest'
import { cpuMs, cpuStopwatch } from './cpu.ts'
import { isMeasuring } from './full.ts'
import { assertSteady, reference, referenceAgain, type Speed } from './reference.ts'

export interface Bound {
  /** Wall time in milliseconds. */
  readonly wallMs?: number
  /** Processor time of this thread in milliseconds: the best of up to ten runs when `act` is synchronous. */
  readonly cpuMs?: number
  /** Growth of the resident memory of this process in megabytes. */
  readonly megabytes?: number
}

/** The time for which one hostile input may hold the thread. */
export const INPUT_BOUND = { cpuMs: 50 } as const

/** The number of runs of which the shortest counts. */
export const MEASURED_RUNS = 10
/** A run that is this many times above its bound is not repeated: ten endless runs would not end. */
const HOPELESS = 20

/** The reference blocks the thread, so it is taken before the first test, which may have deadlines. */
if (isMeasuring) reference()

/** Runs `act` and returns its result; with `MEASURE=1` fails when `what` exceeds a bound. */
export function measured<T>(what: string, act: () => Promise<T>, bound: Bound): Promise<T>
export function measured<T>(what: string, act: () => T, bound: Bound): T
export function measured<T>(what: string, act: () => T | Promise<T>, bound: Bound): T | Promise<T> {
  if (!isMeasuring) return act()
  const first = begin()
  const result = act()
  if (result instanceof Promise) {
    return result.then((value) => {
      assertWithin(what, first(), bound)
      return value
    })
  }
  let best = first()
  const limit = (bound.cpuMs ?? Number.POSITIVE_INFINITY) * Math.max(1, reference())
  for (
    let runs = 1;
    runs < MEASURED_RUNS && best.cpuMs >= limit && best.cpuMs <= HOPELESS * limit;
    runs += 1
  ) {
    const again = begin()
    act()
    const next = again()
    if (next.cpuMs < best.cpuMs) best = next
  }
  assertWithin(what, best, bound)
  return result
}

/** Runs `act` and returns its result; with `MEASURE=1` fails when it takes `cpuMs` longer than `base`. */
export function measuredBeyond<T>(
  what: string,
  base: () => unknown,
  act: () => T,
  { cpuMs }: Required<Pick<Bound, 'cpuMs'>>,
): T {
  if (isMeasuring) {
    const more = { cpuMs: bestCpuMs(act) - bestCpuMs(base) }
    assertWithin(`what is more: ${what}`, more, { cpuMs })
  }
  return act()
}

function bestCpuMs(act: () => unknown): number {
  return Math.min(...Array.from({ length: MEASURED_RUNS }, () => cpuMs(act)))
}

/** Starts the clocks; the returned function reads them. */
function begin(): () => Required<Bound> {
  const wall = performance.now()
  const cpu = cpuStopwatch()
  const memory = process.memoryUsage().rss
  return () => ({
    wallMs: performance.now() - wall,
    cpuMs: cpu.ms(),
    megabytes: (process.memoryUsage().rss - memory) / 1_048_576,
  })
}

/** The factor of each unit: a slower machine has more time, and a faster one not less. */
const SCALES: Readonly<Record<keyof Bound, (factor: number) => number>> = {
  cpuMs: (factor) => Math.max(1, factor),
  wallMs: (factor) => Math.max(1, factor),
  megabytes: () => 1,
}

/**
 * Prints each measurement with its bound and fails if it exceeds the bound. A measurement above the
 * bound of the nominal machine counts only between two references that agree.
 */
export function assertWithin(what: string, measure: Bound, bound: Bound): void {
  for (const [unit, nominal] of Object.entries(bound) as [keyof Bound, number][]) {
    const took = measure[unit] ?? 0
    const limitAt = ({ factor }: Speed): number => nominal * SCALES[unit](factor)
    let speed: Speed = { factor: reference(), spread: 1 }
    if (took >= nominal) {
      speed = referenceAgain()
      assertSteady(speed)
    }
    const place = `${unit} of ${what.slice(0, 120)}`
    const by = `reference ${speed.factor.toFixed(2)}, spread ${speed.spread.toFixed(2)}`
    console.log(`${place}: ${took.toFixed(1)} of ${limitAt(speed).toFixed(1)} (${by})`)
    expect(took, `${place} (${by})`).toBeLessThan(limitAt(speed))
  }
}
