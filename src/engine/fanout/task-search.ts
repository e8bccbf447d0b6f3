/**
 * Finds the tasks of a fan-out that have certain statuses. The counts of each page are known
 * without reading its tasks, so pages that have no such task are skipped.
 */

import type { TaskCounts } from '../../core/fanout/facts.ts'
import type { FanoutState } from '../../core/fanout/state.ts'
import { pageCounts, taskStatus } from '../../core/fanout/state.ts'
import type { TaskView } from '../../core/fanout/view.ts'
import type { World } from '../../ports/world.ts'
import type { Fanout } from './accept.ts'
import { livePages } from './query.ts'
import { pagesFrom, tasksFrom, tasksOfPage } from './walk.ts'

type TaskStatus = Exclude<keyof TaskCounts, 'total'>

interface TaskQuery {
  /** Index of the first task to consider. */
  readonly from: number
  readonly limit: number
  readonly statuses: readonly TaskStatus[]
}

interface TaskPage {
  readonly data: readonly TaskView[]
  /** Index where the next page starts; null if no further task has these statuses. */
  readonly next: number | null
}

/** Maximum number of tasks that one request reads. */
const TASKS_READ = 10_000

/** Returns a page of the tasks with these statuses; `most` limits the number of tasks read. */
export function searchTasks(
  world: World,
  tenant: string,
  { state }: Fanout,
  query: TaskQuery,
  most = TASKS_READ,
): Promise<TaskPage> {
  return state.spec!.open
    ? searchPages(world, tenant, state, query, most)
    : searchList(world, tenant, state, query)
}

async function searchList(
  world: World,
  tenant: string,
  state: FanoutState,
  { from, limit, statuses }: TaskQuery,
): Promise<TaskPage> {
  const matches = [...state.tasks.keys()].filter(
    (index) => index >= from && statuses.includes(taskStatus(state, index)),
  )
  if (matches.length === 0) return { data: [], next: null }
  const all = await tasksFrom(world, tenant, state, 0, state.tasks.length)
  const data = matches.slice(0, limit).map((index) => all[index]!.view)
  return { data, next: matches[limit] ?? null }
}

async function searchPages(
  world: World,
  tenant: string,
  state: FanoutState,
  { from, limit, statuses }: TaskQuery,
  most: number,
): Promise<TaskPage> {
  const live = await livePages(world, tenant, state)
  const mayMatch = ({ at }: { readonly at: number }): boolean => {
    const view = live.get(at)
    const counts = view?.children ?? pageCounts(state, at)
    // A page that is being created has no counts of its own yet.
    return (counts.live > 0 && !view) || statuses.some((status) => counts[status] > 0)
  }
  const data: TaskView[] = []
  let tasksRead = 0
  for (const page of pagesFrom(state, from).filter(mayMatch)) {
    if (tasksRead > 0 && tasksRead + page.count > most) return { data, next: page.first }
    tasksRead += page.count
    for (const { view } of await tasksOfPage(world, tenant, state, page)) {
      if (view.index < from || !statuses.includes(view.status as TaskStatus)) continue
      if (data.length === limit) return { data, next: view.index }
      data.push(view)
    }
  }
  return { data, next: null }
}
