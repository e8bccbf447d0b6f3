/** Measures the processor time of other processes during a proof. Linux only; 0 elsewhere. */

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'

/** The share of all cores that other processes may use during a measurement. */
const ALLOWED = 0.1
/** The kernel counts processor time in hundredths of a second. */
const TICK_MS = 10

interface Usage {
  /** Processor time in milliseconds, with that of the children that were waited for. */
  readonly ms: number
  readonly pid: string
  readonly parent: string
}
/** By process ID and start time. */
type Used = ReadonlyMap<string, Usage>

/** Starts a measurement. The returned function returns the share of all cores used by others so far. */
export function watchOthers(): () => number {
  const [before, began] = [usedByOthers(), performance.now()]
  return () =>
    usedBetween(before, usedByOthers()) / ((performance.now() - began) * availableParallelism())
}

/** Returns the milliseconds of processor time that were used between two readings. */
export function usedBetween(before: Used, after: Used): number {
  let used = 0
  for (const [id, { ms }] of after) used += ms - (before.get(id)?.ms ?? 0)
  // The time of a parent contains that of a child that has ended, also what it had used before.
  const alive = new Set([...after.values()].map(({ pid }) => pid))
  const parents = new Map([...before.values()].map(({ pid, parent }) => [pid, parent]))
  const isInherited = (parent: string | undefined): boolean =>
    parent !== undefined && (alive.has(parent) || isInherited(parents.get(parent)))
  for (const [id, { ms, parent }] of before) if (!after.has(id) && isInherited(parent)) used -= ms
  return used
}

/** Returns the reason not to measure, or undefined if the machine is quiet enough. */
export const busyWith = (share: number): string | undefined =>
  share <= ALLOWED
    ? undefined
    : `not measured: busy (others used ${Math.round(share * 100)} % of the machine)`

/** Measures for two seconds; returns the reason not to measure, if there is one. */
export async function busyNow(): Promise<string | undefined> {
  const share = watchOthers()
  await sleep(2_000)
  return busyWith(share())
}

/**
 * Returns the processor time of all live processes and of the children that they have waited for.
 * Leaves out this process and the init process, because both may have reaped children of a proof.
 */
function usedByOthers(): Used {
  const used = new Map<string, Usage>()
  if (!existsSync('/proc/self/stat')) return used
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    if (pid === '1' || pid === String(process.pid)) continue
    const fields = statOf(pid)
    if (!fields) continue
    const [own, ofChildren] = [fields.slice(11, 13), fields.slice(13, 15)]
    const ticks = [...own, ...ofChildren].reduce((sum, text) => sum + Number(text), 0)
    used.set(`${pid} ${fields[19]}`, { ms: ticks * TICK_MS, pid, parent: fields[1]! })
  }
  return used
}

/** Returns the fields of /proc/PID/stat after the program name; undefined if the process has ended. */
function statOf(pid: string): readonly string[] | undefined {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)!.split(' ')
  } catch {
    return undefined
  }
}
