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

interface PageQuery {
  readonly limit: number
  readonly cursor?: string | undefined
}

/** A stretch of a list: what was found in it, and where the next one begins; absent: at no place. */
interface Portion<T> {
  readonly found: readonly { readonly at: string; readonly item: T }[]
  readonly reached?: string | undefined
}

/** Portions that one request reads. */
const PORTIONS = 20

/**
 * A page of what is found in portions. It may hold less than there is: its cursor goes on from
 * where the request stopped. `read` gets the last place, and how many items are still missing.
 */
export async function searched<T>(
  world: World,
  list: string,
  { limit, cursor }: PageQuery,
  read: (last: string | undefined, room: number) => Promise<Portion<T>>,
): Promise<Page<T>> {
  let last = await openCursor(world, list, cursor)
  let whole = false
  const found: Portion<T>['found'][number][] = []
  for (let portion = 0; portion < PORTIONS && !whole && found.length <= limit; portion += 1) {
    const next = await read(last, limit + 1 - found.length)
    found.push(...next.found)
    last = next.reached
    whole = next.reached === undefined
  }
  const data = found.slice(0, limit)
  const over = found.length > data.length
  const at = over ? data.at(-1)!.at : last
  const next_cursor = at === undefined ? null : await sealCursor(world, list, at)
  return { data: data.map(({ item }) => item), next_cursor, has_more: next_cursor !== null }
}

/** `shape` makes an item of a row's body, which the engine parses (`partition/stored.ts`). */
export const page = <T>(
  world: World,
  under: string,
  query: PageQuery,
  shape: (body: string) => T,
): Promise<Page<T>> =>
  searched(world, under, query, async (last, room) => {
    const rows = await world.store.list(under, last, room)
    const found = rows.map(({ at, body }) => ({ at, item: shape(body) }))
    return { found, reached: rows.length < room ? undefined : rows.at(-1)?.at }
  })

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
