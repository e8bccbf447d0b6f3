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
  const { webhook, cancel, events, notice, late = [], ...rest } = state.outbox
  const has = (wanted: (one: Outgoing) => boolean): boolean => acknowledged.some(wanted)
  const left = late.filter(({ call }) => !has((one) => one.to === 'late' && one.call === call))
  const outbox: Outbox = {
    ...rest,
    ...(rest.parent && has(({ to }) => to === 'parent') ? { parent: false } : {}),
    ...(rest.session && has(({ to }) => to === 'session') ? { session: false } : {}),
    ...(rest.schedule && has(({ to }) => to === 'schedule') ? { schedule: false } : {}),
    ...(rest.trace && has(({ to }) => to === 'trace') ? { trace: false } : {}),
    webhook: webhook.filter((seq) => !has((one) => one.to === 'webhook' && one.seq === seq)),
    cancel: cancel.filter((call) => !has((one) => one.to === 'child' && one.call === call)),
    ...(notice == null || has((one) => one.to === 'notice' && one.seq === notice)
      ? {}
      : { notice }),
    ...eventsLeft(events ?? null, state.seq, acknowledged),
    ...(left.length === 0 ? {} : { late: left }),
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
  const upTo = Math.max(0, ...acknowledged.map((one) => (one.to === 'endpoints' ? one.upTo : 0)))
  if (upTo < from) return { events: from }
  return seq > upTo ? { events: upTo + 1 } : {}
}

function withDropped(
  known: LateResults,
  late: readonly LateResult[],
  acknowledged: readonly Outgoing[],
): LateResults {
  if (late.length === 0) return known
  const ends = { ...known.ends }
  for (const one of acknowledged) {
    if (one.to !== 'late' || !one.dropped) continue
    const end = ends[one.call]
    if (end) ends[one.call] = { ...end, dropped: true }
  }
  return { ...known, ends }
}
