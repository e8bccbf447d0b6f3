/** Serves the export and the import of a tenant's data to the operator. */

import { stream } from 'hono/streaming'
import { LIMITS } from '../../core/limits.ts'
import { DEFAULT_TENANT } from '../../engine/partition/keys.ts'
import { exportTenant } from '../../engine/tenants/export.ts'
import { importTenant } from '../../engine/tenants/import.ts'
import { linesIn } from '../request/json-lines.ts'
import { granted } from '../request/problem.ts'
import { type Api, route } from '../request/route.ts'
import { TenantImport, TenantLine } from '../schemas/tenant/tenant-export.ts'
import { missingTenant, tenantIdOf } from './tenants.ts'

const params = { id: 'ID of the tenant' }
const OPERATOR = 'Requires a key that belongs to the default tenant.'

export function tenantDataRoutes(api: Api): void {
  route(
    api,
    {
      id: 'exportTenant',
      method: 'get',
      path: '/v1/tenants/{id}/export',
      params,
      tag: 'Tenants',
      summary: "Export a tenant's data",
      description:
        'Streams JSON Lines: a first line, all rows as they are stored, all files and message ' +
        'bodies in base64, and a last line with the counts. Secrets stay sealed, and keys are ' +
        'hashes. Suspend the tenant for an export of one point in time. An export without its ' +
        `last line is incomplete. ${OPERATOR}`,
      scope: 'tenants:write',
      operator: true,
      answers: {
        200: { description: 'The export', type: 'application/jsonl', schema: TenantLine },
      },
    },
    async (call) => {
      const { c, world, by } = call
      const id = tenantIdOf(call)
      const lines = await exportTenant({ world, tenant: DEFAULT_TENANT, by }, id)
      if (!lines) throw missingTenant()
      c.header('content-type', 'application/jsonl; charset=utf-8')
      c.header('content-disposition', `attachment; filename="${id}.jsonl"`)
      c.header('x-content-type-options', 'nosniff')
      return stream(c, async (out) => {
        for await (const line of lines) await out.write(`${JSON.stringify(line)}\n`)
      })
    },
  )
  route(
    api,
    {
      id: 'importTenant',
      method: 'post',
      path: '/v1/tenants/{id}/import',
      params,
      tag: 'Tenants',
      summary: "Import a tenant's data",
      description:
        'Imports an export of a tenant with the same ID into a new, suspended tenant. Sealed ' +
        'values can be read only under the master key of the exporting deployment; under another ' +
        'one, rotate the secrets of endpoints and hooks. After a failure, repeat the request ' +
        `with the complete export. ${OPERATOR}`,
      scope: 'tenants:write',
      operator: true,
      rawBody: 'application/jsonl',
      rawShape: TenantLine,
      refusals: [409, 422],
      answers: { 200: { description: 'Imported', schema: TenantImport } },
    },
    async (call) => {
      const { c, world, by } = call
      const id = tenantIdOf(call)
      const lines = linesIn(c.req, TenantLine, LIMITS.tenant_line_bytes)
      const imported = await importTenant({ world, tenant: DEFAULT_TENANT, by }, id, lines)
      const object = 'tenant_import' as const
      return c.json({ object, tenant: id, ...granted(imported) })
    },
  )
}
