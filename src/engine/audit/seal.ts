/**
 * Seals entries of the audit: those of the list that stand in no link yet become links, in the
 * order of the list. Entries lie with their changes, in many partitions, so no commit that writes
 * one can chain it; a process that has written one sends a pass, and a reader makes one first.
 *
 * An entry is looked for until it is ten minutes older than the newest sealed one: lists lag, and
 * clocks differ. One that turns up later was put there by other means, and stays without a link.
 */

import { linkAfter, SETTLE_MS } from '../../core/audit-chain.ts'
import { iso, parseTime } from '../../lib/time.ts'
import type { Listed, World } from '../../ports/world.ts'
import { auditList, chainPage, parsePartition } from '../partition/keys.ts'
import { tried } from '../partition/update.ts'
import { auditBodyOf, unsealedOf } from '../tenant/audit.ts'
import { isGone, tenantStatus } from '../tenant/state.ts'
import {
  openPage,
  pageHeadOf,
  readPage,
  readTip,
  roomIn,
  type StoredLink,
  sealsOf,
  type Tip,
  versionOf,
  writePage,
} from './pages.ts'
import { dropOld } from './retention.ts'

/** From an entry to the pass that seals it: those of a burst share one. */
const SEAL_MS = 5_000
/** Clocks of processes differ; a pass that is due so soon may have read the list already. */
const SOON_MS = 1_000
/** Links of one commit, each with an entry: a transaction of DynamoDB has 100 items. */
const COMMIT_LINKS = 50
const FOUND = 500
/** Of one pass; a later one goes on. */
const PASS_LINKS = 5_000
const TRIES = 8

/**
 * Sends a pass over the audit of a tenant, if there are new entries. Never throws: one that could
 * not be sent is kept for the next call, and reading the audit seals too.
 */
export async function sendSeal(world: World, tenant: string): Promise<void> {
  if (!unsealedOf(world.store).delete(tenant)) return
  // Nothing is sealed that is about to go.
  if (isGone(await tenantStatus(world, tenant))) return
  const isSent = await send(world, tenant).catch(() => undefined)
  if (isSent !== true) unsealedOf(world.store).add(tenant)
}

/** The same for all of them. */
export async function sendSeals(world: World): Promise<void> {
  await Promise.all([...unsealedOf(world.store)].map((tenant) => sendSeal(world, tenant)))
}

function send(world: World, tenant: string): Promise<true | undefined> {
  const seals = sealsOf(world.store)
  return tried(world, TRIES, async () => {
    const now = world.clock.now()
    const isDue = (at: number | null | undefined): boolean => (at ?? 0) > now + SOON_MS
    if (isDue(seals.get(tenant)?.dueAt)) return true
    const tip = await openPage(world, tenant)
    if (!tip) return undefined
    const { due_at } = tip.head
    const at = isDue(due_at) ? due_at! : now + SEAL_MS
    const head = { ...tip.head, wake_at: at, due_at: at, redeliveries: 0 }
    if (at !== due_at && !(await writePage(world, tenant, { version: tip.version, head })))
      return undefined
    seals.set(tenant, { page: head.page, dueAt: at })
    if (at !== due_at && !world.settings.wakesWithCommit) {
      const partition = chainPage(tenant, head.page)
      const wake = { partition, lane: 'background', started: true, staleCount: 0 } as const
      // Lost: the tick finds the alarm.
      await world.queue.send([wake], SEAL_MS + SOON_MS)
    }
    return true
  })
}

/** A pass. */
export async function advanceChain(world: World, partition: string): Promise<void> {
  const { tenant } = parsePartition(partition)
  await seal(world, tenant)
  const tip = await readTip(world, tenant)
  // The page was full before its pass came: the next one has the alarm.
  if (tip && partition !== chainPage(tenant, tip.head.page)) await clear(world, partition)
  if (tip) await dropOld(world, tenant, tip)
}

async function clear(world: World, partition: string): Promise<void> {
  const [row] = await world.store.heads([partition])
  if (!row || pageHeadOf(row.body).wake_at === null) return
  const head = { ...pageHeadOf(row.body), wake_at: null, due_at: null }
  await writePage(world, parsePartition(partition).tenant, { version: row.version, head })
}

