/**
 * Subscriptions to the facts of a run or fan-out: which facts its webhook and the tenant's
 * endpoints receive, and the delivery position. The cursor is one number in the head row: all
 * earlier facts have been sent.
 */

import type { RunWebhook } from '../run/log/facts.ts'

interface Subscribed {
  /** Event types to which the tenant's endpoints subscribe. */
  readonly subscribed: readonly string[]
  readonly spec: object | null
}
interface OutboxCursor {
  /** Sequence numbers of events not yet sent to the webhook of the run or fan-out. */
  readonly webhook: readonly number[]
  /** Sequence number before which all facts have been sent to the tenant's endpoints. */
  readonly events?: number | null
}

/** Adds a fact's entries to the outbox: for the run's webhook, and for the tenant's endpoints. */
export function enqueueEvents<D extends OutboxCursor>(
  state: Subscribed & {
    readonly spec: { readonly webhook: RunWebhook | null } | null
    readonly outbox: D
  },
  seq: number,
  fact: { readonly type: string },
): D {
  const { outbox } = state
  const byWebhook = isWebhookSubscribed(state, fact)
  const isForEndpoints = outbox.events == null && isSubscribedByEndpoints(state, fact)
  if (!byWebhook && !isForEndpoints) return outbox
  return {
    ...outbox,
    ...(byWebhook ? { webhook: [...outbox.webhook, seq] } : {}),
    ...(isForEndpoints ? { events: seq } : {}),
  }
}

interface SubscribedState extends Subscribed {
  readonly spec: { readonly webhook: RunWebhook | null } | null
}
const isWebhookSubscribed = (
  { spec }: SubscribedState,
  { type }: { readonly type: string },
): boolean => spec?.webhook?.events.includes(type) === true

/** Returns whether the run's webhook or any endpoint subscribes to a fact. */
export const isSubscribed = (state: SubscribedState, fact: { readonly type: string }): boolean =>
  isWebhookSubscribed(state, fact) || isSubscribedByEndpoints(state, fact)

/**
 * Returns whether the tenant's endpoints receive a fact. The end of a subagent is sent as
 * `subagent.announced` or `subagent.failed` of the parent. The end of a closing run is sent as the
 * end of the fan-out. The end of a page is not sent.
 */
export const isSubscribedByEndpoints = (
  { subscribed, spec }: Subscribed,
  { type }: { readonly type: string },
): boolean => subscribed.includes(type) && !(/^(?:run|fanout)\./.test(type) && isBelow(spec))

const isBelow = (spec: object | null): boolean =>
  spec !== null && 'parent' in spec && spec.parent != null
