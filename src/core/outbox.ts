/**
 * Transactional outbox of a run or fan-out: pending messages to other objects. An entry is written
 * with the facts that cause it, and cleared only when its receiver has acknowledged it. After a
 * crash, unacknowledged entries are sent again (PROTOCOL.md rule 10).
 */

import type { LateResult, LateResults } from './late-results.ts'

/** Outbox stored in the head; absent members are empty. */
export interface Outbox {
  /** Whether the parent must be notified that the run has ended. */
  readonly parent?: boolean
  /**
   * Whether the session must be notified that the run has ended, so that the next run can start.
   */
  readonly session?: boolean
  /** Whether the schedule that started the run must be notified that the run has ended. */
  readonly schedule?: boolean
  /** Sequence numbers of events to send to the webhook of the run or fan-out. */
  readonly webhook: readonly number[]
  /** Calls or tasks whose children must be cancelled, whether or not the children exist yet. */
  readonly cancel: readonly string[]
  /**
   * Sequence number of the fact that the run waits for a person, or no longer waits, if the parent
   * must be notified of it.
   */
  readonly notice?: number | null
  /** Sequence number of the last event sent to the tenant's endpoints. */
  readonly events?: number | null
  /** Whether the trace spans of the ended log must be exported. */
  readonly trace?: boolean
  /** Ends of children that arrived after this run or fan-out had ended. */
  readonly late?: readonly LateResult[]
}

/** Outbox message, by type of receiver. */
export type Outgoing =
  | { readonly to: 'parent' }
  | { readonly to: 'session' }
  | { readonly to: 'schedule' }
  | { readonly to: 'trace' }
  | { readonly to: 'webhook'; readonly seq: number }
  /** Cancellation of a child run or fan-out. */
  | { readonly to: 'child'; readonly call: string }
  /** Notice to the parent that the run waits for a person, or no longer does. */
  | { readonly to: 'notice'; readonly seq: number }
  /** Events up to this fact, to send to the tenant's endpoints. */
  | { readonly to: 'endpoints'; readonly upTo: number }
  /**
   * Late end of a child, to send to its receivers; `dropped` means that the result could not be
   * delivered.
   */
  | { readonly to: 'late'; readonly call: string; readonly dropped?: boolean }

export const isOutboxEmpty = (outbox: Outbox): boolean =>
  !outbox.parent &&
  !outbox.session &&
  !outbox.schedule &&
  !outbox.trace &&
  outbox.webhook.length === 0 &&
  outbox.cancel.length === 0 &&
  outbox.notice == null &&
  outbox.events == null &&
  (outbox.late ?? []).length === 0

/** Outbox messages that no fact causes: another run of the session waits for this run's end. */
export type Enqueued = Extract<Outgoing, { readonly to: 'session' }>

interface WithOutbox {
  readonly seq: number
  readonly outbox: Outbox
  readonly late_results: LateResults
}

/** Returns the state without the acknowledged outbox messages. */
export function settle<S extends WithOutbox>(state: S, acknowledged: readonly Outgoing[]): S {
  if (acknowledged.length === 0) return state
  const { webhook, cancel, events, notice, late = [], ...flags } = state.outbox
  const has = (predicate: (item: Outgoing) => boolean): boolean => acknowledged.some(predicate)
  const pendingLate = late.filter(
    ({ call }) => !has((item) => item.to === 'late' && item.call === call),
  )
  const outbox: Outbox = {
    ...flags,
    ...(flags.parent && has(({ to }) => to === 'parent') ? { parent: false } : {}),
    ...(flags.session && has(({ to }) => to === 'session') ? { session: false } : {}),
    ...(flags.schedule && has(({ to }) => to === 'schedule') ? { schedule: false } : {}),
    ...(flags.trace && has(({ to }) => to === 'trace') ? { trace: false } : {}),
    webhook: webhook.filter((seq) => !has((item) => item.to === 'webhook' && item.seq === seq)),
    cancel: cancel.filter((call) => !has((item) => item.to === 'child' && item.call === call)),
    ...(notice == null || has((item) => item.to === 'notice' && item.seq === notice)
      ? {}
      : { notice }),
    ...eventsLeft(events ?? null, state.seq, acknowledged),
    ...(pendingLate.length === 0 ? {} : { late: pendingLate }),
  }
  return { ...state, outbox, late_results: withDropped(state.late_results, late, acknowledged) }
}

/** Returns the state with the given messages added to its outbox. */
export const enqueue = <S extends WithOutbox>(state: S, messages: readonly Enqueued[]): S =>
  messages.length === 0 ? state : { ...state, outbox: { ...state.outbox, session: true } }

/** Returns the events that remain to be sent; events after the last sent one are read again. */
function eventsLeft(
  from: number | null,
  seq: number,
  acknowledged: readonly Outgoing[],
): Pick<Outbox, 'events'> {
  if (from === null) return {}
  const upTo = Math.max(0, ...acknowledged.map((item) => (item.to === 'endpoints' ? item.upTo : 0)))
  if (upTo < from) return { events: from }
  return seq > upTo ? { events: upTo + 1 } : {}
}

function withDropped(
  lateResults: LateResults,
  late: readonly LateResult[],
  acknowledged: readonly Outgoing[],
): LateResults {
  if (late.length === 0) return lateResults
  const ends = { ...lateResults.ends }
  for (const item of acknowledged) {
    if (item.to !== 'late' || !item.dropped) continue
    const end = ends[item.call]
    if (end) ends[item.call] = { ...end, dropped: true }
  }
  return { ...lateResults, ends }
}
