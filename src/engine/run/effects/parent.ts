/**
 * The receiver of a child's end: its parent's lane, which never changes, and the estimated
 * number of its facts. Read when the child starts, beside its model call, and remembered until it
 * ends.
 */

import { boundedCache } from '../../../lib/lru-cache.ts'
import type { Lane, World } from '../../../ports/world.ts'
import { readHeadCached } from '../../partition/log.ts'
import { processMemory } from '../../partition/process.ts'

export interface KnownParent {
  readonly lane: Lane
  readonly facts: number
}

const parentsOf = processMemory('parents', () => boundedCache<KnownParent>(10_000))

/** The parent as this process read it before. A parent that was deleted since has no child left. */
export const knownParent = ({ store }: World, partition: string): KnownParent | undefined =>
  parentsOf(store).get(partition)

/** Undefined when it is gone. */
export async function readParent(
  world: World,
  partition: string,
): Promise<KnownParent | undefined> {
  const head = await readHeadCached(world, partition)
  if (!head) return undefined
  const parentHead = { lane: head.turn.lane, facts: head.seq }
  parentsOf(world.store).set(partition, parentHead)
  return parentHead
}
