/** What the store's contract needs to write a partition and to look at what became of it. */

import { vi } from 'vitest'
import type { Alarm, DueEntry, Store, Write } from '../../../src/ports/world.ts'

export type MakeStore = () => Store | Promise<Store>

const run = Date.now().toString(36)
let count = 0

/** A name that no other test has. */
export const fresh = (): string => `t-${run}-${process.pid}-${(count += 1)}`

export const put = (key: string, body = key, more: object = {}): Write => ({
  op: 'put',
  key,
  body,
  expect: 'absent',
  ...more,
})

export const keys = (rows: readonly { key: string }[]): string[] => rows.map(({ key }) => key)

export const alarmAt = (time: number, more: Partial<Alarm> = {}): Alarm => ({
  at: time,
  lane: 'main',
  started: false,
  ...more,
})

/** Every entry of these partitions, all pages read, each once. */
export async function dueOf(
  store: Store,
  only: readonly string[],
  now: number,
): Promise<DueEntry[]> {
  const wanted = new Set(only)
  const found: DueEntry[] = []
  let cursor: string | undefined
  do {
    const page = await store.due(now, cursor)
    found.push(...page.entries.filter(({ partition }) => wanted.has(partition)))
    cursor = page.cursor
  } while (cursor !== undefined)
  return found
}

/** What may lag is waited for. */
export const eventually = (check: () => Promise<void>, interval = 20): Promise<void> =>
  vi.waitFor(check, { timeout: 45_000, interval })
