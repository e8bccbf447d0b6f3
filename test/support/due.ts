/** Alarms that are set, whenever they ring, but for those that seal the audit. */

import type { DueEntry, World } from '../../src/ports/world.ts'

export async function dueOf(
  { store }: Pick<World, 'store'>,
  until = Number.MAX_SAFE_INTEGER,
): Promise<readonly DueEntry[]> {
  const { entries } = await store.due(until)
  return entries.filter(({ partition }) => !partition.includes('/chain/'))
}
