/** Notifies a fan-out's webhook of one event, with a delivery named after the event. */

import type { FanoutFact } from '../../core/fanout/facts.ts'
import type { FanoutState } from '../../core/fanout/state.ts'
import { fanoutEvent } from '../../core/fanout/view.ts'
import { newDelivery } from '../../core/webhook/delivery.ts'
import { formatOf, formatted } from '../../core/webhook/format.ts'
import { webhookBody } from '../../core/webhook/signature.ts'
import { assert } from '../../lib/assert.ts'
import { derivedId } from '../../lib/id.ts'
import { sealedIn, sealedSecret } from '../logs/webhook-secret.ts'
import { fanoutPartition } from '../partition/keys.ts'
import { factsAfter } from '../partition/log.ts'
import type { ContextOf, EffectResult } from '../partition/log-type.ts'
import { retryLater } from '../run/effects/context.ts'
import { tellFrom } from '../run/effects/outbox/events.ts'
import { lateOf, tellLate } from '../run/effects/outbox/late.ts'
import { aboutFanout } from '../webhook/about.ts'
import { createDelivery } from '../webhook/delivery.ts'
import { onward } from '../webhook/hops.ts'

export async function performFanoutWebhook(
  context: ContextOf<FanoutState>,
  seq: number,
): Promise<EffectResult<FanoutFact>> {
  const { world, tenant, state } = context
  const spec = state.spec!
  const { id, webhook } = spec
  assert(webhook, 'the fan-out has no webhook')
  const rows = await world.store.read(fanoutPartition(tenant, id))
  const stampedFact = factsAfter<FanoutFact>(rows, seq - 1)[0]
  const secret = sealedIn(rows)
  assert(stampedFact?.seq === seq && secret, `event ${seq} or the webhook secret is missing`)
  const event = fanoutEvent(id, stampedFact)
  const to = { url: webhook.url, ...formatted(webhook), ...onward(spec) }
  const sent = { tenant, run_id: id, seq, event_type: event.type, ...to }
  const delivery = newDelivery({ id: derivedId('dlv', event.id), ...sent }, world.clock.now())
  const about = await aboutFanout({ world, tenant }, state, stampedFact.fact)
  const payload = webhookBody({ ...event, about }, `/v1/fanouts/${id}`, formatOf(webhook))
  const created = await createDelivery(world, delivery, payload, secret)
  return created === 'ok' ? { acknowledged: { to: 'webhook', seq } } : retryLater(context)
}

/**
 * Notifies the fan-out's webhook and the tenant's endpoints about a task that ended after its
 * fan-out.
 */
export async function performFanoutLate(
  context: ContextOf<FanoutState>,
  call: string,
): Promise<EffectResult<FanoutFact>> {
  const { world, tenant, state } = context
  const { id, webhook, trace } = state.spec!
  const late = lateOf(state, call)
  const secret = webhook ? await sealedSecret(world, fanoutPartition(tenant, id)) : undefined
  const about = await aboutFanout({ world, tenant }, state)
  const of = { id, parent: null, webhook, ...(trace ? { trace } : {}) }
  const wasSent = await tellLate({ world, tenant, of, about, secret }, late)
  return wasSent ? { acknowledged: { to: 'late', call } } : retryLater(context)
}

/** Sends events from the fan-out's log to the tenant's endpoints. */
export function performFanoutEvents(context: ContextOf<FanoutState>, from: number) {
  const { id } = context.state.spec!
  return tellFrom<FanoutFact>(context, from, {
    partition: fanoutPartition(context.tenant, id),
    spec: context.state.spec!,
    event: async (stampedFact) => ({
      ...fanoutEvent(id, stampedFact),
      about: await aboutFanout(context, context.state, stampedFact.fact),
    }),
    href: () => `/v1/fanouts/${id}`,
  })
}
