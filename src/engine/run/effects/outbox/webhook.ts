/**
 * Notifies a run's webhook of one event by creating a delivery, named after the event. The delivery
 * then advances independently. A crash between the event and the delivery loses nothing, because
 * the outbox entry stays until the delivery exists.
 */

import { eventOf } from '../../../../core/run/views/event.ts'
import { newDelivery } from '../../../../core/webhook/delivery.ts'
import { formatOf, formatted } from '../../../../core/webhook/format.ts'
import { webhookBody } from '../../../../core/webhook/signature.ts'
import { assert } from '../../../../lib/assert.ts'
import { derivedId } from '../../../../lib/id.ts'
import { sealedIn, secretFor } from '../../../logs/webhook-secret.ts'
import { runPartition } from '../../../partition/keys.ts'
import { factsAfter } from '../../../partition/log.ts'
import type { EffectResult } from '../../../partition/log-type.ts'
import { aboutRun } from '../../../webhook/about.ts'
import { createDelivery } from '../../../webhook/delivery.ts'
import { onward } from '../../../webhook/hops.ts'
import type { Context } from '../context.ts'
import { retryLater } from '../context.ts'

export async function performWebhook(context: Context, seq: number): Promise<EffectResult> {
  const { world, tenant, state } = context
  const spec = state.spec
  assert(spec?.webhook, 'the run has no webhook')
  const rows = await world.store.read(runPartition(tenant, spec.id))
  const stampedFact = factsAfter(rows, seq - 1)[0]
  const secret = await secretOf(context, sealedIn(rows))
  // A deleted root's webhook receives no more events, because its secret is deleted too.
  if (spec.parent && secret === undefined) return { acknowledged: { to: 'webhook', seq } }
  assert(stampedFact?.seq === seq && secret, `event ${seq} or the webhook secret is missing`)
  const event = eventOf(spec.id, stampedFact)
  const id = derivedId('dlv', event.id)
  const delivery = newDelivery(
    {
      id,
      tenant,
      run_id: spec.id,
      seq,
      event_type: event.type,
      url: spec.webhook.url,
      ...formatted(spec.webhook),
      ...onward(spec),
    },
    world.clock.now(),
  )
  const about = await aboutRun({ world, tenant }, state, stampedFact.fact)
  const payload = webhookBody(
    { ...event, about },
    `/v1/runs/${spec.id}/events?after=${seq - 1}&limit=1`,
    formatOf(spec.webhook),
  )
  // The delivery names the run, so the context of the sealed secret matches.
  const created = await createDelivery(world, delivery, payload, secret)
  return created === 'ok' ? { acknowledged: { to: 'webhook', seq } } : retryLater(context)
}

/**
 * Returns the run's webhook secret. Runs of a fan-out have a copy, but below a run only the root
 * has the secret.
 */
export async function secretOf(
  { world, tenant, state }: Pick<Context, 'world' | 'tenant' | 'state'>,
  ownSecret: string | undefined,
): Promise<string | undefined> {
  const { id, parent, root_run_id } = state.spec!
  if (ownSecret !== undefined || !parent) return ownSecret
  return secretFor(world, runPartition(tenant, root_run_id), root_run_id, id)
}
