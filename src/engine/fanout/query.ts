/** Reads a fan-out with all results, and cancels it on request. */

import { childOf } from '../../core/fanout/child.ts'
import { pageOf } from '../../core/fanout/open.ts'
import type { FanoutState } from '../../core/fanout/state.ts'
import { addCounts, pageCounts } from '../../core/fanout/state.ts'
import { type FanoutView, fanoutView, type TaskView } from '../../core/fanout/view.ts'
import { addUsage } from '../../core/message.ts'
import type { TaskWarning } from '../../core/run/log/fact-parts.ts'
import { taskWarnings } from '../../core/run/state/warning.ts'
import type { World } from '../../ports/world.ts'
import { fanoutLogType, readFanout } from '../logs/fanout.ts'
import { commandLog } from '../partition/append.ts'
import { homeOfFanout } from '../partition/home.ts'
import { fanoutPartition, parsePartition } from '../partition/keys.ts'
import { headOf } from '../partition/stored.ts'
import { auditCancel, POLL_MS, statusOf, WAIT_MS } from '../run/cancel.ts'
import { load } from '../tenant/blobs.ts'
import type { Fanout } from './accept.ts'
import { readTasks } from './tasks.ts'
import { PAGE_TASKS, tasksFrom } from './walk.ts'

/** Returns the fan-out with the closing run's complete answer. */
export async function readFanoutView(
  world: World,
  tenant: string,
  { state }: Fanout,
): Promise<FanoutView> {
  const text =
    state.output && (await load(world, homeOfFanout(tenant, state.spec), state.output.text))
  const view = text === null ? fanoutView(state) : fanoutView(state, () => text)
  return state.spec!.open ? withPages(world, tenant, state, view) : view
}

/** Adds counts and usage of pages that have running tasks, possibly after their end. */
async function withPages(
  world: World,
  tenant: string,
  state: FanoutState,
  view: FanoutView,
): Promise<FanoutView> {
  const counts = state.tasks.map((_, index) => pageCounts(state, index))
  const usages = [view.usage]
  for (const [index, page] of await livePages(world, tenant, state)) {
    counts[index] = page.children
    if (state.tasks[index]!.announce === null) usages.push(page.usage)
  }
  return { ...view, children: addCounts(counts), usage: usages.reduce(addUsage) }
}

/** Returns the current views of pages that have running tasks, by position in the fan-out. */
export async function livePages(
  world: World,
  tenant: string,
  state: FanoutState,
): Promise<ReadonlyMap<number, FanoutView>> {
  const moving = [...state.tasks.keys()].filter((index) => pageCounts(state, index).live > 0)
  const ids = moving.map((index) => childOf(state.spec!, String(index)))
  const heads = await world.store.heads(ids.map((id) => fanoutPartition(tenant, id)))
  return new Map(
    heads.flatMap((row, at) => (row ? [[moving[at]!, headOf<FanoutView>(row.body).view]] : [])),
  )
}

export async function readResults(
  world: World,
  tenant: string,
  { state }: Fanout,
): Promise<readonly TaskView[]> {
  if (state.spec!.open) return []
  const all = await tasksFrom(world, tenant, state, 0, state.tasks.length)
  return all.map(({ view }) => view)
}

/** Returns the warnings that a page's tasks received at acceptance. */
export async function pageWarnings(
  world: World,
  tenant: string,
  { state }: Fanout,
  number: number,
): Promise<readonly TaskWarning[]> {
  const page = pageOf(state, number)?.page
  if (!page) return []
  const first = number * PAGE_TASKS
  return taskWarnings(await readTasks(world, homeOfFanout(tenant, state.spec), page)).map(
    ({ tasks, ...warning }) => ({
      ...warning,
      tasks: tasks.map((index) => first + index),
    }),
  )
}

/** Returns a page of tasks, starting at index `from`, and the start of the next page. */
export async function readTaskPage(
  world: World,
  tenant: string,
  { state }: Fanout,
  from: number,
  limit: number,
): Promise<{ readonly data: readonly TaskView[]; readonly next: number | null }> {
  const entries = await tasksFrom(world, tenant, state, from, limit + 1)
  const data = entries.slice(0, limit).map(({ view }) => view)
  return { data, next: entries[limit]?.view.index ?? null }
}

export interface CancelledFanout {
  readonly fanout: Fanout
  /** Child runs that were live at cancellation, each with its terminal status or `pending`. */
  readonly children: readonly { readonly run_id: string; readonly status: string }[]
}

/**
 * Commits the fan-out's cancellation, then waits briefly for the outcome. Returns undefined if the
 * fan-out does not exist.
 */
export async function cancelFanout(
  world: World,
  partition: string,
  by: string,
  reason: string | null = null,
): Promise<CancelledFanout | undefined> {
  const requested = { type: 'cancel.requested', by: 'api', reason } as const
  let fanout = await commandLog(world, fanoutLogType, partition, [requested])
  if (fanout) await auditCancel(world, partition, fanout.state, { by, reason })
  const { tenant } = parsePartition(partition)
  const end = world.clock.monotonic() + WAIT_MS
  const childIds = new Set<string>()
  for (;;) {
    if (!fanout) return undefined
    // Children that end during the wait remain in the response.
    for (const id of living(fanout)) childIds.add(id)
    const children = await statusOf(world, tenant, [...childIds])
    const over = children.every(({ status }) => status !== 'pending')
    const ended = fanout.state.ended_at !== null
    const isIdle = living(fanout).length === 0
    if ((ended && over && isIdle) || world.clock.monotonic() >= end) return { fanout, children }
    await world.clock.sleep(POLL_MS)
    fanout = await readFanout(world, partition)
  }
}

const living = ({ state }: Fanout): string[] =>
  [...state.tasks, state.closing].flatMap(({ run_id, announce }) =>
    run_id !== null && announce === null ? [run_id] : [],
  )
