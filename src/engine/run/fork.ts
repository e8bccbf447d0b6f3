/**
 * Messages with which a forked subagent starts: its parent's messages, up to the answer that
 * spawned it. All children of that answer share one copy, stored by digest (PROTOCOL.md rule 20).
 */

import type { Message } from '../../core/message.ts'
import type { RunSpec } from '../../core/run/log/facts.ts'
import { messagesBefore } from '../../core/run/prompt/transcript.ts'
import type { Call, RunState } from '../../core/run/state/state.ts'
import { canonical } from '../../lib/digest.ts'
import type { World } from '../../ports/world.ts'
import { homeOfRun } from '../partition/home.ts'
import { getBlob, putBlob } from '../tenant/blobs.ts'

/** Returns the digest of the messages with which the child of a call starts. */
export async function forkAt(
  world: World,
  tenant: string,
  state: RunState,
  call: Pick<Call, 'step'>,
): Promise<string> {
  // A compaction summary also replaces the messages from before this run.
  const inherited = state.compacted ? [] : await forkOf(world, tenant, state.spec!)
  return putBlob(
    world,
    homeOfRun(tenant, state.spec),
    canonical([...inherited, ...messagesBefore(state, call.step)]),
  )
}

/**
 * Returns the messages that a forked run starts with; empty for most runs. Message bodies may be
 * references.
 */
export async function forkOf(
  world: World,
  tenant: string,
  spec: Pick<RunSpec, 'fork' | 'home' | 'root_run_id'>,
): Promise<readonly Message[]> {
  if (spec.fork === undefined) return []
  const text = await getBlob(world, homeOfRun(tenant, spec), spec.fork)
  return text === undefined ? [] : (JSON.parse(text) as Message[])
}
