/**
 * Sealing of audit entries: listed entries without a link are appended to the chain in the order of
 * the list. A pass looks for entries up to ten minutes older than the newest sealed one, because
 * lists lag and clocks differ. An entry that appears later gets no link, and counts as inserted.
 */

import { linkAfter } from '../../core/audit-chain.ts'
import { LIMITS } from '../../core/limits.ts'
import { iso, parseTime } from '../../lib/time.ts'
import type { ListedRow, World } from '../../ports/world.ts'
import { TimeSlice } from '../layers/time-slice.ts'
import { auditList, auditPartition, chainPage, parsePartition } from '../partition/keys.ts'
import { unlessDamaged } from '../partition/stored.ts'
import { retry } from '../partition/update.ts'
import { auditEntryOf, versionOfKey } from '../tenant/audit.ts'
import {
  openPage,
  pageHeadOf,
  readPage,
  readTip,
  roomIn,
  type StoredLink,
  type Tip,
  versionIn,
  writePage,
} from './chain-pages.ts'
import { deleteExpired } from './retention.ts'

const SETTLE_MS = LIMITS.audit_settle_seconds * 1_000
/** Maximum number of links per commit; a DynamoDB transaction has at most 100 items. */
const COMMIT_LINKS = 50
/** Maximum length of the links of one commit; a DynamoDB transaction has at most 4 MB. */
const COMMIT_LENGTH = 500_000
/** Number of entries read at once. */
const PORTION = 500
/** Maximum number of links per pass; a later pass continues. */
const PASS_LINKS = 5_000
const TRIES = 8

/** Runs the pass that the alarm of a page requested. */
export async function advanceChain(world: World, partition: string): Promise<void> {
  const { tenant } = parsePartition(partition)
  await seal(world, tenant)
  const tip = await readTip(world, tenant)
  // The page became full before its pass ran, so the next page has the alarm.
  if (tip && partition !== chainPage(tenant, tip.head.page)) await clearAlarm(world, partition)
  if (tip) await deleteExpired(world, tenant, tip)
}

async function clearAlarm(world: World, partition: string): Promise<void> {
  const [row] = await world.store.heads([partition])
  if (!row || pageHeadOf(row.body).wake_at === null) return
  const head = { ...pageHeadOf(row.body), wake_at: null, due_at: null }
  await writePage(world, parsePartition(partition).tenant, { version: row.version, head })
}

/**
 * Seals the listed entries; returns false if entries are left, or if other passes caused repeated
 * conflicts.
 */
export async function seal(world: World, tenant: string): Promise<boolean> {
  if (world.settings.paused) return false
  const outcome = await retry(world, TRIES, async () => {
    const now = world.clock.now()
    const tip = await readTip(world, tenant)
    const isDue = tip !== undefined && tip.head.due_at !== null && tip.head.due_at <= now
    const from = searchStart(tip, now)
    const sealed = tip ? await sealedSince(world, tenant, tip, from) : new Set<string>()
    const left = await sealNew(world, tenant, { from, sealed, seq: tip?.head.seq ?? 0 })
    if (left !== 'none') return left === 'more' ? left : undefined
    // A pass that is not due yet was requested for entries that this pass may not have seen.
    return !isDue || (await clearDue(world, tenant, now)) ? left : undefined
  })
  return outcome === 'none'
}

function searchStart(tip: Tip | undefined, now: number): string | undefined {
  const sealedTo = parseTime(tip?.head.sealed_to ?? '')
  return sealedTo === undefined ? undefined : iso(Math.min(sealedTo, now) - SETTLE_MS)
}

/** Returns the versions of links whose entries may be listed after `from`. */
async function sealedSince(world: World, tenant: string, { head }: Tip, from = '') {
  const sealed = new Set<string>()
  const slice = new TimeSlice(world.clock)
  for (let page = head.page; page >= head.floor; page -= 1) {
    const { links, head: pageHead } = await slice.run(() => readPage(world, tenant, page))
    for (const { entry } of links) sealed.add(versionIn(entry))
    const start = pageHead?.start.sealed_to
    if (start === null || (start !== undefined && start < from)) break
  }
  return sealed
}

type Left = 'none' | 'more' | 'conflict'

