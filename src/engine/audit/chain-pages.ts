/**
 * Storage of a tenant's audit chain: pages with a limited number of links. A page is a partition
 * that never changes once it is full. Each link contains a copy of its entry. The head of the last
 * page is the head of the chain.
 */

import {
  type AuditBody,
  type AuditLink,
  CHAIN_START,
  type ChainPosition,
} from '../../core/audit-chain.ts'
import { LIMITS } from '../../core/limits.ts'
import { boundedCache } from '../../lib/lru-cache.ts'
import { HEAD, type Row, type World, type Write } from '../../ports/world.ts'
import type { AlarmedHead } from '../partition/format.ts'
import { chainPage, chainTip } from '../partition/keys.ts'
import { processMemory } from '../partition/process.ts'
import { stored, unlessDamaged } from '../partition/stored.ts'

/** Links per page, few enough to read a page at once. */
const PAGE_LINKS = LIMITS.audit_page_entries

/** Link with the address of the row that contains the original entry. */
export interface StoredLink extends AuditLink {
  readonly row: { readonly partition: string; readonly key: string }
}

export interface PageHead extends AlarmedHead {
  readonly page: number
  /** Position before this page, and the time up to which entries had been sealed. */
  readonly start: ChainPosition & { readonly sealed_to: string | null }
  readonly seq: number
  readonly hash: string
  /** Time of the newest sealed entry in RFC 3339; null if there is none. */
  readonly sealed_to: string | null
  /** Due time of the requested pass; null if none. The tick moves `wake_at` but not this time. */
  readonly due_at: number | null
  /** First page that retention keeps. */
  readonly floor: number
  /** Page that retention is deleting, if any. */
  readonly dropping?: number | undefined
}

/** Last page of the chain. */
export interface Tip {
  readonly version: number
  readonly head: PageHead
}

export const roomIn = ({ page, seq }: PageHead): number => (page + 1) * PAGE_LINKS - seq

/** Last known page and requested pass by tenant; a stale value costs only time. */
export const chainMemory = processMemory('chains', () =>
  boundedCache<{ page?: number | undefined; dueAt?: number | undefined }>(1_000),
)
type HasStore = Pick<World, 'store'>

export const pageHeadOf = (body: string): PageHead =>
  stored<PageHead>('a page of the audit chain', body, {
    ...{ page: 'number', seq: 'number', hash: 'string', start: 'object' },
  })

/** Returns the last page; undefined if no entry was ever sealed. */
export async function readTip({ store }: HasStore, tenant: string): Promise<Tip | undefined> {
  const page = chainMemory(store).get(tenant)?.page
  const tip = page === undefined ? undefined : await lastPageFrom({ store }, tenant, page)
  if (tip) return tip
  const [pointer] = await store.heads([chainTip(tenant)])
  const first = pointer ? stored<{ page: number }>('a tip', pointer.body, { page: 'number' }) : null
  return lastPageFrom({ store }, tenant, first?.page ?? 0)
}

/** Follows the pages from `page`, because the pointer may name an earlier page. */
async function lastPageFrom({ store }: HasStore, tenant: string, from: number) {
  for (let page = from; ; page += 1) {
    const [current, next] = await store.heads([
      chainPage(tenant, page),
      chainPage(tenant, page + 1),
    ])
    if (next) continue
    const memory = chainMemory(store)
    memory.set(tenant, { ...memory.get(tenant), page: current ? page : undefined })
    return current ? { version: current.version, head: pageHeadOf(current.body) } : undefined
  }
}

const FIRST_PAGE: PageHead = {
  ...{ wake_at: null, due_at: null, redeliveries: 0, listed: null },
  ...{ page: 0, floor: 0, sealed_to: null },
  ...CHAIN_START,
  start: { ...CHAIN_START, sealed_to: null },
}

/**
 * Returns the last page with room for a link, and creates it if necessary; undefined after a
 * conflict with another writer.
 */
export async function openPage(world: HasStore, tenant: string): Promise<Tip | undefined> {
  const tip = await readTip(world, tenant)
  if (tip && roomIn(tip.head) > 0) return tip
  const { seq, hash, sealed_to } = tip?.head ?? FIRST_PAGE
  const page = tip ? tip.head.page + 1 : 0
  const head = { ...(tip?.head ?? FIRST_PAGE), page, start: { seq, hash, sealed_to } }
  if (!(await writePage(world, tenant, { version: null, head }))) return undefined
  // A pointer that was not written names an earlier page, from which readers follow the pages.
  await writePointer(world, tenant, page)
  return readTip(world, tenant)
}

/** Writes the pointer to the last page; false after a conflict or an unknown outcome. */
export async function writePointer({ store }: HasStore, tenant: string, page: number) {
  const [pointer] = await store.heads([chainTip(tenant)])
  const body = JSON.stringify({ page })
  if (pointer?.body === body) return true
  const head = { expect: pointer?.version ?? null, body }
  return (await store.commit(chainTip(tenant), [], head)) === 'ok'
}

/** Writes the head of a page and new links; false after a conflict or an unknown outcome. */
export async function writePage(
  { store }: HasStore,
  tenant: string,
  { version, head }: { readonly version: number | null; readonly head: PageHead },
  links: readonly StoredLink[] = [],
): Promise<boolean> {
  const rows = links.map(
    (link): Write => ({ op: 'put', key: linkKey(link), body: JSON.stringify(link), expect: 'any' }),
  )
  const { wake_at } = head
  const result = await store.commit(chainPage(tenant, head.page), rows, {
    expect: version,
    body: JSON.stringify(head),
    alarm: wake_at === null ? undefined : { at: wake_at, lane: 'background', started: true },
  })
  return result === 'ok'
}

const LINKS = 'l/'
const linkKey = ({ seq }: ChainPosition): string => `${LINKS}${String(seq).padStart(10, '0')}`

/** Parses a link. A damaged one has an empty entry, so that a verification finds it. */
const linkOf = ({ key, body }: Row): StoredLink =>
  unlessDamaged(
    () =>
      stored<StoredLink>('a link of the audit chain', body, {
        ...{ seq: 'number', entry: 'object', row: 'object' },
      }),
    () => {
      const seq = Number(key.slice(LINKS.length))
      return { seq, hash: '', entry: {}, row: { partition: '', key: '' } }
    },
  )

/** Reads the rows of a page as stored, including inserted ones; `after` is the key of a row. */
export async function readPage({ store }: HasStore, tenant: string, page: number, after?: string) {
  const rows = await store.read(chainPage(tenant, page), after)
  const linkRows = rows.filter(({ key }) => key.startsWith(LINKS))
  const links = linkRows.map(linkOf)
  const head = rows.find(({ key }) => key === HEAD)
  return { head: head && pageHeadOf(head.body), links, last: linkRows.at(-1)?.key ?? after }
}

export const versionIn = (entry: AuditBody): string => String(entry.version)
