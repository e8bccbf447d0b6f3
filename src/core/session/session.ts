/**
 * Session: a series of runs that share a transcript. One run has the turn; the others wait in
 * ticket order. The small state is in the head of the session's partition, under compare-and-swap
 * (PROTOCOL.md rules 24–26).
 */

export interface SessionState {
  readonly id: string
  readonly kind: 'main' | 'subagent' | 'schedule' | 'hook'
  readonly agent: string | null
  readonly metadata: Readonly<Record<string, string>>
  readonly created_at: number
  /** Ticket number for the session's next run, from 1. */
  readonly next_ticket: number
  /**
   * Run without a ticket that owns this implicit session, with the run and session that started it.
   */
  readonly own?: {
    readonly run_id: string
    readonly parent_session_id: string | null
    readonly created_by_run_id: string | null
  }
  /** Run that has the session's turn. */
  readonly current: Ticket | null
  /** Runs that wait for the session's turn, in order. */
  readonly queue: readonly Ticket[]
  /** Digests of the transcript's segments, oldest first: one per ended run. */
  readonly segments: readonly string[]
  /** Text that the next run sees instead of the first `upto` segments, if a run was too long. */
  readonly compacted?: { readonly segment: string; readonly upto: number } | undefined
  /**
   * Transcript segments that arrived during a turn. They follow the segments of the run that has
   * the turn.
   */
  readonly late?: readonly string[] | undefined
  /** Whether a run was granted the turn but has not been notified yet. */
  readonly turn_due: boolean
  /**
   * ID of the run that has the turn and must still be notified of its cancellation in favor of the
   * next run.
   */
  readonly interrupts?: string | undefined
  /** ID of the run that has the turn without a ticket and must be notified that others wait. */
  readonly awaits?: string | undefined
  readonly deleted: boolean
  /** Session title set by a user. */
  readonly title?: string | undefined
  /** Beginning of the session's first input. */
  readonly opening?: string | undefined
  /** Time of archiving; an archived session rejects runs and is omitted from lists. */
  readonly archived_at?: number | undefined
  /**
   * Retention of the session after its last activity, in milliseconds; absent to keep the session
   * until deleted.
   */
  readonly retention_ms?: number | undefined
  /** Time when the session was last written; absent before the first write. */
  readonly active_at?: number | undefined
  /** Runs that ended after the newest archive part, in the order in which they ended. */
  readonly ran?: readonly Ticket[] | undefined
  /** Archived runs and segments that no turn needs, oldest first, by digest. */
  readonly archive?: readonly ArchivePart[] | undefined
  /** End user on whose behalf the session's runs act; absent if there is none. */
  readonly subject?: string | undefined
  /** Source session, and the message in it from which this session was forked. */
  readonly forked_from?: { readonly session_id: string; readonly position: string } | undefined
}

/** Part of a session's archive: `level` 0 lists runs and segments; higher levels list parts. */
export interface ArchivePart {
  readonly digest: string
  readonly level: number
  readonly runs: number
  readonly segments: number
}

export interface Ticket {
  readonly ticket: number
  readonly run_id: string
}

export const newSession = (
  of: Pick<SessionState, 'id' | 'kind' | 'agent' | 'metadata' | 'created_at' | 'own'>,
): SessionState => ({
  ...of,
  next_ticket: 1,
  current: null,
  queue: [],
  segments: [],
  turn_due: false,
  deleted: false,
})

/** Whether the session's next run may act for the end user; the first run decides for all. */
export const isSubjectAllowed = (
  { subject, own: ownRun, next_ticket }: SessionState,
  next: string | undefined,
): boolean => subject === next || (subject === undefined && !ownRun && next_ticket === 1)

/** Maximum number of runs that wait for one session. */
const MAX_WAITING = 1_000

/** Behavior of a new run whose session is busy. */
export type OnBusy = 'enqueue' | 'reject' | 'interrupt'

