/**
 * The sealed audit of a tenant as it is stored: pages of a bounded number of links, each a
 * partition that never changes once it is full. A link holds a copy of its entry. The head of the
 * last page is the head of the chain.
 */

import {
  type AuditBody,
  type AuditLink,
  type ChainPlace,
  FIRST_PLACE,
} from '../../core/audit-chain.ts'
import { bounded } from '../../lib/bounded.ts'
import { HEAD, type Row, type World, type Write } from '../../ports/world.ts'
import type { AlarmedHead } from '../partition/format.ts'
import { chainPage, chainTip } from '../partition/keys.ts'
import { processMemory } from '../partition/process.ts'
import { stored } from '../partition/stored.ts'

/** So that a page is read in one go. */
export const PAGE_LINKS = 200

/** Where an entry was first written. */
interface RowName {
  readonly partition: string
  readonly key: string
}
export interface StoredLink extends AuditLink {
  readonly row: RowName
}

export interface PageHead extends AlarmedHead {
  readonly page: number
  /** The chain before this page, and up to where entries were sealed by then. */
  readonly start: ChainPlace & { readonly sealed_to: string | null }
  readonly seq: number
  readonly hash: string
  /** The time of the newest sealed entry, RFC 3339; null: there is none. */
  readonly sealed_to: string | null
  /** When a pass was sent for; null: none is. The tick moves the alarm, and never this. */
  readonly due_at: number | null
  /** The first page that is kept. */
  readonly floor: number
  /** The page before it, if that is not gone yet. */
  readonly dropping?: number | undefined
}

export interface Tip {
  readonly version: number
  readonly head: PageHead
}

export const pageOf = (seq: number): number => Math.floor((seq - 1) / PAGE_LINKS)
export const roomIn = ({ page, seq }: PageHead): number => (page + 1) * PAGE_LINKS - seq

/** By tenant: nothing rests on it. */
export const sealsOf = processMemory('seals', () =>
  bounded<{ page?: number | undefined; dueAt?: number | undefined }>(1_000),
)
type Storing = Pick<World, 'store'>

export const pageHeadOf = (body: string): PageHead =>
  stored<PageHead>('a page of the audit', body, { page: 'number', seq: 'number', hash: 'string' })

/** The last page; undefined: nothing was ever sealed. */
export async function readTip({ store }: Storing, tenant: string): Promise<Tip | undefined> {
  const known = sealsOf(store).get(tenant)
  const from = known?.page
  const tip = from === undefined ? undefined : await lastFrom({ store }, tenant, from)
  if (tip) return tip
  const [pointer] = await store.heads([chainTip(tenant)])
  const page = pointer
    ? stored<{ page: number }>('a tip', pointer.body, { page: 'number' }).page
    : 0
  return lastFrom({ store }, tenant, page)
}

/** The page after the last one is not there; a pointer may name one of before. */
async function lastFrom({ store }: Storing, tenant: string, from: number) {
  let found: Row | undefined
  for (let page = from; ; page += 1) {
    const [here, next] = await store.heads([chainPage(tenant, page), chainPage(tenant, page + 1)])
    if (next) continue
    found = here ?? undefined
    const seals = sealsOf(store)
    seals.set(tenant, { ...seals.get(tenant), page: found && page })
    return found && { version: found.version, head: pageHeadOf(found.body) }
  }
}

const FIRST_PAGE: PageHead = {
  ...{
    wake_at: null,
    due_at: null,
    redeliveries: 0,
    listed: null,
    page: 0,
    floor: 0,
    sealed_to: null,
  },
  ...FIRST_PLACE,
  start: { ...FIRST_PLACE, sealed_to: null },
}

/** The last page with room for a link; undefined: somebody else is at it, read again. */
export async function openPage(world: Storing, tenant: string): Promise<Tip | undefined> {
  const tip = await readTip(world, tenant)
  if (tip && roomIn(tip.head) > 0) return tip
  const { seq, hash, sealed_to } = tip?.head ?? FIRST_PAGE
  const page = tip ? tip.head.page + 1 : 0
  const head = { ...(tip?.head ?? FIRST_PAGE), page, start: { seq, hash, sealed_to } }
  if (!(await writePage(world, tenant, { version: null, head }))) return undefined
  const [pointer] = await world.store.heads([chainTip(tenant)])
  // Lost: whoever follows the pointer finds the next pages.
  await world.store.commit(chainTip(tenant), [], {
    expect: pointer?.version ?? null,
    body: JSON.stringify({ page }),
  })
  return readTip(world, tenant)
}

/** False: somebody else was first, or nobody knows. */
export async function writePage(
  { store }: Storing,
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
const linkKey = ({ seq }: ChainPlace): string => `${LINKS}${String(seq).padStart(10, '0')}`

/**
 * A page as it stands there; links that somebody has put or taken show as they are. `after`: the key
 * of a row.
 */
export async function readPage({ store }: Storing, tenant: string, page: number, after?: string) {
  const rows = await store.read(chainPage(tenant, page), after)
  const found = rows.filter(({ key }) => key.startsWith(LINKS))
  const links = found.map(({ body }) =>
    stored<StoredLink>('a link of the audit', body, { seq: 'number', entry: 'object' }),
  )
  const head = rows.find(({ key }) => key === HEAD)
  return { head: head && pageHeadOf(head.body), links, last: found.at(-1)?.key ?? after }
}

export const versionOf = (entry: AuditBody): string => String(entry.version)
