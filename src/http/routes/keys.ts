/** Serves API keys: create, list, read, replace, and revoke. */

import * as z from 'zod'
import { editKey } from '../../engine/keys/edit.ts'
import {
  type CreatedKey,
  findKey,
  makeKey,
  revokeKey,
  rotateKey,
} from '../../engine/keys/manage.ts'
import { keysList } from '../../engine/partition/keys.ts'
import { hasExpired, type StoredKey, storedKeyOf } from '../../engine/tenant/api-keys.ts'
import { conditions, revisionOf } from '../request/conditions.ts'
import { IdempotencyKey, keyedOf, replayHeader } from '../request/idempotency.ts'
import { page } from '../request/page.ts'
import { granted, refuse } from '../request/problem.ts'
import { type Api, type Call, type Route, route } from '../request/route.ts'
import { list, pageQuery } from '../schemas/shared/common.ts'
import { Key, KeyInput, KeyPatch, KeyRotation, KeyWithText } from '../schemas/tenant/keys.ts'

const params = { id: "ID of the key: the 16 characters after `strata_` in the key's text" }
const tag = 'Keys'
const SOON = 'Other processes apply the change within 5 seconds.'

export function keyRoutes(api: Api): void {
  makeAndList(api)
  itemRoutes(api)
  changes(api)
}

type KeyCall = Pick<Call<Route>, 'c' | 'world' | 'tenant' | 'by'>
const makerOf = ({ c, world, tenant, by }: KeyCall) => {
  const { scopes } = c.get('principal')
  return { world, tenant, by, scopes }
}
const idOf = ({ c }: KeyCall): string => {
  const id = c.req.param('id') ?? ''
  if (/^[0-9a-z]{16}$/.test(id)) return id
  throw missing()
}
const missing = () => refuse('not_found', 'API key not found.')

const keyView =
  ({ by, world }: KeyCall) =>
  (key: StoredKey) => ({
    id: key.key_id,
    object: 'api_key' as const,
    name: key.name ?? null,
    scopes: key.scopes,
    current: key.key_id === by,
    expired: hasExpired(key, world.clock.now()),
    expires_at: key.expires_at ?? null,
    created_at: key.created_at,
    last_used_at: key.last_used_at ?? null,
    addresses: key.addresses ?? null,
    rate_limits: key.rate_limits ?? null,
    quotas: key.quotas ?? null,
  })

function madeAnswer(call: KeyCall, { key, stored, replayed }: CreatedKey): Response {
  const headers = { location: `/v1/keys/${stored.key_id}`, ...replayHeader(replayed) }
  return call.c.json({ ...keyView(call)(stored), key: key ?? null }, 201, headers)
}

function makeAndList(api: Api): void {
  route(
    api,
    {
      id: 'createApiKey',
      method: 'post',
      path: '/v1/keys',
      tag,
      summary: 'Create an API key',
      description:
        "The key's text is returned only once and never stored. Repeating the request does " +
        'not return it again; revoke a key whose text is lost.',
      scope: 'keys:write',
      headers: z.object({ 'idempotency-key': IdempotencyKey }),
      body: KeyInput,
      refusals: [403, 429],
      answers: { 201: { description: 'Created', schema: KeyWithText, headers: ['Location'] } },
    },
    async (call) => {
      const { c, body } = call
      return madeAnswer(call, granted(await makeKey(makerOf(call), body, keyedOf(c))))
    },
  )
  route(
    api,
    {
      id: 'listApiKeys',
      method: 'get',
      path: '/v1/keys',
      tag,
      summary: 'List API keys, newest first',
      description: 'Keys created before key listing was introduced are not included.',
      scope: 'keys:read',
      query: z.strictObject(pageQuery),
      answers: { 200: { description: 'The requested data', schema: list(Key) } },
    },
    async (call) => {
      const { c, world, tenant, query } = call
      const show = keyView(call)
      return c.json(await page(world, keysList(tenant), query, (body) => show(storedKeyOf(body))))
    },
  )
}

const etagOf = ({ revision = 1 }: StoredKey) => ({ etag: `"${revision}"` })

function changes(api: Api): void {
  route(
    api,
    {
      id: 'updateApiKey',
      method: 'patch',
      path: '/v1/keys/{id}',
      params,
      tag,
      summary: 'Update an API key',
      description:
        'Omitted members are unchanged. To change a key, the calling key must have all scopes ' +
        `of that key; a key can change only its own name. ${SOON}`,
      scope: 'keys:write',
      headers: conditions,
      body: KeyPatch,
      refusals: [409],
      answers: { 200: { description: 'The updated key', schema: Key } },
    },
    async (call) => {
      const { c, body } = call
      const key = granted(await editKey(makerOf(call), idOf(call), body, revisionOf(c)))
      return c.json(keyView(call)(key), 200, etagOf(key))
    },
  )
}

function itemRoutes(api: Api): void {
  route(
    api,
    {
      id: 'getApiKey',
      method: 'get',
      path: '/v1/keys/{id}',
      params,
      tag,
      summary: 'Get an API key',
      description: "The key's text is not included, because it is never stored.",
      scope: 'keys:read',
      answers: { 200: { description: 'The requested data', schema: Key } },
    },
    async (call) => {
      const stored = await findKey(call, idOf(call))
      if (!stored) throw missing()
      return call.c.json(keyView(call)(stored.key), 200, etagOf(stored.key))
    },
  )
  route(
    api,
    {
      id: 'rotateApiKey',
      method: 'post',
      path: '/v1/keys/{id}/rotate',
      params,
      tag,
      summary: 'Rotate an API key',
      description:
        'Creates a key with the same name, scopes, and expiry; the previous key remains valid ' +
        `for a limited time. ${SOON}`,
      scope: 'keys:write',
      headers: z.object({ 'idempotency-key': IdempotencyKey }),
      body: KeyRotation,
      bodyOptional: true,
      refusals: [403, 409, 429],
      answers: {
        201: { description: 'The new key', schema: KeyWithText, headers: ['Location'] },
      },
    },
    async (call) => {
      const { overlap_seconds } = call.body
      const idempotency = keyedOf(call.c)
      const rotated = await rotateKey(makerOf(call), idOf(call), overlap_seconds, idempotency)
      return madeAnswer(call, granted(rotated))
    },
  )
  route(
    api,
    {
      id: 'revokeApiKey',
      method: 'delete',
      path: '/v1/keys/{id}',
      params,
      tag,
      summary: 'Revoke an API key',
      description: `A key cannot revoke itself. ${SOON}`,
      scope: 'keys:write',
      refusals: [409],
      answers: { 204: { description: 'Revoked' } },
    },
    async (call) => {
      granted(await revokeKey(makerOf(call), idOf(call)))
      return call.c.body(null, 204)
    },
  )
}
