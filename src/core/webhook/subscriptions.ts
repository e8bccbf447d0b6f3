/**
 * Subscriptions to the facts of a run or fan-out: which of them its webhook and the tenant's
 * endpoints receive, and how far they have been sent. The cursor is one number in the head:
 * everything before it has been sent.
 */

import type { RunWebhook } from '../run/log/facts.ts'

interface Subscribed {
  /** Types that the tenant's endpoints subscribe to. */
  readonly subscribed: readonly string[]
  readonly spec: object | null
}
interface OutboxCursor {
  /** Events (by seq) that are still to be sent to the webhook of the run or fan-out. */
  readonly webhook: readonly number[]
  /** Everything before this fact has been sent to the tenant's endpoints. */
  readonly events?: number | null
}

/** The outbox with the entries that this fact adds: for its own webhook, and for the endpoints. */
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

/** Whether this is sent to an external receiver. */
export const isSubscribed = (state: SubscribedState, fact: { readonly type: string }): boolean =>
  isWebhookSubscribed(state, fact) || isSubscribedByEndpoints(state, fact)

/**
 * Whether this is sent to endpoints. They get ends of subagents as `subagent.announced` and
 * `subagent.failed` of the parent, the end of a closing run as that of its fan-out, the end of a
 * page not at all.
 */
export const isSubscribedByEndpoints = (
  { subscribed, spec }: Subscribed,
  { type }: { readonly type: string },
): boolean => subscribed.includes(type) && !(/^(?:run|fanout)\./.test(type) && isBelow(spec))

const isBelow = (spec: object | null): boolean =>
  spec !== null && 'parent' in spec && spec.parent != null