interface SealedEntries {
  readonly from: string | undefined
  /** Versions of all links up to `seq` whose entries may be listed after `from`. */
  readonly sealed: Set<string>
  readonly seq: number
}

async function sealNew(world: World, tenant: string, state: SealedEntries): Promise<Left> {
  const { from, sealed } = state
  let { seq } = state
  let above = from
  const first = seq
  // A pass reads all entries of ten minutes again, without waiting if the store is in memory.
  const slice = new TimeSlice(world.clock)
  for (;;) {
    const { rows, reached: position } = await world.store.find(auditList(tenant), {
      ...{ marks: '', words: [], above, order: 'oldest', limit: PORTION },
    })
    const unsealed: ListedRow[] = []
    const candidates = await slice.run(() =>
      rows.filter(({ key }) => !sealed.has(versionOfKey(key))),
    )
    for (const row of candidates) {
      if (await slice.run(() => isUnsealed(world, tenant, row, sealed))) unsealed.push(row)
    }
    let fresh: readonly ListedRow[] = unsealed
    while (fresh.length > 0) {
      const tip = await openPage(world, tenant)
      // Another pass appended links, possibly of the same entries.
      if (tip?.head.seq !== seq) return 'conflict'
      const batch = batchOf(fresh, Math.min(COMMIT_LINKS, roomIn(tip.head)))
      if (!(await appendLinks(world, tenant, tip, batch))) return 'conflict'
      seq += batch.length
      for (const { body } of batch) sealed.add(auditEntryOf(body).version)
      fresh = fresh.slice(batch.length)
    }
    if (position === undefined) return 'none'
    if (seq - first >= PASS_LINKS) return 'more'
    above = position
  }
}

/** Reports whether an entry has no link. A damaged row gets none, and is logged. */
function isUnsealed(
  { log }: World,
  tenant: string,
  { partition, body }: ListedRow,
  sealed: ReadonlySet<string>,
): boolean {
  const damaged = (): false => {
    log?.write({ level: 'error', event: 'audit.row_damaged', tenant, partition })
    return false
  }
  return unlessDamaged(() => !sealed.has(auditEntryOf(body).version), damaged)
}

/** Returns the first rows that fit into one commit, and at least one. */
function batchOf(rows: readonly ListedRow[], most: number): readonly ListedRow[] {
  let length = 0
  const end = rows.findIndex(({ body }, index) => {
    length += body.length
    return index > 0 && length > COMMIT_LENGTH
  })
  return rows.slice(0, end < 0 ? most : Math.min(most, end))
}

async function appendLinks(
  world: World,
  tenant: string,
  { version, head }: Tip,
  rows: readonly ListedRow[],
): Promise<boolean> {
  const links: StoredLink[] = []
  let { sealed_to } = head
  let last = { seq: head.seq, hash: head.hash }
  for (const { partition, key, body } of rows) {
    const entry = { ...auditEntryOf(body) }
    const link = linkAfter(last, entry)
    links.push({ ...link, row: { partition, key } })
    last = { seq: link.seq, hash: link.hash }
    const at = String(entry.created_at)
    if (sealed_to === null || at > sealed_to) sealed_to = at
  }
  await Promise.all(rows.map((row) => keepCopy(world, tenant, row)))
  return writePage(world, tenant, { version, head: { ...head, ...last, sealed_to } }, links)
}

/** Copies an entry that is stored with its change, so that it can be read by its ID. */
async function keepCopy(world: World, tenant: string, { partition, body }: ListedRow) {
  if (parsePartition(partition).kind === 'audit') return
  const { version } = auditEntryOf(body)
  await world.store.commit(auditPartition(tenant, version), [
    { op: 'put', key: `a/${version}`, body, expect: 'any' },
  ])
}

/** Clears the alarm, unless a later pass was requested. */
async function clearDue(world: World, tenant: string, now: number): Promise<boolean> {
  const tip = await readTip(world, tenant)
  if (!tip || (tip.head.due_at ?? Number.POSITIVE_INFINITY) > now) return true
  const head = { ...tip.head, wake_at: null, due_at: null, redeliveries: 0 }
  return writePage(world, tenant, { version: tip.version, head })
}
