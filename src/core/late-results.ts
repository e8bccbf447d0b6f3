/**
 * Results of children that arrive after the end of their run or fan-out. No fact follows the
 * terminal one (protocol rule 10), so the head records them: how each child ended, and what became
 * of a result that came too late (rule 21). Counts and usage are read from here and from the log.
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
  /** Ends by spawn call or task. */
  readonly ends: Readonly<Record<string, LateEnd>>
  /** Usage of all of these. */
  readonly usage: Usage
}
interface LateEnd {
  readonly status: TerminalStatus
  /** The amount that runs below it may still spend. */
  readonly held?: Budget
  /** For a page: number of its tasks by state. */
  readonly children?: TaskCounts
  /** Its result entered no conversation, since there is none that could go on. */
  readonly dropped?: true
}
export const NO_LATE_RESULTS: LateResults = { ends: {}, usage: NO_USAGE }

/** An end of a child that is still to be sent: to endpoints, a webhook, the session. */
export interface LateResult {
  readonly call: string
  readonly announce: Announce
  /** When it arrived, ms since 1970. */
  readonly at: number
}

/** So many stand in a head at once; other mail waits until these have been sent. */
export const LATE_AT_ONCE = 4

interface Listening {
  late_results: LateResults
  outbox: { readonly late?: readonly LateResult[] }
}

/** Takes the end of a child in; `drops`: its result has no place to go to. */
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
  // The end of a page is not sent.
  if (!mustTell || 'children' in announce) return
  const late = [...(draft.outbox.late ?? []), { call, announce, at }]
  draft.outbox = { ...draft.outbox, late }
}
