/** Tenants of the deployment. To keys of others than its operator these routes are not there. */

import * as z from 'zod'
import { TENANT_LIMITS, type TenantLimit, type TenantLimits } from '../../core/tenant-limits.ts'
import { TENANTS_LIST } from '../../engine/partition/keys.ts'
import { type StoredTenant, storedTenantOf } from '../../engine/tenant/state.ts'
import { deleteTenant } from '../../engine/tenants/delete.ts'
import { exportTenant } from '../../engine/tenants/export.ts'
import { changeTenant, findTenant, makeTenant } from '../../engine/tenants/manage.ts'
import { iso } from '../../lib/time.ts'
import { IdempotencyKey, keyedOf, replayHeader } from '../idempotency.ts'
import { page } from '../page.ts'
import { granted, refuse } from '../problem.ts'
import { type Api, type Call, type Route, route } from '../route.ts'
import { list, pageQuery } from '../schemas/common.ts'
import {
  TENANT_ID,
  Tenant,
  TenantChange,
  TenantInput,
  TenantLine,
  TenantWithKey,
} from '../schemas/tenants.ts'
import { jsonLines } from '../stream/json-lines.ts'

const params = { id: "The tenant's id" }
const tag = 'Tenants'
const OPERATOR = "Only for keys of the deployment's own tenant; to others there is no such path."

export function tenantRoutes(api: Api): void {
  makeAndList(api)
  one(api)
  exported(api)
}

/** Each by its name, also those that are not set. */
const shownLimits = (limits: TenantLimits = {}) =>
  Object.fromEntries(TENANT_LIMITS.map((name) => [name, limits[name] ?? null])) as {
    readonly [name in TenantLimit]: number | null
  }

const missing = () => refuse('not_found', 'There is no such tenant.')
function idOf({ c }: Pick<Call<Route>, 'c'>): string {
  const id = c.req.param('id') ?? ''
  if (TENANT_ID.test(id)) return id
  throw missing()
}

const shown = ({ id, name, status, created_at, updated_at, deletion, ...more }: StoredTenant) => ({
  ...{ id, object: 'tenant' as const, name, status, created_at, updated_at },
  limits: shownLimits(more.limits),
  encrypted: more.encrypted === true,
  deletion: deletion && {
    began_at: iso(deletion.began_at),
    ended_at: deletion.ended_at === null ? null : iso(deletion.ended_at),
    ...{ rows: deletion.rows, objects: deletion.objects, left: deletion.left },
  },
})

function makeAndList(api: Api): void {
  route(
    api,
    {
      id: 'createTenant',
      method: 'post',
      path: '/v1/tenants',
      tag,
      summary: 'Make a tenant',
      description: `With its first key, whose text is shown once. ${OPERATOR}`,
      scope: 'tenants:write',
      operator: true,
      headers: z.object({ 'idempotency-key': IdempotencyKey }),
      body: TenantInput,
      refusals: [404, 409, 422, 429],
      answers: { 201: { description: 'Made', schema: TenantWithKey, headers: ['Location'] } },
    },
    async ({ c, world, tenant, by, body }) => {
      const made = granted(await makeTenant({ world, tenant, by }, body, keyedOf(c)))
      const key = { id: made.key.key_id, text: made.text ?? null }
      const headers = { location: `/v1/tenants/${body.id}`, ...replayHeader(made.replayed) }
      return c.json({ ...shown(made.tenant), key }, 201, headers)
    },
  )
  route(
    api,
    {
      id: 'listTenants',
      method: 'get',
      path: '/v1/tenants',
      tag,
      summary: 'List tenants, newest first',
      description: `Without those that are deleted. ${OPERATOR}`,
      scope: 'tenants:read',
      operator: true,
      query: z.strictObject(pageQuery),
      refusals: [404],
      answers: { 200: { description: 'Found', schema: list(Tenant) } },
    },
    async ({ c, world, query }) =>
      c.json(await page(world, TENANTS_LIST, query, (body) => shown(storedTenantOf(body)))),
  )
}

function one(api: Api): void {
  route(
    api,
    {
      id: 'getTenant',
      method: 'get',
      path: '/v1/tenants/{id}',
      params,
      tag,
      summary: 'Look at a tenant',
      description: `Also at one that was deleted. ${OPERATOR}`,
      scope: 'tenants:read',
      operator: true,
      answers: { 200: { description: 'Found', schema: Tenant } },
    },
    async (call) => {
      const found = await findTenant(call.world, idOf(call))
      if (!found) throw missing()
      return call.c.json(shown(found.tenant))
    },
  )
  route(
    api,
    {
      id: 'updateTenant',
      method: 'patch',
      path: '/v1/tenants/{id}',
      params,
      tag,
      summary: 'Suspend, resume or name a tenant, or set its limits',
      description: `A suspended tenant keeps all that it has. ${OPERATOR}`,
      scope: 'tenants:write',
      operator: true,
      body: TenantChange,
      refusals: [409],
      answers: { 200: { description: 'Changed', schema: Tenant } },
    },
    async (call) => {
      const { c, world, tenant, by, body } = call
      const changed = await changeTenant({ world, tenant, by }, idOf(call), body)
      return c.json(shown(granted(changed)))
    },
  )
  route(
    api,
    {
      id: 'deleteTenant',
      method: 'delete',
      path: '/v1/tenants/{id}',
      params,
      tag,
      summary: 'Delete a tenant with everything of theirs',
      description:
        'Its keys are refused at once, runs under way end where they are, and all that it has ' +
        'goes: runs, sessions, files, secrets, its audit. It takes a while, survives restarts ' +
        'and cannot be undone; `GET /v1/tenants/{id}` shows how far it is. The id is not used ' +
        `again. ${OPERATOR}`,
      scope: 'tenants:write',
      operator: true,
      answers: { 202: { description: 'It is being deleted, or was', schema: Tenant } },
    },
    async (call) => {
      const { c, world, tenant, by } = call
      return c.json(shown(granted(await deleteTenant({ world, tenant, by }, idOf(call)))), 202)
    },
  )
}

function exported(api: Api): void {
  route(
    api,
    {
      id: 'exportTenant',
      method: 'get',
      path: '/v1/tenants/{id}/export',
      params,
      tag,
      summary: 'Export all that a tenant has',
      description:
        'JSON Lines: its rows as the engine reads them, also those of an encrypted tenant, ' +
        'secrets in them sealed and keys by their hashes alone; then its files and bodies in ' +
        'base64. What changes meanwhile comes as it is when it is read; suspend the tenant for ' +
        'a picture of one moment. It is whole only with its last line, which says what this ' +
        'host cannot list; where an invocation is limited (Workers, Lambda), that of a large ' +
        'tenant may end before. The audit notes it. ' +
        OPERATOR,
      scope: 'tenants:read',
      operator: true,
      answers: {
        200: { description: 'All of it', type: 'application/jsonl', schema: TenantLine },
      },
    },
    async (call) => {
      const { world, tenant, by } = call
      const lines = await exportTenant({ world, tenant, by }, idOf(call))
      if (!lines) throw missing()
      return jsonLines(lines)
    },
  )
}
