/** The audit: who changed what, when and from where; sealed into a chain, and exported with it. */

import { exportLines, readSealed, type SealedEntry } from '../../engine/audit/read.ts'
import { auditList } from '../../engine/partition/keys.ts'
import { canonical } from '../../lib/digest.ts'
import { searched } from '../page.ts'
import { type Api, route } from '../route.ts'
import { AuditEntry, AuditLine, AuditQuery } from '../schemas/audit.ts'
import { list } from '../schemas/common.ts'
import { jsonLines } from '../stream/json-lines.ts'

const tag = 'Policy'

export function auditRoutes(api: Api): void {
  route(
    api,
    {
      id: 'listAuditEntries',
      method: 'get',
      path: '/v1/audit',
      tag,
      summary: 'List recorded changes, newest first',
      description:
        'Every write of configuration, files, memory, keys, the policy, endpoints, hooks and ' +
        'schedules; decisions, cancels, replays and deletions. New ones are sealed first. A page ' +
        'may hold fewer than there are: its cursor goes on.',
      scope: 'audit:read',
      query: AuditQuery,
      answers: { 200: { description: 'Newest first', schema: list(AuditEntry) } },
    },
    async ({ c, world, tenant, query: { limit, cursor, ...filter } }) => {
      const under = `${auditList(tenant)}?${canonical(filter)}`
      const read = (last: string | undefined) => readSealed(world, tenant, filter, last)
      return c.json(await searched<SealedEntry>(world, under, { limit, cursor }, read))
    },
  )
  route(
    api,
    {
      id: 'exportAudit',
      method: 'get',
      path: '/v1/audit/export',
      tag,
      summary: 'Export the audit with its chain',
      description:
        'JSON Lines: the anchor, every link, the digests of the rows that were sealed, the head. ' +
        'It is whole only with its last line.',
      scope: 'audit:read',
      answers: {
        200: { description: 'Oldest first', type: 'application/jsonl', schema: AuditLine },
      },
    },
    ({ world, tenant }) => jsonLines(exportLines(world, tenant)),
  )
}
