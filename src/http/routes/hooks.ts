/** Serves inbound hooks, which are created and deleted with a key and invoked with a signature. */

import * as z from 'zod'
import { LIMITS } from '../../core/limits.ts'
import type { InboundHook } from '../../core/webhook/inbound.ts'
import type { HookShown } from '../../engine/inbound/manage.ts'
import { createHook, deleteHook, editHook, rotateHook } from '../../engine/inbound/manage.ts'
import { receiveHook } from '../../engine/inbound/receive.ts'
import { hookHeadOf, readHook } from '../../engine/inbound/store.ts'
import { hooksList } from '../../engine/partition/keys.ts'
import { isId } from '../../lib/id.ts'
import { iso } from '../../lib/time.ts'
import { readBytes } from '../request/body.ts'
import { conditions, revisionOf } from '../request/conditions.ts'
import { IdempotencyKey, keyedOf, replayHeader } from '../request/idempotency.ts'
import { withSender } from '../request/origin.ts'
import { page } from '../request/page.ts'
import { pathId, type WithId } from '../request/path-id.ts'
import { granted, RequestRefused, refuse } from '../request/problem.ts'
import type { Api } from '../request/route.ts'
import { route } from '../request/route.ts'
import { withSubject } from '../request/subject.ts'
import { Traceparent } from '../request/traceparent.ts'
import { list, pageQuery } from '../schemas/shared/common.ts'
import { PATH_ID } from '../schemas/shared/words.ts'
import {
  HookInput,
  HookMessage,
  HookPatch,
  HookReceived,
  HookRotation,
  Hook as HookSchema,
  HookWithSecret,
} from '../schemas/triggers/hooks.ts'

const params = { id: PATH_ID.hook }
const tag = 'Hooks'

export function hookRoutes(api: Api): void {
  makeAndList(api)
  readAndDelete(api)
  change(api)
  rotate(api)
  receive(api)
}

const missing = () => refuse('not_found', 'Hook not found.')

const idOf = (c: WithId): string => pathId(c, 'hk', missing)

function makeAndList(api: Api): void {
  route(
    api,
    {
      id: 'createHook',
      method: 'post',
      path: '/v1/hooks',
      tag,
      summary: 'Create a hook',
      description:
        "A sender that signs with the hook's secret can start only the run that the hook " +
        'describes.',
      scope: 'hooks:write',
      headers: z.object({ 'idempotency-key': IdempotencyKey }),
      body: HookInput,
      refusals: [429],
      answers: {
        201: { description: 'Created', schema: HookWithSecret, headers: ['Location', 'ETag'] },
      },
    },
    async ({ c, world, tenant, by, body }) => {
      const created = granted(
        await createHook({ world, tenant, by }, withSubject(c.get('principal'), body), keyedOf(c)),
      )
      const location = `/v1/hooks/${created.hook.id}`
      const headers = { location, ...etagOf(created.hook), ...replayHeader(created.replayed) }
      return c.json(withSecret(created), 201, headers)
    },
  )
  route(
    api,
    {
      id: 'listHooks',
      method: 'get',
      path: '/v1/hooks',
      tag,
      summary: 'List hooks, newest first',
      description: 'Secrets are not included; they are never returned again.',
      scope: 'hooks:read',
      query: z.strictObject(pageQuery),
      answers: { 200: { description: 'The requested data', schema: list(HookSchema) } },
    },
    async ({ c, world, tenant, query }) =>
      c.json(
        await page(world, hooksList(tenant), query, (body) => hookView(hookHeadOf(body).hook)),
      ),
  )
}

function readAndDelete(api: Api): void {
  route(
    api,
    {
      id: 'getHook',
      method: 'get',
      path: '/v1/hooks/{id}',
      params,
      tag,
      summary: 'Get a hook',
      description: 'The secret is not included. Use the ETag for `If-Match`.',
      scope: 'hooks:read',
      answers: { 200: { description: 'The requested data', schema: HookSchema } },
    },
    async ({ c, world, tenant }) => {
      const stored = await readHook(world, idOf(c))
      if (stored?.hook.tenant !== tenant) throw missing()
      return c.json(hookView(stored.hook), 200, etagOf(stored.hook))
    },
  )
  route(
    api,
    {
      id: 'deleteHook',
      method: 'delete',
      path: '/v1/hooks/{id}',
      params,
      tag,
      summary: 'Delete a hook',
      description: 'Runs that have already started continue.',
      scope: 'hooks:write',
      headers: conditions,
      answers: { 204: { description: 'Deleted' } },
    },
    async (call) => {
      granted(await deleteHook(call, idOf(call.c), revisionOf(call.c)))
      return call.c.body(null, 204)
    },
  )
}

