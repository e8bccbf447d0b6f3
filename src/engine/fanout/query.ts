/** Looking at a fan-out with all its results, and cancelling it from outside. */

import { type FanoutView, fanoutView, type TaskView, taskViews } from '../../core/fanout/view.ts'
import type { World } from '../../ports/world.ts'
import { load } from '../blob.ts'
import { commandLog } from '../command.ts'
import type { Head } from '../log.ts'
import { readFanout } from '../log.ts'
import { parsePartition, runPartition } from '../names.ts'
import type { Fanout } from './accept.ts'
import { fanoutKind } from './kind.ts'
import { readTasks } from './tasks.ts'

/** The fan-out with what the closing run said in full. */
export async function readFanoutView(
  world: World,
  tenant: string,
  { state }: Fanout,
): Promise<FanoutView> {
  const text = state.output && (await load(world, tenant, state.output.text))
  return text === null ? fanoutView(state) : fanoutView(state, () => text)
}

export async function readResults(
  world: World,
  tenant: string,
  { state }: Fanout,
): Promise<readonly TaskView[]> {
  return taskViews(state, await readTasks(world, tenant, state.spec!))
}

export interface CancelledFanout {
  readonly fanout: Fanout
  /** Children that lived: their terminal status, or `pending`. */
  readonly children: readonly { readonly run_id: string; readonly status: string }[]
}

const WAIT_MS = 2_000
const LOOK_MS = 25
const ENDED = new Set(['completed', 'failed', 'cancelled', 'timed_out'])

/** Committed first, then a short look at what became of it. Undefined when there is none. */
export async function cancelFanout(
  world: World,
  partition: string,
  reason: string | null = null,
): Promise<CancelledFanout | undefined> {
  const requested = { type: 'cancel.requested', by: 'api', reason } as const
  let fanout = await commandLog(world, fanoutKind, partition, [requested])
  const end = world.clock.monotonic() + WAIT_MS
  const lived = new Set<string>()
  for (;;) {
    if (!fanout) return undefined
    // Who is heard of meanwhile stays in the answer.
    for (const id of living(fanout)) lived.add(id)
    const children = await statusOf(world, partition, [...lived])
    const over = children.every(({ status }) => status !== 'pending')
    const ended = fanout.state.ended_at !== null
    if ((ended && over) || world.clock.monotonic() >= end) return { fanout, children }
    await world.clock.sleep(LOOK_MS)
    fanout = await readFanout(world, partition)
  }
}

const living = ({ state }: Fanout): string[] =>
  [...state.tasks, state.closing].flatMap(({ run_id, announce }) =>
    run_id !== null && announce === null ? [run_id] : [],
  )

async function statusOf(world: World, partition: string, ids: readonly string[]) {
  const { tenant } = parsePartition(partition)
  if (ids.length === 0) return []
  const heads = await world.store.heads(ids.map((run) => runPartition(tenant, run)))
  return ids.map((run_id, index) => {
    const row = heads[index]
    const status = row ? (JSON.parse(row.body) as Head).view.status : 'pending'
    return { run_id, status: ENDED.has(status) ? status : 'pending' }
  })
}
