/**
 * Walks the tasks of a fan-out in order, whether the fan-out was created in one request or by page.
 * A task's index is its position in the page's list, plus a thousand times its page number.
 */

import { childOf } from '../../core/fanout/child.ts'
import type { TaskPlan } from '../../core/fanout/facts.ts'
import type { FanoutState, PageRef, Task } from '../../core/fanout/state.ts'
import { NOT_CREATED } from '../../core/fanout/state.ts'
import { type TaskView, taskView } from '../../core/fanout/view.ts'
import { NO_LATE_RESULTS } from '../../core/late-results.ts'
import { LIMITS } from '../../core/limits.ts'
import type { BarrierReleased } from '../../core/run/log/facts.ts'
import type { World } from '../../ports/world.ts'
import { fanoutLogType } from '../logs/fanout.ts'
import { homeOfFanout } from '../partition/home.ts'
import { fanoutPartition } from '../partition/keys.ts'
import { readLogCached } from '../partition/log.ts'
import { readTasks } from './tasks.ts'

/** Stride between the first task indices of consecutive pages. */
export const PAGE_TASKS = LIMITS.children_per_run

interface Walked {
  readonly view: TaskView
  readonly task: Task
  readonly plan: TaskPlan
  readonly released: BarrierReleased['reason']
}

/** Reads at most `limit` tasks, starting at index `from`. Keeps only one page in memory. */
export async function tasksFrom(
  world: World,
  tenant: string,
  state: FanoutState,
  from: number,
  limit: number,
): Promise<Walked[]> {
  if (!state.spec!.open) return (await tasksOf(world, tenant, state, 0)).slice(from, from + limit)
  const out: Walked[] = []
  for (const page of pagesFrom(state, from)) {
    const { first } = page
    const all = await tasksOfPage(world, tenant, state, page)
    out.push(
      ...all.slice(Math.max(0, from - first), Math.max(0, from - first) + limit - out.length),
    )
    if (out.length >= limit) break
  }
  return out
}

export const firstTasks = (world: World, tenant: string, state: FanoutState, limit: number) =>
  tasksFrom(world, tenant, state, 0, limit)

/** Page of an open fan-out; `at` is its position in the order of arrival. */
interface WalkedPage extends Pick<PageRef, 'count' | 'tasks'> {
  readonly at: number
  /** Index of the page's first task. */
  readonly first: number
}

/** Returns the pages of an open fan-out that have tasks at or after index `from`, in task order. */
export const pagesFrom = (state: FanoutState, from: number): readonly WalkedPage[] =>
  state.tasks
    .map((task, at) => ({ ...task.page!, first: task.page!.page * PAGE_TASKS, at }))
    .filter(({ first, count }) => first + count > from)
    .sort((a, b) => a.first - b.first)

/** Reads all tasks of one page of an open fan-out. */
export async function tasksOfPage(
  world: World,
  tenant: string,
  state: FanoutState,
  { at, first, ...page }: WalkedPage,
): Promise<Walked[]> {
  const isBegun = state.tasks[at]!.run_id !== null || state.late_results.ends[at] !== undefined
  const begunState = isBegun ? await pageState(world, tenant, state, String(at)) : undefined
  return tasksOf(world, tenant, begunState ?? notBegun(state, page), first)
}

async function pageState(world: World, tenant: string, { spec }: FanoutState, call: string) {
  const partition = fanoutPartition(tenant, childOf(spec!, call))
  return (await readLogCached(world, fanoutLogType, partition))?.state
}

/** Returns the state of a page that is not created yet, or never will be. */
function notBegun(
  { spec, ended_at, released, ...fields }: FanoutState,
  { count, tasks }: { readonly count: number; readonly tasks: string },
): FanoutState {
  const { open: _, ...page } = spec!
  const all = Array<Task>(count).fill(NOT_CREATED)
  const after = NO_LATE_RESULTS
  return {
    ...fields,
    late_results: after,
    spec: { ...page, count, tasks },
    ended_at,
    released,
    tasks: all,
  }
}

async function tasksOf(
  world: World,
  tenant: string,
  state: FanoutState,
  first: number,
): Promise<Walked[]> {
  const plans = await readTasks(world, homeOfFanout(tenant, state.spec), state.spec!)
  const released = state.released?.reason ?? 'joined'
  return state.tasks.map((task, index) => {
    const plan = plans[index]!
    return { task, plan, released, view: taskView(state, plan, index, first) }
  })
}
