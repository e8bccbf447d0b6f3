/** Serves webhook endpoints: create, read, change, and test. Endpoint secrets are shown once. */

import * as z from 'zod'
import type { Endpoint } from '../../core/webhook/endpoint.ts'
import { formatOf } from '../../core/webhook/format.ts'
import { endpointPartition, endpointsList } from '../../engine/partition/keys.ts'
import { readDelivery } from '../../engine/webhook/delivery.ts'
import {
  createEndpoint,
  deleteEndpoint,
  editEndpoint,
  rotateSecret,
  testEndpoint,
} from '../../engine/webhook/endpoint/manage.ts'
import { endpointHeadOf, readEndpoint } from '../../engine/webhook/endpoint/store.ts'
import { iso } from '../../lib/time.ts'
import { conditions, revisionOf } from '../request/conditions.ts'
import { IdempotencyKey, keyedOf, replayHeader } from '../request/idempotency.ts'
import { page } from '../request/page.ts'
import { pathId, type WithId } from '../request/path-id.ts'
import { granted, refuse } from '../request/problem.ts'
import type { Api } from '../request/route.ts'
import { route } from '../request/route.ts'
import { list, NoBody, pageQuery } from '../schemas/shared/common.ts'
import { Delivery } from '../schemas/webhooks/deliveries.ts'
import {
  EndpointInput,
  EndpointPatch,
  Endpoint as EndpointSchema,
  EndpointWithSecret,
} from '../schemas/webhooks/endpoints.ts'
import { shownDelivery } from './deliveries.ts'
// This import registers the webhook bodies as schemas of the contract.
import '../schemas/events/webhook-body.ts'
import { PATH_ID } from '../schemas/shared/words.ts'

const params = { id: PATH_ID.endpoint }
const tag = 'Webhooks'

export function endpointRoutes(api: Api): void {
  makeAndList(api)
  readAndChange(api)
  remove(api)
  rotate(api)
  test(api)
}

const missing = () => refuse('not_found', 'Webhook endpoint not found.')

const idOf = (c: WithId): string => pathId(c, 'whe', missing)

function makeAndList(api: Api): void {
  route(
    api,
    {
      id: 'createWebhookEndpoint',
      method: 'post',
      path: '/v1/webhook-endpoints',
      tag,
      summary: 'Create a webhook endpoint',
      description:
        'The endpoint receives events immediately, or within 30 seconds on cloud platforms.',
      scope: 'webhooks:write',
      headers: z.object({ 'idempotency-key': IdempotencyKey }),
      body: EndpointInput,
      refusals: [429],
      answers: {
        201: {
          description: 'Created',
          schema: EndpointWithSecret,
          headers: ['Location', 'ETag'],
        },
      },
    },
    async (call) => {
      const { c, body } = call
      const idempotency = keyedOf(c)
      const { endpoint, secret, replayed } = granted(await createEndpoint(call, body, idempotency))
      const location = `/v1/webhook-endpoints/${endpoint.id}`
      const headers = { location, ...etagOf(endpoint), ...replayHeader(replayed) }
      return c.json(withSecret(endpoint, secret), 201, headers)
    },
  )
  route(
    api,
    {
      id: 'listWebhookEndpoints',
      method: 'get',
      path: '/v1/webhook-endpoints',
      tag,
      summary: 'List webhook endpoints, newest first',
      description: "Includes each endpoint's health. Secrets are never returned again.",
      scope: 'webhooks:read',
      query: z.strictObject(pageQuery),
      answers: { 200: { description: 'The requested data', schema: list(EndpointSchema) } },
    },
    async ({ c, world, tenant, query }) =>
      c.json(
        await page(world, endpointsList(tenant), query, (body) =>
          endpointView(endpointHeadOf(body).endpoint),
        ),
      ),
  )
}

