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
  /** Indexes of the marked tasks, separated by dots, in the order in which they were marked. */
  readonly marked?: string
  /** View that replaces the list of tasks. */
  readonly view?: 'compare'
}

/** Maximum number of tasks that are compared side by side. */
export const MAX_MARKS = 4

/** Reads the search parameters of the page; parameters that it does not know are dropped. */
export function fanoutSearch({ status, sel, marked, view }: Record<string, unknown>): FanoutSearch {
  const taskStatus = TASK_STATUSES.find((name) => name === status)
  const isIndex = typeof sel === 'number' && Number.isInteger(sel) && sel >= 0
  const marks = marksIn(String(marked ?? ''))
  return {
    ...(taskStatus ? { status: taskStatus } : {}),
    ...(isIndex ? { sel } : {}),
    ...(marks.length > 0 ? { marked: textOfMarks(marks) } : {}),
    ...(view === 'compare' ? { view } : {}),
  }
}

/** Reads the indexes of marked tasks; anything else and indexes above the maximum are dropped. */
export function marksIn(text: string | undefined): readonly number[] {
  const parts = (text ?? '').split('.').filter((part) => /^\d{1,6}$/.test(part))
  return [...new Set(parts.map(Number))].slice(0, MAX_MARKS)
}

/** Joins indexes as `1.4.`; the final dot keeps the router from reading a number. */
const textOfMarks = (marks: readonly number[]): string => marks.map((index) => `${index}.`).join('')

/** Marks a task, or removes its mark. A mark above the maximum changes nothing. */
export function withTaskMark(text: string | undefined, index: number): string | undefined {
  const marks = marksIn(text)
  const next = marks.includes(index) ? marks.filter((mark) => mark !== index) : [...marks, index]
  return next.length === 0 ? undefined : textOfMarks(next.slice(0, MAX_MARKS))
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

/** Returns the number of squares in a row and the height of all rows, in CSS pixels. */
export function pitchedSize(
  count: number,
  width: number,
  pitch: number,
): { readonly columns: number; readonly height: number } {
  const columns = Math.max(0, Math.min(count, Math.floor(width / pitch)))
  return { columns, height: columns === 0 ? 0 : Math.ceil(count / columns) * pitch }
}

/** Returns the position of the square at a point of the canvas; -1 beside all squares. */
export function dotAt(
  x: number,
  y: number,
  { columns, pitch }: { readonly columns: number; readonly pitch: number },
): number {
  const column = Math.floor(x / pitch)
  const isInside = x >= 0 && y >= 0 && column < columns
  return isInside ? Math.floor(y / pitch) * columns + column : -1
}
