/**
 * Open fan-outs, whose tasks arrive in pages. Each page becomes a separate child fan-out, so that
 * no log, row, or worker contains more than one page. Pages are numbered: repeated pages are
 * recognized, and sealing states the number of pages.
 */

import { LIMITS } from '../limits.ts'
import type { FanoutExtended, FanoutSealed } from './facts.ts'
import type { FanoutState, Task } from './state.ts'

/**
 * Number of pages that are live at the same time, so that a page waiting for its last task does not
 * block others.
 */
export const LIVE_PAGES = 4

export const pageOf = (state: FanoutState, number: number): Task | undefined =>
  state.tasks.find(({ page }) => page?.page === number)

/** Returns the number of tasks received so far by an open fan-out. */
export const tasksIn = (state: FanoutState): number =>
  state.tasks.reduce((sum, { page }) => sum + (page?.count ?? 0), 0)

/** Returns the page numbers below `pages` whose pages have not arrived. */
export function missingPages(state: FanoutState, pages: number): number[] {
  const arrived = new Set(state.tasks.map(({ page }) => page?.page))
  return Array.from({ length: pages }, (_, page) => page).filter((page) => !arrived.has(page))
}

/** Whether the fan-out still accepts pages. */
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
