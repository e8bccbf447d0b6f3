/** The sealed audit, read back: pages by properties, newest first, and all of it as an export. */

import {
  type AuditBody,
  type ChainPlace,
  type ExportLine,
  FIRST_PLACE,
  rowDigest,
  SETTLE_MS,
} from '../../core/audit-chain.ts'
import { iso, parseTime } from '../../lib/time.ts'
import type { World } from '../../ports/world.ts'
import { auditList } from '../partition/keys.ts'
import { auditBodyOf } from '../tenant/audit.ts'
import { PAGE_LINKS, pageOf, readPage, readTip, type Tip } from './pages.ts'
import { dropOld } from './retention.ts'
import { seal } from './seal.ts'

export interface AuditFilter {
  readonly kind?: string | undefined
  readonly name?: string | undefined
  readonly action?: string | undefined
  readonly by?: string | undefined
  /** RFC 3339: at or after, and before. */
  readonly since?: string | undefined
  readonly until?: string | undefined
}

export type SealedEntry = AuditBody & { readonly seq: number; readonly hash: string }

/** A page of links that match; `last`: before this one. The first call seals what is new. */
export async function readSealed(
  world: World,
  tenant: string,
  filter: AuditFilter,
  last: string | undefined,
) {
  if (last === undefined) await seal(world, tenant)
  const tip = await readTip(world, tenant)
  if (!tip) return { found: [] }
  const before = last === undefined ? tip.head.seq + 1 : Number(last)
  const page = pageOf(before - 1)
  if (before <= 1 || page < tip.head.floor) return { found: [] }
  const { head, links } = await readPage(world, tenant, page)
  const matches = matching(filter)
  const found = links
    .filter(({ seq, entry }) => seq < before && matches(entry))
    .sort((left, right) => right.seq - left.seq)
    .map(({ seq, hash, entry }) => ({ at: String(seq), item: { ...entry, seq, hash } }))
  const isOver =
    page <= tip.head.floor || (head?.start.sealed_to ?? '~') < timeOf(filter.since ?? '', '')
  return isOver ? { found } : { found, reached: String(page * PAGE_LINKS + 1) }
}

const timeOf = (text: string, none: string): string => {
  const ms = parseTime(text)
  return ms === undefined ? none : iso(ms)
}

function matching({ since = '', until = '', ...words }: AuditFilter) {
  const wanted = Object.entries(words).filter(([, word]) => word !== undefined)
  const from = timeOf(since, '')
  const to = timeOf(until, '~')
  return (entry: AuditBody): boolean => {
    const at = String(entry.created_at)
    return at >= from && at < to && wanted.every(([name, word]) => entry[name] === word)
  }
}

const ROWS = 500

/** All links, oldest first, then the digests of the rows that they were copied from. */
export async function* exportLines(world: World, tenant: string): AsyncGenerator<ExportLine> {
  await seal(world, tenant)
  const began = await readTip(world, tenant)
  // What is being dropped is finished first, so that no row of it is taken for one never sealed.
  if (began) await dropOld(world, tenant, began)
  const tip = began && (await readTip(world, tenant))
  const first = tip && (await readPage(world, tenant, tip.head.floor)).head
  const start = first?.start ?? { ...FIRST_PLACE, sealed_to: null }
  const anchor = { seq: start.seq, hash: start.hash }
  yield { object: 'audit_chain', anchor, exported_at: iso(world.clock.now()) }
  let links = 0
  let head: ChainPlace = anchor
  for await (const one of tip ? linksFrom(world, tenant, tip) : []) {
    if ('entry' in one) {
      links += 1
      yield { object: 'audit_link', seq: one.seq, hash: one.hash, entry: one.entry }
    } else head = { seq: one.seq, hash: one.hash }
  }
  let rows = 0
  for await (const body of rowsSince(world, tenant, start.sealed_to)) {
    rows += 1
    yield { object: 'audit_row', ...rowDigest(body) }
  }
  yield { object: 'audit_head', ...head, links, rows }
}

/** The links in the order of their rows, and at last the head; it may move meanwhile. */
async function* linksFrom(world: World, tenant: string, { head }: Tip) {
  let page = head.floor
  let after: string | undefined
  let seen = -1
  for (;;) {
    const read: Awaited<ReturnType<typeof readPage>> = await readPage(world, tenant, page, after)
    yield* read.links
    after = read.last
    const tip = await readTip(world, tenant)
    if (tip && tip.head.page > page) {
      page += 1
      after = undefined
    } else if (!tip || tip.version === seen) {
      yield tip?.head ?? head
      return
    } else seen = tip.version
  }
}

async function* rowsSince(world: World, tenant: string, since: string | null) {
  const from = parseTime(since ?? '')
  let above = from === undefined ? undefined : iso(from - SETTLE_MS)
  do {
    const { rows, reached } = await world.store.find(auditList(tenant), {
      ...{ marks: '', words: [], above, order: 'oldest', limit: ROWS },
    })
    for (const { body } of rows) yield auditBodyOf(body)
    above = reached
  } while (above !== undefined)
}
