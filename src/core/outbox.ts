/**
 * The transactional outbox of a run or fan-out: effects on others that are still pending. An entry
 * is written with the facts that cause it and cleared only when its receiver has acknowledged it,
 * so after a crash in between it is sent again (protocol rule 10).
 */

import type { LateResult, LateResults } from './late-results.ts'

/** Stands in the head; absent members are empty. */
export interface Outbox {
  /** The parent must be notified of the end. */
  readonly parent?: boolean
  /** The session waits for the end, to give the turn to the next run. */
  readonly session?: boolean
  /** The schedule that has started it counts its end. */
  readonly schedule?: boolean
  /** Events (by seq) for the webhook of the run or fan-out. */
  readonly webhook: readonly number[]
  /** Calls or tasks whose children must be cancelled, whether or not they have been created. */
  readonly cancel: readonly string[]
  /** The parent must know whether a person is waited for: since which fact. */
  readonly notice?: number | null
  /** Everything before this fact has been sent to the tenant's endpoints. */
  readonly events?: number | null
  /** The spans of the ended log must be exported. */
  readonly trace?: boolean
  /** Ends of children that came after its own. */
  readonly late?: readonly LateResult[]
}

/** A message of an outbox, by its receiver. */
export type Outgoing =
  | { readonly to: 'parent' }
  | { readonly to: 'session' }
  | { readonly to: 'schedule' }
  | { readonly to: 'trace' }
  | { readonly to: 'webhook'; readonly seq: number }
  /** A child, which is cancelled. */
  | { readonly to: 'child'; readonly call: string }
  /** The parent, about a person who is waited for. */
  | { readonly to: 'notice'; readonly seq: number }
  /** The tenant's endpoints, of everything up to this fact. */
  | { readonly to: 'endpoints'; readonly upTo: number }
  /** Receivers of a late end; `dropped`: its result had no place to go to. */
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

/** Messages that follow from no fact: another run waits for the end in the session. */
export type Enqueued = Extract<Outgoing, { readonly to: 'session' }>

interface WithOutbox {
  readonly seq: number
  readonly outbox: Outbox
  readonly late_results: LateResults
}

/** The state without what was acknowledged. */
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

/** The state with these messages in its outbox. */
export const enqueue = <S extends WithOutbox>(state: S, messages: readonly Enqueued[]): S =>
  messages.length === 0 ? state : { ...state, outbox: { ...state.outbox, session: true } }

/** Entries after the last one sent are read once more. */
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
