/** Lists audit entries by their properties, in sections, so a request reads a limited number. */

import type { z } from 'zod'
import { auditList } from '../../engine/partition/keys.ts'
import type { Page } from '../../engine/partition/page.ts'
import { auditEntryOf } from '../../engine/tenant/audit.ts'
import { canonical } from '../../lib/digest.ts'
import type { World } from '../../ports/world.ts'
import { page, searched } from '../request/page.ts'
import type { AuditQuery } from '../schemas/layers/versions.ts'

interface AuditItem {
  readonly kind: string
  readonly name: string
  readonly files?: readonly { readonly path: string }[]
}

/** Returns whether an entry is about the name. An import of files is about each written file. */
const isNamed = ({ kind, name, files }: AuditItem, query: string): boolean =>
  name === query || (kind === 'file' && files?.some(({ path }) => path === query) === true)

/** Number of rows read in one batch. */
const PORTION = 100

/** Returns a page of the audit entries that match the query, newest first. */
export async function auditPage(
  world: World,
  tenant: string,
  query: z.output<typeof AuditQuery>,
): Promise<Page<object>> {
  const { limit, cursor, ...filter } = query
  const { 'created[gte]': from = '', 'created[lt]': to, kind, name, by, action } = filter
  const under = auditList(tenant)
  if (Object.values(filter).every((value) => value === undefined))
    return page(world, under, query, auditEntryOf)
  const list = `${under}?${canonical(filter)}`
  return searched(world, list, { limit, cursor }, async (last) => {
    const rows = await world.store.list(under, last ?? to, PORTION)
    const entries = rows
      .filter(({ at }) => at >= from)
      .map(({ at, body }) => ({ at, item: auditEntryOf(body) }))
    const matches = entries.filter(
      ({ item }) =>
        (kind === undefined || kind.some((value) => value === item.kind)) &&
        (name === undefined || isNamed(item, name)) &&
        (by === undefined || by === item.by) &&
        (action === undefined || action.some((value) => value === item.action)),
    )
    return { found: matches, reached: entries.length < PORTION ? undefined : entries.at(-1)?.at }
  })
}