/** Seals what the list shows; false: there is more, or others were at it all the time. */
export async function seal(world: World, tenant: string): Promise<boolean> {
  const done = await tried(world, TRIES, async () => {
    const now = world.clock.now()
    const tip = await readTip(world, tenant)
    const isDue = tip !== undefined && tip.head.due_at !== null && tip.head.due_at <= now
    const from = since(tip, now)
    const known = tip ? await sealedSince(world, tenant, tip, from) : new Set<string>()
    const left = await sealNew(world, tenant, { from, known, seq: tip?.head.seq ?? 0 })
    if (left !== 'none') return left === 'more' ? left : undefined
    // A pass that is not due yet was sent for what this one may not have seen.
    return !isDue || (await atRest(world, tenant, now)) ? left : undefined
  })
  return done === 'none'
}

function since(tip: Tip | undefined, now: number): string | undefined {
  const to = parseTime(tip?.head.sealed_to ?? '')
  return to === undefined ? undefined : iso(Math.min(to, now) - SETTLE_MS)
}

/** Versions of the links that may have been made since the audit was sealed up to there. */
async function sealedSince(world: World, tenant: string, { head }: Tip, from = '') {
  const known = new Set<string>()
  for (let page = head.page; page >= head.floor; page -= 1) {
    const one = await readPage(world, tenant, page)
    for (const { entry } of one.links) known.add(versionOf(entry))
    const start = one.head?.start.sealed_to
    if (start === null || (start !== undefined && start < from)) break
  }
  return known
}

type Left = 'none' | 'more' | 'conflict'

interface Sealed {
  readonly from: string | undefined
  /** Of all links up to `seq` that may be listed after `from`. */
  readonly known: Set<string>
  readonly seq: number
}

async function sealNew(world: World, tenant: string, sealedBefore: Sealed): Promise<Left> {
  const { from, known } = sealedBefore
  let { seq } = sealedBefore
  let above = from
  let sealed = 0
  for (;;) {
    const { rows, reached } = await world.store.find(auditList(tenant), {
      ...{ marks: '', words: [], above, order: 'oldest', limit: FOUND },
    })
    let fresh = rows.filter(({ body }) => !known.has(versionOf(auditBodyOf(body))))
    while (fresh.length > 0) {
      const tip = await openPage(world, tenant)
      // Links of another pass, which may be of the same entries.
      if (tip?.head.seq !== seq) return 'conflict'
      const taken = fresh.slice(0, Math.min(COMMIT_LINKS, roomIn(tip.head)))
      if (!(await appendLinks(world, tenant, tip, taken))) return 'conflict'
      seq += taken.length
      for (const { body } of taken) known.add(versionOf(auditBodyOf(body)))
      fresh = fresh.slice(taken.length)
      sealed += taken.length
    }
    if (reached === undefined) return 'none'
    if (sealed >= PASS_LINKS) return 'more'
    above = reached
  }
}

function appendLinks(
  world: World,
  tenant: string,
  { version, head }: Tip,
  rows: readonly Listed[],
) {
  const links: StoredLink[] = []
  let { sealed_to } = head
  let last = { seq: head.seq, hash: head.hash }
  for (const { partition, key, body } of rows) {
    const entry = auditBodyOf(body)
    const link = linkAfter(last, entry)
    links.push({ ...link, row: { partition, key } })
    last = { seq: link.seq, hash: link.hash }
    const at = String(entry.created_at)
    if (sealed_to === null || at > sealed_to) sealed_to = at
  }
  return writePage(world, tenant, { version, head: { ...head, ...last, sealed_to } }, links)
}

/** Nothing is due any more; what was sent meanwhile stays. */
async function atRest(world: World, tenant: string, now: number): Promise<boolean> {
  const tip = await readTip(world, tenant)
  if (!tip || (tip.head.due_at ?? Number.POSITIVE_INFINITY) > now) return true
  const head = { ...tip.head, wake_at: null, due_at: null, redeliveries: 0 }
  return writePage(world, tenant, { version: tip.version, head })
}