function readAndChange(api: Api): void {
  route(
    api,
    {
      id: 'getWebhookEndpoint',
      method: 'get',
      path: '/v1/webhook-endpoints/{id}',
      params,
      tag,
      summary: 'Get a webhook endpoint',
      description:
        "Includes the endpoint's health: the time of the first failure, and the reason if the " +
        'endpoint is disabled. Use the ETag for `If-Match`.',
      scope: 'webhooks:read',
      answers: { 200: { description: 'The requested data', schema: EndpointSchema } },
    },
    async ({ c, world, tenant }) => {
      const stored = await readEndpoint(world, endpointPartition(tenant, idOf(c)))
      if (!stored || stored.endpoint.deleted) throw missing()
      return c.json(endpointView(stored.endpoint), 200, etagOf(stored.endpoint))
    },
  )
  route(
    api,
    {
      id: 'updateWebhookEndpoint',
      method: 'patch',
      path: '/v1/webhook-endpoints/{id}',
      params,
      tag,
      summary: 'Update a webhook endpoint',
      description: 'Omitted members are unchanged. The update applies to all subsequent attempts.',
      scope: 'webhooks:write',
      headers: conditions,
      body: EndpointPatch,
      answers: { 200: { description: 'The resource after the update', schema: EndpointSchema } },
    },
    async (call) => {
      const { c, body } = call
      const changed = await editEndpoint(call, idOf(c), body, revisionOf(c))
      const endpoint = granted(changed)
      return c.json(endpointView(endpoint), 200, etagOf(endpoint))
    },
  )
}

function remove(api: Api): void {
  route(
    api,
    {
      id: 'deleteWebhookEndpoint',
      method: 'delete',
      path: '/v1/webhook-endpoints/{id}',
      params,
      tag,
      summary: 'Delete a webhook endpoint',
      description: 'Discards pending deliveries to the endpoint.',
      scope: 'webhooks:write',
      headers: conditions,
      answers: { 204: { description: 'Deleted' } },
    },
    async (call) => {
      granted(await deleteEndpoint(call, idOf(call.c), revisionOf(call.c)))
      return call.c.body(null, 204)
    },
  )
}

function rotate(api: Api): void {
  route(
    api,
    {
      id: 'rotateWebhookEndpointSecret',
      method: 'post',
      path: '/v1/webhook-endpoints/{id}/rotate-secret',
      params,
      tag,
      summary: "Rotate an endpoint's secret",
      description:
        'For 24 hours, webhooks are signed with the new secret and the previous secret. The ' +
        'new secret is returned only once.',
      scope: 'webhooks:write',
      headers: z.object({ 'idempotency-key': IdempotencyKey }),
      body: NoBody,
      bodyOptional: true,
      refusals: [429],
      answers: {
        200: {
          description: 'The resource with the new secret',
          schema: EndpointWithSecret,
          headers: ['ETag'],
        },
      },
    },
    async (call) => {
      const { c } = call
      const idempotency = keyedOf(c)
      const rotated = granted(await rotateSecret(call, idOf(c), idempotency))
      const headers = { ...etagOf(rotated.endpoint), ...replayHeader(rotated.replayed) }
      return c.json(withSecret(rotated.endpoint, rotated.secret), 200, headers)
    },
  )
}

function test(api: Api): void {
  route(
    api,
    {
      id: 'testWebhookEndpoint',
      method: 'post',
      path: '/v1/webhook-endpoints/{id}/test',
      params,
      tag,
      summary: 'Send a test event',
      description:
        'Sends an `endpoint.test` event with `test: true`. Get the returned delivery to see ' +
        'the result.',
      scope: 'webhooks:write',
      headers: z.object({ 'idempotency-key': IdempotencyKey }),
      body: NoBody,
      bodyOptional: true,
      answers: {
        202: { description: 'The delivery is scheduled', schema: Delivery, headers: ['Location'] },
      },
    },
    async (call) => {
      const { c, world, tenant } = call
      const idempotency = keyedOf(c)
      const { delivery, replayed } = granted(await testEndpoint(call, idOf(c), idempotency))
      const stored = await readDelivery(world, tenant, delivery)
      if (!stored)
        throw refuse('unavailable', 'The delivery is temporarily unavailable; retry the request.')
      const location = `/v1/webhook-deliveries/${delivery}`
      return c.json(shownDelivery(stored.delivery), 202, { location, ...replayHeader(replayed) })
    },
  )
}

const etagOf = ({ revision }: Endpoint) => ({ etag: `"${revision}"` })

const withSecret = (endpoint: Endpoint, secret: string | undefined) => ({
  ...endpointView(endpoint),
  ...(secret === undefined ? {} : { secret }),
})

const time = (ms: number | null): string | null => (ms === null ? null : iso(ms))

const endpointView = (endpoint: Endpoint) => ({
  id: endpoint.id,
  object: 'webhook_endpoint' as const,
  url: endpoint.url,
  events: endpoint.events,
  description: endpoint.description,
  format: formatOf(endpoint),
  enabled: endpoint.enabled,
  disabled_reason: endpoint.disabled_reason,
  failing_since: time(endpoint.failing_since),
  open_until: time(endpoint.open_until),
  created_at: iso(endpoint.created_at),
})
