/**
 * Lists the children of a run or fan-out from its log. Lists may lag (PROTOCOL.md rule 46), and a
 * missed child would outlive its root.
 */

import { childOf } from '../../core/fanout/child.ts'
import { CLOSING, type FanoutState } from '../../core/fanout/state.ts'
import { childId, isFanoutId } from '../../core/run/decide/child.ts'
import { type RunState, spawnCalls } from '../../core/run/state/state.ts'
import type { World } from '../../ports/world.ts'
import { logPartition, parsePartition } from '../partition/keys.ts'
import { readFanout } from './fanout.ts'
import { readRun } from './run.ts'

/** Returns the partitions of all children that the log names, created or not. */
export async function childrenNamed(world: World, partition: string): Promise<readonly string[]> {
  const { tenant, id } = parsePartition(partition)
  if (isFanoutId(id)) {
    const fanout = await readFanout(world, partition)
    return fanout ? idsOfFanout(fanout.state).map((child) => logPartition(tenant, child)) : []
  }
  const run = await readRun(world, partition)
  return run ? idsOfRun(run.state).map((child) => logPartition(tenant, child)) : []
}

const idsOfRun = (state: RunState): string[] =>
  state.spec === null ? [] : spawnCalls(state).map((call) => childId(state.spec!, call))

function idsOfFanout({ spec, tasks }: FanoutState): string[] {
  if (spec === null) return []
  const calls = [...tasks.keys()].map(String)
  return [...calls, ...(spec.closing ? [CLOSING] : [])].map((call) => childOf(spec, call))
}
