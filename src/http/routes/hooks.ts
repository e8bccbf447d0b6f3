/** Hooks: made and deleted with a key; sent to with a signature. */

import type { Context } from 'hono'
import * as z from 'zod'
import type { Hook } from '../../core/hook.ts'
import { LIMITS } from '../../core/limits.ts'
import { createHook, deleteHook } from '../../engine/hook/manage.ts'
import { receiveHook } from '../../engine/hook/receive.ts'
import { type HookHead, readHook } from '../../engine/hook/store.ts'
import { hooksList } from '../../engine/names.ts'
import { iso } from '../../lib/time.ts'
import { readBytes } from '../body.ts'
import { IdempotencyKey, keyedOf, replayHeader } from '../idempotency.ts'
import { granted } from '../manage.ts'
import { page } from '../page.ts'
import { Refused, refuse } from '../problem.ts'
import type { Api, Env } from '../route.ts'
import { route } from '../route.ts'
import { list, pageQuery } from '../schemas/common.ts'
import { HookInput, HookReceived, Hook as HookSchema, HookWithSecret } from '../schemas/hooks.ts'

const HOOK_ID = /^hk_[0-9a-z]{26}$/
const params = { id: 'A hook id' }
const tag = 'Hooks'

export function hookRoutes(api: Api): void {
  makeAndList(api)
  readAndDelete(api)
  receive(api)
}

const missing = () => refuse('not_found', 'There is no such hook.')

/** The id in the path; what cannot be one does not exist. */
function idOf(c: Context<Env>): string {
  const id = c.req.param('id') ?? ''
  if (!HOOK_ID.test(id)) throw missing()
  return id
}

function makeAndList(api: Api): void {
  route(
    api,
    {
      method: 'post',
      path: '/v1/hooks',
      tag,
      summary: 'Create a hook',
      description: 'Whoever signs with its secret can start the run that it describes, no other.',
      scope: 'hooks:write',
      headers: z.object({ 'idempotency-key': IdempotencyKey }),
      body: HookInput,
      answers: { 201: { description: 'Created', schema: HookWithSecret } },
    },
    async ({ c, world, tenant, body }) => {
      const asker = { world, tenant, by: c.get('principal').key_id }
      const made = granted(await createHook(asker, body, keyedOf(c)))
      const secret = made.secret === undefined ? {} : { secret: made.secret }
      const location = `/v1/hooks/${made.hook.id}`
      return c.json({ ...shown(made.hook), ...secret }, 201, {
        location,
        ...replayHeader(made.replayed),
      })
    },
  )
  route(
    api,
    {
      method: 'get',
      path: '/v1/hooks',
      tag,
      summary: 'List hooks, newest first',
      scope: 'hooks:read',
      query: z.strictObject(pageQuery),
      answers: { 200: { description: 'Found', schema: list(HookSchema) } },
    },
    async ({ c, world, tenant, query }) =>
      c.json(await page(world, hooksList(tenant), query, (head) => shown((head as HookHead).hook))),
  )
}

function readAndDelete(api: Api): void {
  route(
    api,
    {
      method: 'get',
      path: '/v1/hooks/{id}',
      params,
      tag,
      summary: 'Look at a hook',
      scope: 'hooks:read',
      answers: { 200: { description: 'Found', schema: HookSchema } },
    },
    async ({ c, world, tenant }) => {
      const found = await readHook(world, idOf(c))
      if (found?.hook.tenant !== tenant) throw missing()
      return c.json(shown(found.hook))
    },
  )
  route(
    api,
    {
      method: 'delete',
      path: '/v1/hooks/{id}',
      params,
      tag,
      summary: 'Delete a hook',
      description: 'What it has started goes on.',
      scope: 'hooks:write',
      answers: { 204: { description: 'It is gone' } },
    },
    async ({ c, world, tenant }) => {
      const asker = { world, tenant, by: c.get('principal').key_id }
      if (!(await deleteHook(asker, idOf(c)))) throw missing()
      return c.body(null, 204)
    },
  )
}

const RETRY_SECONDS = '60'

function receive(api: Api): void {
  route(
    api,
    {
      method: 'post',
      path: '/v1/hooks/{id}',
      params,
      tag,
      summary: 'Send to a hook',
      description:
        'No API key: the signature over the raw bytes counts. 202 once the run is durable; the ' +
        'same message again, within 24 hours, is 200 with the run it has started. What is in the ' +
        'payload is data: agent, tools and session are the ones of the hook.',
      scope: null,
      rawBody: 'application/json',
      answers: {
        200: { description: 'It had come before, or starts no run', schema: HookReceived },
        202: { description: 'A run was started', schema: HookReceived },
      },
    },
    async ({ c, world }) => {
      const body = await readBytes(c.req, LIMITS.json_body_bytes)
      const id = c.req.param('id') ?? ''
      const headers = Object.fromEntries(c.req.raw.headers)
      // An id that cannot be one is as unknown as any other: a stranger learns nothing.
      const received = await receiveHook(world, HOOK_ID.test(id) ? id : '-', { headers, body })
      if (!received.ok) {
        const limited = received.error.code === 'rate_limited'
        throw new Refused(received.error, limited ? { 'retry-after': RETRY_SECONDS } : {})
      }
      const { run_id, replayed } = received.value
      const fresh = run_id !== null && !replayed
      return c.json({ run_id }, fresh ? 202 : 200, replayHeader(replayed))
    },
  )
}

const shown = (hook: Hook) => ({
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
