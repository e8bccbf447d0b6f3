/**
 * Results of children that arrive after their parent run or fan-out has ended. No fact follows the
 * terminal fact (PROTOCOL.md rule 10), so the head records these results. The record contains how
 * each child ended, and the outcome of its late result (PROTOCOL.md rule 21). Counts and usage are
 * computed from the head and the log.
 */

import type { PageEnded, TaskCounts } from './fanout/facts.ts'
import type { Usage } from './message.ts'
import { addUsage, NO_USAGE } from './message.ts'
import type { Budget } from './run/log/fact-parts.ts'
import type {
  Announce,
  SubagentAnnounced,
  SubagentFailed,
  TerminalStatus,
} from './run/log/facts.ts'

export interface LateResults {
  /** Ends of children that arrived late, by spawn call or task. */
  readonly ends: Readonly<Record<string, LateEnd>>
  /** Total usage of the children that ended late. */
  readonly usage: Usage
}
interface LateEnd {
  readonly status: TerminalStatus
  /** Amount that live descendants of the child may still spend. */
  readonly held?: Budget
  /** Number of tasks by state, if the child is a page. */
  readonly children?: TaskCounts
  /** Whether the result was dropped because no conversation could continue with it. */
  readonly dropped?: true
}
export const NO_LATE_RESULTS: LateResults = { ends: {}, usage: NO_USAGE }

/** Late end of a child that must still be sent to endpoints, a webhook, or the session. */
export interface LateResult {
  readonly call: string
  readonly announce: Announce
  /** Arrival time of the late end, in milliseconds since 1970. */
  readonly at: number
}

/**
 * Maximum number of unsent late results per head. Other mail waits until these results are sent.
 */
export const LATE_AT_ONCE = 4

interface Listening {
  late_results: LateResults
  outbox: { readonly late?: readonly LateResult[] }
}

/** Records the late end of a child; `drops` means that the result cannot be delivered. */
export function recordLateResult<S extends Listening>(
  draft: S,
  { call, announce }: SubagentAnnounced | SubagentFailed | PageEnded,
  {
    at,
    mustTell,
    drops,
  }: { readonly at: number; readonly mustTell: boolean; readonly drops: boolean },
): void {
  const { status, usage, held: heldBudget } = announce
  const carried = heldBudget ? { held: heldBudget } : {}
  const end: LateEnd = {
    status,
    ...carried,
    ...('children' in announce ? { children: announce.children } : {}),
    ...(drops && status === 'completed' ? { dropped: true } : {}),
  }
  const { ends, usage: previousUsage } = draft.late_results
  draft.late_results = { ends: { ...ends, [call]: end }, usage: addUsage(previousUsage, usage) }
  // The late end of a page is not sent.
  if (!mustTell || 'children' in announce) return
  const late = [...(draft.outbox.late ?? []), { call, announce, at }]
  draft.outbox = { ...draft.outbox, late }
}
