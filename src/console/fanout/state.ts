/** State of a fan-out's page that its address contains, and the arithmetic of its matrix. */

export const TASK_STATUSES = [
  ...(['queued', 'live', 'completed', 'failed', 'timed_out', 'cancelled'] as const),
]
export type TaskStatus = (typeof TASK_STATUSES)[number]

export interface FanoutSearch {
  /** Status of the tasks in the list; absent for all tasks. */
  readonly status?: TaskStatus
  /** Index of the selected task. */
  readonly sel?: number
}

/** Reads the search parameters of the page; parameters that it does not know are dropped. */
export function fanoutSearch({ status, sel }: Record<string, unknown>): FanoutSearch {
  const taskStatus = TASK_STATUSES.find((name) => name === status)
  const isIndex = typeof sel === 'number' && Number.isInteger(sel) && sel >= 0
  return { ...(taskStatus ? { status: taskStatus } : {}), ...(isIndex ? { sel } : {}) }
}

/** Returns the cell to which a key moves; undefined if the key does not move. */
export function cellAfter(
  key: string,
  at: number,
  { count, columns }: { readonly count: number; readonly columns: number },
): number | undefined {
  const steps: Readonly<Record<string, number>> = {
    ...{ ArrowRight: 1, ArrowLeft: -1, ArrowDown: columns, ArrowUp: -columns },
    ...{ Home: -count, End: count },
  }
  const step = steps[key]
  if (step === undefined || count === 0) return undefined
  const next = at + step
  // Up and down keep the column, so they do not leave the first or last row.
  if (Math.abs(step) === columns && columns > 1 && (next < 0 || next >= count)) return at
  return Math.max(0, Math.min(count - 1, next))
}

type Counts = Readonly<Record<TaskStatus | 'total', number>>

/** Returns the parts of the progress bar with their shares, from 0 to 1, in order. */
export function sharesOf(counts: Counts): readonly (readonly [TaskStatus, number])[] {
  const order = ['completed', 'failed', 'timed_out', 'cancelled', 'live'] as const
  return order
    .filter((status) => counts[status] > 0)
    .map((status) => [status, counts[status] / Math.max(1, counts.total)] as const)
}

export const endedOf = ({ total, queued, live }: Counts): number => total - queued - live
