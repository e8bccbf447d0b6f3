/**
 * Notifies a tenant's endpoints of an event: one delivery for each subscriber, created once and
 * named after event and endpoint. Each delivery then advances independently. The caller keeps its
 * outbox entry until all deliveries are created.
 */

import { type Delivery, newDelivery } from '../../../core/webhook/delivery.ts'
import { type Endpoint, wantedBy, wants } from '../../../core/webhook/endpoint.ts'
import { formatOf, formatted } from '../../../core/webhook/format.ts'
import { type WebhookEvent, webhookBody } from '../../../core/webhook/signature.ts'
import { derivedId } from '../../../lib/id.ts'
import type { World } from '../../../ports/world.ts'
import { createDelivery } from '../delivery.ts'
import { endpointsOf } from './store.ts'

/**
 * Returns the event types to which an endpoint of the tenant subscribes. Most tenants have no
 * endpoint and need no read.
 */
export async function subscribedTypes(world: World, tenant: string): Promise<readonly string[]> {
  const endpoints = await endpointsOf(world, tenant)
  if (endpoints.length === 0) return NONE
  return [...new Set(endpoints.flatMap(({ events }) => wantedBy(events)))]
}

type Onward = Pick<Delivery, 'hops' | 'traceparent'>

const NONE: readonly string[] = []

/**
 * Creates the deliveries of one event, for all subscribers except `except`. `href` is the URL of
 * the full event, used if the event is too large. Returns false if it is uncertain whether a
 * delivery was created.
 */
export async function tellEndpoints(
  world: World,
  tenant: string,
  event: WebhookEvent,
  href: string,
  { except, ...onward }: Onward & { readonly except?: string } = {},
): Promise<boolean> {
  const endpoints = await endpointsOf(world, tenant)
  const subscribers = endpoints.filter(
    ({ id, events }) => id !== except && wants(events, event.type),
  )
  const results = await Promise.all(
    subscribers.map((endpoint) => deliver(world, tenant, endpoint, event, { href, ...onward })),
  )
  return results.every((result) => result === 'ok')
}

/**
 * Creates the delivery of an event to one endpoint; returns `ambiguous` if the outcome of the write
 * is unknown.
 */
export async function deliver(
  world: World,
  tenant: string,
  endpoint: Pick<Endpoint, 'id' | 'url' | 'format'>,
  event: WebhookEvent,
  { href, ...onward }: Onward & { readonly href: string },
): Promise<'ok' | 'ambiguous'> {
  const delivery = newDelivery(
    {
      id: deliveryId(event, endpoint.id),
      tenant,
      run_id: event.run_id,
      endpoint_id: endpoint.id,
      seq: event.seq,
      event_type: event.type,
      url: endpoint.url,
      ...formatted(endpoint),
      ...onward,
    },
    world.clock.now(),
  )
  const body = webhookBody(event, href, formatOf(endpoint))
  return createDelivery(world, delivery, body, null)
}

export const deliveryId = (event: Pick<WebhookEvent, 'id'>, endpoint: string): string =>
  derivedId('dlv', event.id, endpoint)
