/**
 * Bounds that depend on the machine. They are asserted with `MEASURE=1` alone, on a machine that
 * does nothing else. Otherwise the same input runs without a stopwatch, and the test asserts what
 * can be counted. No other test of the gate reads a clock or the memory of the process
 * (`test/determinism.test.ts`).
 */

import { expect } from 'vitest'
import { cpuMs, cpuStopwatch } from './cpu.ts'
import { isMeasuring } from './full.ts'

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
  const limit = bound.cpuMs ?? Number.POSITIVE_INFINITY
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
    const more = bestCpuMs(act) - bestCpuMs(base)
    expect(more, `more milliseconds for ${what}`).toBeLessThan(cpuMs)
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

function assertWithin(what: string, measure: Required<Bound>, bound: Bound): void {
  for (const [unit, limit] of Object.entries(bound) as [keyof Bound, number][]) {
    expect(measure[unit], `${unit} of ${what.slice(0, 120)}`).toBeLessThan(limit)
  }
}
