/**
 * Pages of a list. A cursor is the place of the last item, sealed by the deployment and bound to
 * the list (and so to the tenant): it cannot be read, forged or used on another list.
 */

import type { World } from '../ports/world.ts'
import { refuse } from './problem.ts'

export interface Page<T> {
  readonly data: readonly T[]
  readonly next_cursor: string | null
  readonly has_more: boolean
}

const CURSOR = /^[A-Za-z0-9_.:=+/-]{1,1000}$/

/** Of which items a page is made; the name binds a cursor to it. */
export interface Filter<T> {
  readonly name: string
  keeps(item: T): boolean
}

/** Rows that one request reads for a filtered page, in portions. */
const PORTIONS = 20
const PORTION = 100

/** `shape` makes an item of a row's parsed body. A filtered page may hold less than there is. */
export async function page<T>(
  world: World,
  under: string,
  query: { limit: number; cursor?: string | undefined },
  shape: (body: unknown) => T,
  filter?: Filter<T>,
): Promise<Page<T>> {
  const list = filter ? `${under}?${filter.name}` : under
  const size = filter ? PORTION : query.limit + 1
  let last = await openCursor(world, list, query.cursor)
  let whole = false
  const found: { readonly at: string; readonly item: T }[] = []
  for (let portion = 0; portion < PORTIONS && !whole && found.length <= query.limit; portion += 1) {
    const rows = await world.store.list(under, last, size)
    const items = rows.map(({ at, body }) => ({ at, item: shape(JSON.parse(body)) }))
    found.push(...items.filter(({ item }) => filter?.keeps(item) ?? true))
    last = rows.at(-1)?.at ?? last
    whole = rows.length < size
  }
  const data = found.slice(0, query.limit)
  const over = found.length > data.length
  const has_more = over || !whole
  const at = over ? data.at(-1)!.at : last
  const next_cursor = has_more && at !== undefined ? await sealCursor(world, list, at) : null
  return { data: data.map(({ item }) => item), next_cursor, has_more }
}

/** A page that was left for a day begins anew: what it continued has changed. */
const CURSOR_MS = 24 * 3_600_000

/** `lasting`: the place in a log, which never changes. */
export function sealCursor(
  world: World,
  list: string,
  at: string,
  lasting = false,
): Promise<string> {
  const until = lasting ? '' : String(world.clock.now() + CURSOR_MS)
  return world.secrets.seal(`${until} ${at}`, `cursor ${list}`)
}

export async function openCursor(
  world: World,
  list: string,
  cursor: string | undefined,
): Promise<string | undefined> {
  if (cursor === undefined) return undefined
  const text = CURSOR.test(cursor) ? await world.secrets.open(cursor, `cursor ${list}`) : undefined
  const blank = text?.indexOf(' ') ?? -1
  if (text === undefined || blank < 0) {
    throw refuse('invalid_cursor', 'The cursor is not one of this list.')
  }
  const until = text.slice(0, blank)
  if (until !== '' && world.clock.now() > Number(until)) {
    throw refuse('invalid_cursor', 'The cursor has expired after 24 hours: begin the list anew.')
  }
  return text.slice(blank + 1)
}
