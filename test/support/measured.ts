/**
 * Bounds that depend on the machine. They are asserted with `MEASURE=1` alone, on a machine that
 * does nothing else. Otherwise the same input runs without a stopwatch, and the test asserts what
 * can be counted. No other test of the gate reads a clock or the memory of the process
 * (`test/tidy.test.ts`).
 */

import { readFileSync } from 'node:fs'
import { expect } from 'vitest'
import { isMeasuring } from './full.ts'

export interface Bound {
  /** Wall time in milliseconds. */
  readonly wallMs?: number
  /** Processor time of this thread in milliseconds: the best of up to ten runs when `act` is synchronous. */
  readonly cpuMs?: number
  /** Growth of the resident memory of this process in megabytes. */
  readonly megabytes?: number
  /** Another process (Linux): its processor time during `act`, and its largest memory so far. */
  readonly pid?: number
}
type Measure = Required<Omit<Bound, 'pid'>>

const LOOKS = 10
/** A look that is this many times above its bound is not repeated: ten endless looks would not end. */
const HOPELESS = 20

/** Runs `act` and returns its result; with `MEASURE=1` fails when `what` exceeds a bound. */
export function measured<T>(what: string, act: () => Promise<T>, bound: Bound): Promise<T>
export function measured<T>(what: string, act: () => T, bound: Bound): T
export function measured<T>(what: string, act: () => T | Promise<T>, bound: Bound): T | Promise<T> {
  if (!isMeasuring) return act()
  const first = begin(bound.pid)
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
    let looks = 1;
    looks < LOOKS && best.cpuMs >= limit && best.cpuMs <= HOPELESS * limit;
    looks += 1
  ) {
    const again = begin(bound.pid)
    act()
    const next = again()
    if (next.cpuMs < best.cpuMs) best = next
  }
  assertWithin(what, best, bound)
  return result
}

/** Starts the clocks; the returned function reads them. */
function begin(pid: number | undefined): () => Measure {
  const wall = performance.now()
  const wallMs = () => performance.now() - wall
  if (pid !== undefined) {
    const cpu = cpuMsOf(pid)
    return () => ({ wallMs: wallMs(), cpuMs: cpuMsOf(pid) - cpu, megabytes: peakMegabytesOf(pid) })
  }
  const cpu = process.threadCpuUsage()
  const memory = process.memoryUsage().rss
  return () => {
    const { user, system } = process.threadCpuUsage(cpu)
    return {
      wallMs: wallMs(),
      cpuMs: (user + system) / 1_000,
      megabytes: (process.memoryUsage().rss - memory) / 1_048_576,
    }
  }
}

/** The kernel counts processor time in hundredths of a second. */
function cpuMsOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ')
  return (Number(fields[11]) + Number(fields[12])) * 10
}

const peakMegabytesOf = (pid: number): number =>
  Number(/^VmHWM:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1_024

function assertWithin(what: string, measure: Measure, { pid: _, ...bounds }: Bound): void {
  for (const [unit, limit] of Object.entries(bounds) as [keyof Measure, number][]) {
    expect(measure[unit], `${unit} of ${what.slice(0, 120)}`).toBeLessThan(limit)
  }
}
