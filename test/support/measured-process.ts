/** Bounds on another process, such as a server that a test has started; see `measured.ts`. Linux only. */

import { readFileSync } from 'node:fs'
import { isMeasuring } from './full.ts'
import { assertWithin } from './measured.ts'

export interface ProcessBound {
  /** Processor time of the process in milliseconds, while `act` runs. */
  readonly cpuMs?: number
  /** The largest resident memory that the process has had so far, in megabytes. */
  readonly megabytes?: number
}

/** Runs `act` and returns its result; with `MEASURE=1` fails when the process exceeds a bound. */
export async function measuredProcess<T>(
  what: string,
  pid: number,
  act: () => Promise<T>,
  bound: ProcessBound,
): Promise<T> {
  if (!isMeasuring) return act()
  const before = cpuMsOf(pid)
  const result = await act()
  const measure = { cpuMs: cpuMsOf(pid) - before, megabytes: peakMegabytesOf(pid) }
  assertWithin(what, measure, bound)
  return result
}

/** The kernel counts processor time in hundredths of a second. */
function cpuMsOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ')
  return (Number(fields[11]) + Number(fields[12])) * 10
}

const peakMegabytesOf = (pid: number): number =>
  Number(/^VmHWM:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1_024
