/** Selection in the list of approvals: which row the address names, and which follows a decision. */

/** State of the page that its address contains. */
export interface ApprovalSearch {
  readonly tab?: 'decided'
  /** ID of the selected approval, or of the run whose question is selected. */
  readonly sel?: string
}

export type Tab = 'pending' | 'decided'

/** Reads the search parameters of the page; parameters that it does not know are dropped. */
export function approvalSearch({ tab, sel }: Record<string, unknown>): ApprovalSearch {
  const isId = typeof sel === 'string' && /^(?:apr|run)_\w+$/.test(sel)
  return { ...(tab === 'decided' ? { tab } : {}), ...(isId ? { sel } : {}) }
}

/**
 * Returns the ID `step` rows after the current one. If the current row has left the list, its last
 * index counts: the next row has moved to that index.
 */
export function neighborOf(
  ids: readonly string[],
  current: string | undefined,
  lastIndex: number,
  step: 1 | -1,
): string | undefined {
  const at = current === undefined ? -1 : ids.indexOf(current)
  const next = at < 0 ? lastIndex + Math.min(0, step) : at + step
  return ids[Math.max(0, Math.min(ids.length - 1, next))]
}

/** Returns the ID that is selected after a decision: the next row, or else the previous one. */
export function nextAfter(ids: readonly string[], decided: string): string | undefined {
  const at = ids.indexOf(decided)
  return at < 0 ? ids[0] : (ids[at + 1] ?? ids[at - 1])
}

interface PathNode {
  readonly agent: string
  readonly label: string | null
}

/** Returns the agents from the root run to the requesting run, such as `triage › mail`. */
export const pathOf = (path: readonly PathNode[]): string =>
  path.map(({ agent, label }) => label ?? agent).join(' › ')
