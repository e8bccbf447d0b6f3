/**
 * Parent that receives a child's end: its lane, which never changes, and its estimated length. The
 * parent is read when the child starts, in parallel with the child's model call, and cached until
 * the child ends.
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

/** Returns a cached parent. A deleted parent has no children left. */
export const knownParent = ({ store }: World, partition: string): KnownParent | undefined =>
  parentsOf(store).get(partition)

/** Reads a child's parent; returns undefined if the parent was deleted. */
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