export type TicketOutcome =
  | {
      readonly kind: 'taken'
      readonly state: SessionState
      readonly ticket: number
      readonly turn: boolean
    }
  | { readonly kind: 'busy' | 'full' | 'archived' }

/** Assigns a session ticket to a run. Grants the turn immediately if no other run has it. */
export function takeTicket(state: SessionState, runId: string, onBusy: OnBusy): TicketOutcome {
  if (state.archived_at !== undefined) return { kind: 'archived' }
  if (state.current && onBusy === 'reject') return { kind: 'busy' }
  if (state.queue.length >= MAX_WAITING) return { kind: 'full' }
  const ticket = state.next_ticket
  const mine: Ticket = { ticket, run_id: runId }
  // The first run has no ticket and therefore does not know that it must pass on the turn.
  const unaware = state.own && state.next_ticket === 1 ? state.current?.run_id : state.awaits
  const next = { ...state, next_ticket: ticket + 1, awaits: unaware }
  return state.current
    ? { kind: 'taken', state: { ...next, ...queued(state, mine, onBusy) }, ticket, turn: false }
    : { kind: 'taken', state: { ...next, current: mine }, ticket, turn: true }
}

/**
 * Returns the session's queue with a new run. An interrupting run is next; other runs follow in
 * order of arrival.
 */
function queued({ current, queue, interrupts }: SessionState, mine: Ticket, onBusy: OnBusy) {
  return {
    queue: onBusy === 'interrupt' ? [mine, ...queue] : [...queue, mine],
    interrupts: onBusy === 'interrupt' ? current?.run_id : interrupts,
  }
}

/** Returns a run's ticket, waiting or current; undefined if the run has none. */
export function ticketOf(state: SessionState, runId: string): Ticket | undefined {
  return [state.current, ...state.queue].find((ticket) => ticket?.run_id === runId) ?? undefined
}

/** Returns the session's transcript segments that a run sees before its own messages. */
export const historyOf = ({ segments, compacted }: SessionState): readonly string[] =>
  compacted === undefined ? segments : [compacted.segment, ...segments.slice(compacted.upto)]

/** Result that an ended run passes to its session; `segment` is null if the run never started. */
export interface TurnResult {
  readonly segment: string | null
  /** Digest of the replacement for this segment and all earlier ones, if the run was too long. */
  readonly short?: string | null | undefined
}

/**
 * Adds a late result to the session's transcript, after the conversation so far. The next run sees
 * it.
 */
export const withLate = (state: SessionState, segment: string): SessionState =>
  state.current === null
    ? { ...state, segments: [...state.segments, segment] }
    : { ...state, late: [...(state.late ?? []), segment] }

/** Records the messages of an ended run in its session and grants the turn to the next run. */
export function endTurn(state: SessionState, runId: string, result: TurnResult): SessionState {
  const mine = ticketOf(state, runId)
  if (!mine) return state
  const queue = state.queue.filter((ticket) => ticket.run_id !== runId)
  // The owner of an implicit session has no ticket and is not listed.
  const ran = mine.ticket === 0 ? state.ran : [...(state.ran ?? []), mine]
  const ended = { ...withLeft(state, result), queue, ...(ran ? { ran } : {}) }
  if (state.current?.run_id !== runId) return ended
  const [next, ...queued] = queue
  const segments = [...ended.segments, ...(state.late ?? [])]
  const passed = {
    ...ended,
    segments,
    late: undefined,
    current: next ?? null,
    queue: queued,
    turn_due: next !== undefined,
  }
  return { ...passed, interrupts: undefined, awaits: undefined }
}

/** Adds the result of an ended run to the session's transcript. */
export function withLeft(state: SessionState, { segment, short }: TurnResult): SessionState {
  if (segment === null) return state
  const segments = [...state.segments, segment]
  const compacted = short == null ? state.compacted : { segment: short, upto: segments.length }
  return { ...state, segments, compacted }
}
