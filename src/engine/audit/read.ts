/** Reads of the sealed audit log: one entry with its position in the chain, and the export. */

import {
  type AuditLink,
  type AuditRowDigest,
  CHAIN_START,
  type ChainPosition,
  type ExportLine,
  rowDigest,
} from '../../core/audit-chain.ts'
import { LIMITS } from '../../core/limits.ts'
import { sha256 } from '../../lib/digest.ts'
import { iso, parseTime } from '../../lib/time.ts'
import type { ListedRow, World } from '../../ports/world.ts'
import { auditList, auditPartition, chainPage } from '../partition/keys.ts'
import { unlessDamaged } from '../partition/stored.ts'
import { auditEntryOf, type StoredAuditEntry, versionOfKey } from '../tenant/audit.ts'
import { pageHeadOf, readPage, readTip, type Tip, versionIn } from './chain-pages.ts'
import { deleteExpired } from './retention.ts'
import { seal } from './seal.ts'

const SETTLE_MS = LIMITS.audit_settle_seconds * 1_000
/** Number of rows read at once. */
const PORTION = 500
/** Length of the time at the beginning of a position in the list. */
const TIME = '2026-11-23T00:00:00.000Z'.length

/** Audit entry with its position in the chain; the position is null until the entry is sealed. */
export interface EntryWithPosition {
  readonly entry: StoredAuditEntry
  readonly position: ChainPosition | null
}

/** Returns an entry by its ID, after sealing new entries; undefined if it does not exist. */
export async function readEntry(
  world: World,
  tenant: string,
  version: string,
): Promise<EntryWithPosition | undefined> {
  await seal(world, tenant)
  const rows = await world.store.read(auditPartition(tenant, version))
  const row = rows.find(({ key }) => key === `a/${version}`)
  if (!row) return undefined
  const entry = auditEntryOf(row.body)
  return { entry, position: await positionOf(world, tenant, entry) }
}

/**
 * Finds the link of an entry. Pages start with increasing times, and an entry is sealed at most
 * `SETTLE_MS` after a later one, so a binary search leaves few pages to read.
 */
async function positionOf(
  world: World,
  tenant: string,
  { version, created_at }: StoredAuditEntry,
): Promise<ChainPosition | null> {
  const tip = await readTip(world, tenant)
  if (!tip) return null
  const at = parseTime(created_at) ?? 0
  const latest = iso(at + SETTLE_MS)
  let low = tip.head.floor
  let high = tip.head.page
  // The last page that starts at or before the latest time can contain the link, a later one not.
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    const start = await pageStart(world, tenant, middle)
    if (start !== null && start > latest) high = middle - 1
    else low = middle
  }
  for (let page = low; page >= tip.head.floor; page -= 1) {
    const { links, head } = await readPage(world, tenant, page)
    const link = links.find(({ entry }) => versionIn(entry) === version)
    if (link) return { seq: link.seq, hash: link.hash }
    // Every entry of an earlier page is older.
    if ((head?.start.sealed_to ?? '') < created_at) break
  }
  return null
}

async function pageStart(world: World, tenant: string, page: number): Promise<string | null> {
  const [row] = await world.store.heads([chainPage(tenant, page)])
  return row ? pageHeadOf(row.body).start.sealed_to : null
}

/** Exports the anchor, all links in order, the digests of the rows, and the head of the chain. */
export async function* exportLines(world: World, tenant: string): AsyncGenerator<ExportLine> {
  await seal(world, tenant)
  const sealed = await readTip(world, tenant)
  // A deletion that was interrupted, or that a new page missed, is completed first.
  if (sealed) await deleteExpired(world, tenant, sealed)
  const tip = sealed && (await readTip(world, tenant))
  const first = tip && (await readPage(world, tenant, tip.head.floor)).head
  const start = first?.start ?? { ...CHAIN_START, sealed_to: null }
  const anchor = { seq: start.seq, hash: start.hash }
  yield { object: 'audit_chain', anchor, exported_at: iso(world.clock.now()) }
  let links = 0
  let head: ChainPosition = anchor
  for await (const portion of tip ? linksFrom(world, tenant, tip) : []) {
    for (const { seq, hash, entry } of portion.links) {
      links += 1
      yield { object: 'audit_link', seq, hash, entry }
    }
    if (portion.head) head = { seq: portion.head.seq, hash: portion.head.hash }
  }
  let rows = 0
  for await (const portion of rowsSince(world, tenant, start.sealed_to)) {
    for (const row of portion) {
      rows += 1
      yield { object: 'audit_row', ...digestOf(row) }
    }
  }
  yield { object: 'audit_head', ...head, links, rows }
}

interface Portion {
  readonly links: readonly AuditLink[]
  /** Head of the chain, after the last link. */
  readonly head?: ChainPosition
}

/** Yields the links in the order of their rows, then the head, which may change meanwhile. */
async function* linksFrom(world: World, tenant: string, { head }: Tip): AsyncGenerator<Portion> {
  let page = head.floor
  let after: string | undefined
  let readVersion = -1
  for (;;) {
    const portion: Awaited<ReturnType<typeof readPage>> = await readPage(world, tenant, page, after)
    yield { links: portion.links }
    after = portion.last
    const tip = await readTip(world, tenant)
    if (tip && tip.head.page > page) {
      page += 1
      after = undefined
    } else if (!tip || tip.version === readVersion) {
      yield { links: [], head: tip?.head ?? head }
      return
    } else readVersion = tip.version
  }
}

/** Returns the digest of a row; that of a damaged row differs from the digest in its link. */
const digestOf = ({ key, at, body }: ListedRow): AuditRowDigest =>
  unlessDamaged(
    () => rowDigest({ ...auditEntryOf(body) }),
    () => ({
      version: versionOfKey(key),
      created_at: at.slice(0, TIME),
      digest: sha256(body),
    }),
  )

async function* rowsSince(world: World, tenant: string, since: string | null) {
  const from = parseTime(since ?? '')
  let above = from === undefined ? undefined : iso(from - SETTLE_MS)
  do {
    const { rows, reached: position } = await world.store.find(auditList(tenant), {
      ...{ marks: '', words: [], above, order: 'oldest', limit: PORTION },
    })
    yield rows
    above = position
  } while (above !== undefined)
}
