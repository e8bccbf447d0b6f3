/** Serves tenants to the operator: create, list, pause, suspend, and resume. */

import * as z from 'zod'
import { DEFAULT_TENANT, TENANTS_LIST } from '../../engine/partition/keys.ts'
import { type StoredTenant, storedTenantOf } from '../../engine/tenant/state.ts'
import { changeState, type StateChange } from '../../engine/tenants/change-state.ts'
import { deleteTenant } from '../../engine/tenants/delete.ts'
import { createTenant, editTenant, encryptionOf, findTenant } from '../../engine/tenants/manage.ts'
import { iso } from '../../lib/time.ts'
import { IdempotencyKey, keyedOf, replayHeader } from '../request/idempotency.ts'
import { page } from '../request/page.ts'
import { granted, refuse } from '../request/problem.ts'
import { type Api, type Call, type Route, route } from '../request/route.ts'
import { list, NoBody, pageQuery } from '../schemas/shared/common.ts'
import {
  TENANT_ID,
  Tenant,
  TenantChange,
  TenantInput,
  TenantSuspension,
  TenantWithKey,
} from '../schemas/tenant/tenants.ts'

const params = { id: 'ID of the tenant' }
const tag = 'Tenants'
const OPERATOR = 'Requires a key that belongs to the default tenant.'

export function tenantRoutes(api: Api): void {
  createAndList(api)
  edits(api)
  changes(api)
  remove(api)
}

type TenantCall = Pick<Call<Route>, 'c' | 'world' | 'tenant' | 'by'>

export const missingTenant = () => refuse('not_found', 'Tenant not found.')

/** Returns the ID in the request path; an invalid ID names no tenant. */
export function tenantIdOf({ c }: Pick<TenantCall, 'c'>): string {
  const id = c.req.param('id') ?? ''
  if (TENANT_ID.test(id)) return id
  throw missingTenant()
}

const tenantView = ({ id, name, status, created_at, updated_at, ...more }: StoredTenant) => ({
  ...{ id, object: 'tenant' as const, name, status, cancelling: more.cancels !== null },
  quotas: more.quotas ?? {},
  encryption: encryptionOf(more),
  deletion: more.deletion && {
    began_at: iso(more.deletion.began_at),
    ended_at: more.deletion.ended_at === null ? null : iso(more.deletion.ended_at),
    rows: more.deletion.rows,
    objects: more.deletion.objects,
    left: more.deletion.left,
  },
  created_at,
  updated_at,
})

function createAndList(api: Api): void {
  route(
    api,
    {
      id: 'createTenant',
      method: 'post',
      path: '/v1/tenants',
      tag,
      summary: 'Create a tenant',
      description:
        "Also creates the tenant's first key, whose text is returned only once and never stored. " +
        'With `encryption`, a deployment of several processes answers after 3 seconds, when all of ' +
        `them know the tenant. ${OPERATOR}`,
      scope: 'tenants:write',
      operator: true,
      headers: z.object({ 'idempotency-key': IdempotencyKey }),
      body: TenantInput,
      refusals: [409],
      answers: { 201: { description: 'Created', schema: TenantWithKey, headers: ['Location'] } },
    },
    async ({ c, world, tenant, by, body }) => {
      const created = granted(await createTenant({ world, tenant, by }, body, keyedOf(c)))
      const key = { id: created.key.key_id, text: created.text ?? null }
      const headers = { location: `/v1/tenants/${body.id}`, ...replayHeader(created.replayed) }
      return c.json({ ...tenantView(created.tenant), key }, 201, headers)
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
      description:
        'Deleted tenants are not included. The default tenant is included after its first ' +
        `pause. ${OPERATOR}`,
      scope: 'tenants:read',
      operator: true,
      query: z.strictObject(pageQuery),
      answers: { 200: { description: 'The requested data', schema: list(Tenant) } },
    },
    async ({ c, world, query }) =>
      c.json(await page(world, TENANTS_LIST, query, (body) => tenantView(storedTenantOf(body)))),
  )
  route(
    api,
    {
      id: 'getTenant',
      method: 'get',
      path: '/v1/tenants/{id}',
      params,
      tag,
      summary: 'Get a tenant',
      description: `Also returns deleted tenants. ${OPERATOR}`,
      scope: 'tenants:read',
      operator: true,
      answers: { 200: { description: 'The requested data', schema: Tenant } },
    },
    async (call) => {
      const existing = await findTenant(call.world, tenantIdOf(call))
      if (!existing) throw missingTenant()
      return call.c.json(tenantView(existing.tenant))
    },
  )
}

