/**
 * Session: a series of runs that share a transcript. One run has the turn; others wait in ticket
 * order. The small state is in the head of the session's partition, under compare-and-swap
 * (protocol rules 24–26).
 */

export interface SessionState {
  readonly id: string
  readonly kind: 'main' | 'subagent' | 'schedule' | 'hook'
  readonly agent: string | null
  readonly metadata: Readonly<Record<string, string>>
  readonly created_at: number
  /** Ticket number for the next run, from 1. */
  readonly next_ticket: number
  /**
   * Run that owns this implicit session and has no ticket, with the run and session that started
   * it.
   */
  readonly own?: {
    readonly run_id: string
    readonly parent_session_id: string | null
    readonly created_by_run_id: string | null
  }
  /** Run that has the turn. */
  readonly current: Ticket | null
  /** Runs that wait for the turn, in order. */
  readonly queue: readonly Ticket[]
  /** Digests of the transcript's segments, oldest first: one per ended run. */
  readonly segments: readonly string[]
  /** Text that the next run sees instead of the first `upto` segments, once a run was too long. */
  readonly compacted?: { readonly segment: string; readonly upto: number } | undefined
  /** Segments that arrived during a turn; they follow the segments of its run. */
  readonly late?: readonly string[] | undefined
  /** Whether the turn was granted but the run has not been notified yet. */
  readonly turn_due: boolean
  /**
   * Run that has the turn and must still be notified of its cancellation in favor of the next run.
   */
  readonly interrupts?: string | undefined
  /** Run that has the turn without a ticket and must still be notified that others wait. */
  readonly awaits?: string | undefined
  readonly deleted: boolean
  /** Title set by a user. */
  readonly title?: string | undefined
  /** Beginning of the first input. */
  readonly opening?: string | undefined
  /** Time of archiving; an archived session rejects runs and is omitted from lists. */
  readonly archived_at?: number | undefined
  /**
   * Retention after the last activity in milliseconds; absent to keep the session until deleted.
   */
  readonly retention_ms?: number | undefined
  /** Time of the last write; absent before the first write. */
  readonly active_at?: number | undefined
  /** Runs that ended after the newest archive part, in that order. */
  readonly ran?: readonly Ticket[] | undefined
  /** Archived runs and segments that no turn needs, oldest first, by digest. */
  readonly archive?: readonly ArchivePart[] | undefined
  /** Session and message that this session continues. */
  readonly forked_from?: { readonly session_id: string; readonly position: string } | undefined
}

/** Part of the archive: `level` 0 lists runs and segments; higher levels list parts. */
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

/** Maximum number of runs waiting for one session. */
const MAX_WAITING = 1_000

/** Behavior of a run whose session is busy. */
export type OnBusy = 'enqueue' | 'reject' | 'interrupt'

export type TicketOutcome =
  | {
      readonly kind: 'taken'
      readonly state: SessionState
      readonly ticket: number
      readonly turn: boolean
    }
  | { readonly kind: 'busy' | 'full' | 'archived' }

/** Assigns a ticket to a run, and grants the turn immediately if free. */
export function takeTicket(state: SessionState, runId: string, onBusy: OnBusy): TicketOutcome {
  if (state.archived_at !== undefined) return { kind: 'archived' }
  if (state.current && onBusy === 'reject') return { kind: 'busy' }
  if (state.queue.length >= MAX_WAITING) return { kind: 'full' }
  const ticket = state.next_ticket
  const mine: Ticket = { ticket, run_id: runId }
  // The first run has no ticket, so it does not know that it must pass on the turn.
  const unaware = state.own && state.next_ticket === 1 ? state.current?.run_id : state.awaits
  const next = { ...state, next_ticket: ticket + 1, awaits: unaware }
  return state.current
    ? { kind: 'taken', state: { ...next, ...queued(state, mine, onBusy) }, ticket, turn: false }
    : { kind: 'taken', state: { ...next, current: mine }, ticket, turn: true }
}

/**
 * Returns the queue with the new run: an interrupting run is next, and others follow in order of
 * arrival.
 */
function queued({ current, queue, interrupts }: SessionState, mine: Ticket, onBusy: OnBusy) {
  return {
    queue: onBusy === 'interrupt' ? [mine, ...queue] : [...queue, mine],
    interrupts: onBusy === 'interrupt' ? current?.run_id : interrupts,
  }
}

/** Returns the run's ticket, waiting or current; undefined if there is none. */
export function ticketOf(state: SessionState, runId: string): Ticket | undefined {
  return [state.current, ...state.queue].find((ticket) => ticket?.run_id === runId) ?? undefined
}

/** Returns the segments that a run is shown before its own messages. */
export const historyOf = ({ segments, compacted }: SessionState): readonly string[] =>
  compacted === undefined ? segments : [compacted.segment, ...segments.slice(compacted.upto)]

/** Result that a run passes to its session; null if the run never started. */
export interface TurnResult {
  readonly segment: string | null
  /** Replacement for this segment and all earlier ones, if the run was too long. */
  readonly short?: string | null | undefined
}

/** Adds a result that no run waits for; the next run sees it after the earlier conversation. */
export const withLate = (state: SessionState, segment: string): SessionState =>
  state.current === null
    ? { ...state, segments: [...state.segments, segment] }
    : { ...state, late: [...(state.late ?? []), segment] }

/** Records the messages of an ended run and grants the turn to the next one. */
export function endTurn(state: SessionState, runId: string, result: TurnResult): SessionState {
  const mine = ticketOf(state, runId)
  if (!mine) return state
  const queue = state.queue.filter((ticket) => ticket.run_id !== runId)
  // The run of an implicit session is included without a ticket.
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
