/**
 * Times at which the rows of an object are due or expire. All of them are kept in memory: many
 * partitions are stored in one object, and each commit needs the earliest time.
 */

import type { HeadWrite, Write } from '../../../ports/world.ts'
import { HEAD } from '../../../ports/world.ts'

/** Alarm and expiry times in milliseconds since 1970; undefined if not set. */
export interface Times {
  readonly alarm: number | undefined
  readonly expiry: number | undefined
}

/** Name of a row, and its alarm and expiry after a change. */
export type Timed = Times & { readonly name: string }
const timed = (p: string, k: string, alarm?: number, expiry?: number): Timed => ({
  ...{ name: `${p} ${k}`, alarm, expiry },
})

export const timedRows = (p: string, writes: readonly Write[], head?: HeadWrite): Timed[] => [
  ...writes.map((write) =>
    write.op === 'delete'
      ? timed(p, write.key)
      : timed(p, write.key, write.alarm?.at, write.expiresAt),
  ),
  ...(head ? [timed(p, HEAD, head.alarm?.at, head.expiresAt)] : []),
]

/** Returns the alarm and expiry times of the rows, by row name. */
export function timesIn(rows: readonly Readonly<Record<string, unknown>>[]): Map<string, Times> {
  const all = rows.map(({ p, k, alarm_at, expires_at }) =>
    timed(p as string, k as string, timeOf(alarm_at), timeOf(expires_at)),
  )
  return new Map(all.map((row) => [row.name, row]))
}

export function firstOf(all: Iterable<Times>): Times {
  let [alarm, expiry]: (number | undefined)[] = []
  for (const times of all) {
    if (times.alarm !== undefined && !(times.alarm >= alarm!)) alarm = times.alarm
    if (times.expiry !== undefined && !(times.expiry >= expiry!)) expiry = times.expiry
  }
  return { alarm, expiry }
}
const timeOf = (value: unknown): number | undefined =>
  typeof value === 'number' ? value : undefined