function change(api: Api): void {
  route(
    api,
    {
      id: 'updateHook',
      method: 'patch',
      path: '/v1/hooks/{id}',
      params,
      tag,
      summary: 'Update a hook',
      description:
        'Omitted members are unchanged; null removes a field. The update applies to all ' +
        'subsequent messages. The URL and secret do not change.',
      scope: 'hooks:write',
      headers: conditions,
      body: HookPatch,
      answers: { 200: { description: 'The resource after the update', schema: HookSchema } },
    },
    async (call) => {
      const { c, body } = call
      const change = withSubject(c.get('principal'), body)
      const hook = granted(await editHook(call, idOf(c), change, revisionOf(c)))
      return c.json(hookView(hook), 200, etagOf(hook))
    },
  )
}

function rotate(api: Api): void {
  route(
    api,
    {
      id: 'rotateHookSecret',
      method: 'post',
      path: '/v1/hooks/{id}/rotate-secret',
      params,
      tag,
      summary: "Rotate a hook's secret",
      description:
        'The new secret is taken from the request or generated. It is returned only once and ' +
        'accepted immediately. The previous secret is accepted for 24 more hours.',
      scope: 'hooks:write',
      headers: z.object({ 'idempotency-key': IdempotencyKey }),
      body: HookRotation,
      bodyOptional: true,
      refusals: [429],
      answers: {
        200: {
          description: 'The resource with the new secret',
          schema: HookWithSecret,
          headers: ['ETag'],
        },
      },
    },
    async (call) => {
      const { c, body } = call
      const idempotency = keyedOf(c)
      const done = granted(await rotateHook(call, idOf(c), body.secret, idempotency))
      return c.json(withSecret(done), 200, { ...etagOf(done.hook), ...replayHeader(done.replayed) })
    },
  )
}

const RETRY_SECONDS = 60

function receive(api: Api): void {
  route(
    api,
    {
      id: 'receiveHook',
      method: 'post',
      path: '/v1/hooks/{id}',
      params,
      tag,
      summary: 'Send a message to a hook',
      description:
        'Requires no API key: the signature over the raw bytes authenticates the sender. ' +
        'Returns 202 once the run is durable. Repeating a message within 24 hours returns 200 ' +
        'with the run that the message started. The payload is data: the hook defines the ' +
        'agent, tools, and session. A Strata webhook that has passed through 8 hooks does not ' +
        'start a run; the response is 422 `hook_loop`. With the schemes `github` and `slack`, ' +
        'the JSON can be in the form field `payload`.',
      scope: null,
      headers: z.object({ traceparent: Traceparent }),
      rawBody: 'application/json',
      rawShape: HookMessage,
      refusals: [401, 403, 422, 429],
      answers: {
        200: {
          description: 'The message was received before, or does not start a run',
          schema: HookReceived,
          headers: ['Idempotency-Replayed'],
        },
        202: { description: 'The run was started', schema: HookReceived },
      },
    },
    async ({ c, world }) => {
      const body = await readBytes(c.req, LIMITS.json_body_bytes)
      const id = c.req.param('id') ?? ''
      const headers = Object.fromEntries(c.req.raw.headers)
      // An invalid hook ID is handled like an unknown ID, so an unauthorized sender learns nothing.
      const origin = withSender(world, c)
      const received = await receiveHook(origin, isId('hk', id) ? id : '-', { headers, body })
      if (!received.ok) {
        const limited = received.error.code === 'rate_limited'
        const seconds = String(received.error.retry_seconds ?? RETRY_SECONDS)
        throw new RequestRefused(received.error, limited ? { 'retry-after': seconds } : {})
      }
      const { run_id, replayed, challenge } = received.value
      const fresh = run_id !== null && !replayed
      const more = challenge === undefined ? {} : { challenge }
      return c.json({ run_id, ...more }, fresh ? 202 : 200, replayHeader(replayed))
    },
  )
}

const etagOf = ({ revision }: InboundHook) => ({ etag: `"${revision}"` })

const withSecret = ({ hook, secret }: HookShown) => ({
  ...hookView(hook),
  ...(secret === undefined ? {} : { secret }),
})

const hookView = (hook: InboundHook) => ({
  id: hook.id,
  object: 'hook' as const,
  url_path: `/v1/hooks/${hook.id}`,
  scheme: hook.scheme,
  template: hook.template,
  events: hook.events,
  description: hook.description,
  public_keys: hook.public_keys,
  run: hook.run,
  created_at: iso(hook.created_at),
})
