/** Serves the audit log of changes: pages, single entries, and the export with its hash chain. */

import { exportLines, readEntry } from '../../engine/audit/read.ts'
import { isId } from '../../lib/id.ts'
import { refuse } from '../request/problem.ts'
import type { Api } from '../request/route.ts'
import { route } from '../request/route.ts'
import { AuditEntry, AuditQuery } from '../schemas/layers/versions.ts'
import { list } from '../schemas/shared/common.ts'
import { PATH_ID } from '../schemas/shared/words.ts'
import { AuditEntryWithPosition, AuditLine } from '../schemas/tenant/audit.ts'
import { jsonLines } from '../stream/json-lines.ts'
import { auditPage } from '../views/audit-page.ts'

export function auditRoutes(api: Api): void {
  route(
    api,
    {
      id: 'listAuditEntries',
      method: 'get',
      path: '/v1/audit',
      tag: 'Policy',
      summary: 'List audit entries, newest first',
      description:
        'Includes changes to skills, agents, MCP servers, files, the policy, endpoints, and ' +
        'hooks, as well as decisions, cancellations, replays, and deletions. All filters must ' +
        'match. A request with filters reads at most 2,000 entries, so a page can have fewer ' +
        'than `limit` entries while `has_more` is true. Use the cursor to continue.',
      scope: 'audit:read',
      query: AuditQuery,
      answers: { 200: { description: 'The requested items', schema: list(AuditEntry) } },
    },
    async ({ c, world, tenant, query }) => c.json(await auditPage(world, tenant, query)),
  )
  route(
    api,
    {
      id: 'exportAudit',
      method: 'get',
      path: '/v1/audit/export',
      tag: 'Policy',
      summary: 'Export the audit log with its hash chain',
      description:
        'JSON Lines: the anchor, all sealed entries in order, the digests of the entries as ' +
        'stored with their changes, and the head. The export is complete only if it ends with ' +
        'the line `audit_head`. Entries before the anchor were deleted by retention. ' +
        '`strata audit verify` verifies the lines. Seals new entries first.',
      scope: 'audit:read',
      answers: {
        200: { description: 'The lines', type: 'application/jsonl', schema: AuditLine },
      },
    },
    ({ c, world, tenant }) =>
      jsonLines(exportLines(world, tenant), (error) => api.onError(error, c.get('requestId'))),
  )
  route(
    api,
    {
      id: 'getAuditEntry',
      method: 'get',
      path: '/v1/audit/{version}',
      params: { version: PATH_ID.auditEntry },
      tag: 'Policy',
      summary: 'Get an audit entry',
      description:
        'Returns the entry with its position in the hash chain. Seals new entries first. An ' +
        'entry that was just written can be returned without a position, or not be found yet.',
      scope: 'audit:read',
      answers: { 200: { description: 'The audit entry', schema: AuditEntryWithPosition } },
    },
    async ({ c, world, tenant }) => {
      const { version } = c.req.param() as { version: string }
      const result = isId('ver', version) ? await readEntry(world, tenant, version) : undefined
      if (!result) throw refuse('not_found', `Audit entry ${version} not found.`)
      const { entry, position } = result
      return c.json({ ...entry, seq: position?.seq ?? null, hash: position?.hash ?? null })
    },
  )
}
