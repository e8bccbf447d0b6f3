/**
 * Where a child's end will be sent: its parent's lane, which never changes, and about how many
 * facts it has. Read when the child starts, beside its model call, and remembered until it ends.
 */

import { bounded } from '../../../lib/bounded.ts'
import type { Lane, World } from '../../../ports/world.ts'
import { readHeadCached } from '../../partition/log.ts'
import { processMemory } from '../../partition/process.ts'

export interface KnownParent {
  readonly lane: Lane
  readonly facts: number
}

const parentsOf = processMemory('parents', () => bounded<KnownParent>(10_000))

/** As this process read it before. One that is deleted since has left nobody who could end. */
export const knownParent = ({ store }: World, partition: string): KnownParent | undefined =>
  parentsOf(store).get(partition)

/** Undefined when it is gone. */
export async function readParent(
  world: World,
  partition: string,
): Promise<KnownParent | undefined> {
  const head = await readHeadCached(world, partition)
  if (!head) return undefined
  const known = { lane: head.turn.lane, facts: head.seq }
  parentsOf(world.store).set(partition, known)
  return known
}
