/** Cancels a run on request: commits the cancellation first, then waits briefly for the outcome. */

import { childId } from '../../core/run/decide/child.ts'
import {
  awaitsSpawn,
  type Call,
  isLive,
  isTerminal,
  type RunState,
  spawnCalls,
} from '../../core/run/state/state.ts'
import type { RunView } from '../../core/run/views/view.ts'
import type { World } from '../../ports/world.ts'
import { command, readRun } from '../logs/run.ts'
import { logPartition, parsePartition } from '../partition/keys.ts'
import type { Committed } from '../partition/log.ts'
import { headOf } from '../partition/stored.ts'
import { audit } from '../tenant/audit.ts'
import { performCancel } from './effects/child/cancel.ts'

export interface Cancelled {
  readonly run: Committed
  /** Direct children of the run, each with its terminal status or `pending`. */
  readonly children: readonly { readonly run_id: string; readonly status: string }[]
}

/** Maximum time that a response waits for the end of the run, in milliseconds. */
export const WAIT_MS = 2_000
export const POLL_MS = 25

/** Cancels a run; `by` is the ID of the API key, for the audit log. */
export async function cancelRun(
  world: World,
  partition: string,
  by: string,
  reason: string | null = null,
): Promise<Cancelled | undefined> {
  const requested = { type: 'cancel.requested', by: 'api', reason } as const
  let run = await command(world, partition, [requested])
  if (run) await auditCancel(world, partition, run.state, { by, reason })
  const end = world.clock.monotonic() + WAIT_MS
  while (run && world.clock.monotonic() < end) {
    const children = await childrenNow(world, partition, run)
    const over = children.every(({ status }) => status !== 'pending')
    if (isTerminal(run.state) && over && spawnCalls(run.state).every(isCounted(run.state))) {
      return { run, children }
    }
    await world.clock.sleep(POLL_MS)
    run = await readRun(world, partition)
  }
  return run && { run, children: await childrenNow(world, partition, run) }
}

/** Audits the first cancellation that had an effect. Cancelling an ended run has none. */
export async function auditCancel(
  world: World,
  partition: string,
  state: { readonly cancel: object | null },
  { by, reason }: { readonly by: string; readonly reason: string | null },
): Promise<void> {
  if (state.cancel === null) return
  const { tenant, kind, id } = parsePartition(partition)
  const about = { kind: kind as 'run' | 'fanout', name: id, by, number: 0 }
  await audit(world, tenant, { ...about, action: 'cancel', detail: reason ?? undefined }, 'cancel')
}

/** Returns whether the run has recorded the end of a call's subagent. */
const isCounted =
  ({ late_results: { ends } }: RunState) =>
  (call: Call): boolean =>
    ends[call.id] !== undefined || !(isLive(call) || awaitsSpawn(call))

const ENDED = new Set(['completed', 'failed', 'cancelled', 'timed_out'])

async function childrenNow(world: World, partition: string, run: Committed) {
  const { tenant } = parsePartition(partition)
  const ids = spawnCalls(run.state).flatMap(({ child }) => (child ? [child.run_id] : []))
  return statusOf(world, tenant, ids)
}

/** Returns the terminal status of each run or fan-out by ID, or `pending`. */
export async function statusOf(world: World, tenant: string, ids: readonly string[]) {
  if (ids.length === 0) return []
  const heads = await world.store.heads(ids.map((id) => logPartition(tenant, id)))
  return ids.map((run_id, index) => {
    const row = heads[index]
    const status = row ? headOf<RunView>(row.body).view.status : 'pending'
    return { run_id, status: ENDED.has(status) ? status : 'pending' }
  })
}

/**
 * Cancels every active or future subagent of a run, even if the run has ended. The run itself
 * continues and gets a notice for each subagent. Returns undefined if the run does not exist.
 */
export async function cancelChildren(
  world: World,
  partition: string,
  by: string,
): Promise<Cancelled | undefined> {
  const { tenant, id: name } = parsePartition(partition)
  const run = await readRun(world, partition)
  if (!run) return undefined
  const context = { world, tenant, state: run.state }
  const { late_results: after } = run.state
  // The end of the run cancels all children whose end the run did not record.
  const over = isTerminal(run.state)
  const open = spawnCalls(run.state).filter(({ id, child, result }) =>
    child ? child.announce === null && after.ends[id] === undefined : result === null && !over,
  )
  await Promise.all(open.map((call) => performCancel(context, call.id)))
  const ids = open.map((call) => childId(run.state.spec!, call))
  const about = { kind: 'run', name, action: 'cancel_children', by, number: 0 } as const
  const detail = `${ids.length} subagents`
  if (ids.length > 0) await audit(world, tenant, { ...about, detail })
  const end = world.clock.monotonic() + WAIT_MS
  for (;;) {
    const children = await statusOf(world, tenant, ids)
    const done = children.every(({ status }) => status !== 'pending')
    if (done || world.clock.monotonic() >= end) return { run, children }
    await world.clock.sleep(POLL_MS)
  }
}
