/** State of the page of schedules in its URL. */

export interface ScheduleSearch {
  /** Kind of the listed schedules; absent for those that a request or a file defines. */
  readonly kind?: 'wakeup'
  /** ID or name of the selected schedule. */
  readonly sel?: string
}

/** Reads the search parameters of the page; parameters that it does not know are dropped. */
export function scheduleSearch({ kind, sel }: Record<string, unknown>): ScheduleSearch {
  const isName = typeof sel === 'string' && /^[\w.-]{1,64}$/.test(sel)
  return { ...(kind === 'wakeup' ? { kind } : {}), ...(isName ? { sel } : {}) }
}
