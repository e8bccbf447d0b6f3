/**
 * Open fan-outs: tasks arrive in pages, each of which becomes a fan-out of its own below this one,
 * so that no log, no row and no worker ever holds more than a page. Pages are numbered: a repeated
 * one is recognised, and the seal gives their count.
 */

import { LIMITS } from '../limits.ts'
import type { FanoutExtended, FanoutSealed } from './facts.ts'
import type { FanoutState, Task } from './state.ts'

/** Pages that live at once: one that waits for its last task stops no other. */
export const LIVE_PAGES = 4

export const pageOf = (state: FanoutState, number: number): Task | undefined =>
  state.tasks.find(({ page }) => page?.page === number)

/** How many tasks have come. */
export const tasksIn = (state: FanoutState): number =>
  state.tasks.reduce((sum, { page }) => sum + (page?.count ?? 0), 0)

/** Pages below `pages` that have not arrived. */
export function missingPages(state: FanoutState, pages: number): number[] {
  const arrived = new Set(state.tasks.map(({ page }) => page?.page))
  return Array.from({ length: pages }, (_, page) => page).filter((page) => !arrived.has(page))
}

/** Whether pages are taken at all. */
export const takesPages = (state: FanoutState): boolean =>
  state.spec?.open === true &&
  !state.sealed &&
  state.released === null &&
  state.cancel === null &&
  state.ended_at === null

export const mayExtend = (state: FanoutState, { page, count }: FanoutExtended): boolean =>
  takesPages(state) &&
  pageOf(state, page) === undefined &&
  page < LIMITS.fanout_pages &&
  tasksIn(state) + count <= LIMITS.tasks_per_fanout

export const maySeal = (state: FanoutState, { pages, tasks }: FanoutSealed): boolean =>
  takesPages(state) &&
  state.tasks.length === pages &&
  missingPages(state, pages).length === 0 &&
  tasksIn(state) === tasks
