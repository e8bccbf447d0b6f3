/**
 * Reports a child that ended after its parent. The parent's log is closed, so its webhook and the
 * tenant's endpoints get an event outside any log (`seq` 0). The session gets the result for its
 * next run (PROTOCOL.md rule 21). All names derive from the child, so retries are idempotent.
 */

import type { LateResult } from '../../../../core/late-results.ts'
import type { RunSpec } from '../../../../core/run/log/facts.ts'
import { newDelivery } from '../../../../core/webhook/delivery.ts'
import { formatOf, formatted } from '../../../../core/webhook/format.ts'
import {
  type WebhookAbout,
  type WebhookEvent,
  webhookBody,
} from '../../../../core/webhook/signature.ts'
import { isSubscribedByEndpoints } from '../../../../core/webhook/subscriptions.ts'
import { assert } from '../../../../lib/assert.ts'
import { derivedId } from '../../../../lib/id.ts'
import { iso } from '../../../../lib/time.ts'
import type { World } from '../../../../ports/world.ts'
import { sealedSecret } from '../../../logs/webhook-secret.ts'
import { runPartition } from '../../../partition/keys.ts'
import type { EffectResult } from '../../../partition/log-type.ts'
import { leaveLate } from '../../../session/late.ts'
import { aboutRun } from '../../../webhook/about.ts'
import { createDelivery } from '../../../webhook/delivery.ts'
import { subscribedTypes, tellEndpoints } from '../../../webhook/endpoint/subscriptions.ts'
import { onward } from '../../../webhook/hops.ts'
import type { Context } from '../context.ts'
import { retryLater } from '../context.ts'
import { secretOf } from './webhook.ts'

export async function performLate(context: Context, call: string): Promise<EffectResult> {
  const { world, tenant, state } = context
  const spec = state.spec!
  const late = lateOf(state, call)
  const secret = spec.webhook
    ? await secretOf(context, await sealedSecret(world, runPartition(tenant, spec.id)))
    : undefined
  const about = await aboutRun({ world, tenant }, state)
  if (!(await tellLate({ world, tenant, of: spec, about, secret }, late)))
    return retryLater(context)
  if (late.announce.status !== 'completed') return { acknowledged: { to: 'late', call } }
  const result = await leaveLate(world, tenant, state, late.announce)
  if (result === 'unknown') return retryLater(context)
  return { acknowledged: { to: 'late', call, dropped: result !== 'left' } }
}

export function lateOf(
  { outbox }: { readonly outbox: { readonly late?: readonly LateResult[] } },
  call: string,
): LateResult {
  const late = outbox.late?.find((entry) => entry.call === call)
  assert(late, `no late result is pending for ${call}`)
  return late
}

interface LateDelivery {
  readonly world: World
  readonly tenant: string
  /** Run or fan-out that ended before its child. */
  readonly of: Pick<RunSpec, 'id' | 'webhook' | 'parent' | 'hops' | 'trace'>
  readonly about: WebhookAbout
  /** Sealed secret of the run's or fan-out's webhook. */
  readonly secret: string | undefined
}

/**
 * Reports a child's late end to the webhook and endpoints. Returns false if a notification's
 * outcome is unknown.
 */
export async function tellLate(
  lateDelivery: LateDelivery,
  { call, announce, at }: LateResult,
): Promise<boolean> {
  const { world, tenant, of, about, secret } = lateDelivery
  const event: WebhookEvent = {
    id: derivedId('evt', of.id, 'after', announce.run_id),
    type: announce.status === 'completed' ? 'subagent.announced' : 'subagent.failed',
    run_id: of.id,
    seq: 0,
    created_at: iso(at),
    about,
    data: { call, announce },
  }
  const href = `/v1/runs/${announce.run_id}`
  if (of.webhook?.events.includes(event.type) && secret !== undefined) {
    const { webhook } = of
    const to = { url: webhook.url, ...formatted(webhook), ...onward(of) }
    const about = { tenant, run_id: of.id, seq: 0, event_type: event.type, ...to }
    const delivery = newDelivery({ id: derivedId('dlv', event.id), ...about }, world.clock.now())
    const body = webhookBody(event, href, formatOf(webhook))
    if ((await createDelivery(world, delivery, body, secret)) !== 'ok') return false
  }
  const subscribed = await subscribedTypes(world, tenant)
  return (
    !isSubscribedByEndpoints({ spec: of, subscribed }, event) ||
    tellEndpoints(world, tenant, event, href, onward(of))
  )
}