function edits(api: Api): void {
  route(
    api,
    {
      id: 'updateTenant',
      method: 'patch',
      path: '/v1/tenants/{id}',
      params,
      tag,
      summary: 'Change a tenant',
      description:
        'Quotas apply to new work within 5 seconds. Work above a quota is refused, or fails, ' +
        `with \`quota_exceeded\`. ${OPERATOR}`,
      scope: 'tenants:write',
      operator: true,
      body: TenantChange,
      refusals: [409],
      answers: { 200: { description: 'The changed tenant', schema: Tenant } },
    },
    async (call) => {
      const { c, world, by, body } = call
      const asker = { world, tenant: DEFAULT_TENANT, by }
      return c.json(tenantView(granted(await editTenant(asker, tenantIdOf(call), body))))
    },
  )
}

async function changed(call: TenantCall, change: StateChange): Promise<Response> {
  const { c, world, by } = call
  const asker = { world, tenant: DEFAULT_TENANT, by }
  return c.json(tenantView(granted(await changeState(asker, tenantIdOf(call), change))))
}

function remove(api: Api): void {
  route(
    api,
    {
      id: 'deleteTenant',
      method: 'delete',
      path: '/v1/tenants/{id}',
      params,
      tag,
      summary: 'Delete a tenant and all its data',
      description:
        'Keys of the tenant are refused at once, active runs end without a result, and all data ' +
        'is deleted in the background: runs, sessions, files, secrets, deliveries, and the ' +
        'audit log. The key of an encrypted tenant is destroyed at once. This cannot be undone; `deletion` in `GET /v1/tenants/{id}` shows the ' +
        `progress. The ID cannot be reused. ${OPERATOR}`,
      scope: 'tenants:write',
      operator: true,
      refusals: [409],
      answers: { 202: { description: 'The deletion is in progress or complete', schema: Tenant } },
    },
    async (call) => {
      const { c, world, by } = call
      const asker = { world, tenant: DEFAULT_TENANT, by }
      return c.json(tenantView(granted(await deleteTenant(asker, tenantIdOf(call)))), 202)
    },
  )
}

const WHILE =
  'Time limits of runs continue to apply. Schedules and webhook deliveries wait until the tenant ' +
  'is resumed.'

function changes(api: Api): void {
  const common = {
    method: 'post',
    params,
    tag,
    scope: 'tenants:write',
    operator: true,
    bodyOptional: true,
    refusals: [409],
    answers: { 200: { description: 'The changed tenant', schema: Tenant } },
  } as const
  route(
    api,
    {
      ...common,
      path: '/v1/tenants/{id}/pause',
      id: 'pauseTenant',
      summary: 'Pause a tenant',
      description:
        'Within 5 seconds, no model or tool call of the tenant begins; calls in progress ' +
        'complete. Requests are still accepted, and new runs wait. A `once` call whose intent ' +
        `was recorded just before is answered as not made. ${WHILE} ${OPERATOR}`,
      body: NoBody,
    },
    (call) => changed(call, { to: 'paused' }),
  )
  route(
    api,
    {
      ...common,
      path: '/v1/tenants/{id}/suspend',
      id: 'suspendTenant',
      summary: 'Suspend a tenant',
      description:
        'Has the effect of a pause. In addition, requests with keys of the tenant are refused ' +
        'with `tenant_suspended` unless they only read, and so are messages to its inbound ' +
        `hooks. ${WHILE} ${OPERATOR}`,
      body: TenantSuspension,
    },
    (call) => changed(call, { to: 'suspended', running: call.body.running }),
  )
  route(
    api,
    {
      ...common,
      path: '/v1/tenants/{id}/resume',
      id: 'resumeTenant',
      summary: 'Resume a tenant',
      description: `Parked runs, schedules, and deliveries continue. ${OPERATOR}`,
      body: NoBody,
    },
    (call) => changed(call, { to: 'active' }),
  )
}
