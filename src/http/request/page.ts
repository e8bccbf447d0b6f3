/** Builds list pages for routes; an invalid cursor is rejected. */

import {
  type Page,
  type PageQuery,
  pageOf,
  placeOf,
  sealCursor,
} from '../../engine/partition/page.ts'
import type { World } from '../../ports/world.ts'
import { granted } from './problem.ts'

/** Section of a list: its items, and the start of the next section, which is absent at the end. */
interface Portion<T> {
  readonly found: readonly { readonly at: string; readonly item: T }[]
  readonly reached?: string | undefined
}

/** Maximum number of list sections that one request reads. */
const PORTIONS = 20

/**
 * Builds a page from list sections. A page may contain fewer items than exist, and its cursor
 * continues where the request stopped. `read` receives the last position and the number of missing
 * items.
 */
export async function searched<T>(
  world: World,
  list: string,
  { limit, cursor }: PageQuery,
  read: (last: string | undefined, room: number) => Promise<Portion<T>>,
): Promise<Page<T>> {
  let last = await openCursor(world, list, cursor)
  let isComplete = false
  const items: Portion<T>['found'][number][] = []
  for (let portion = 0; portion < PORTIONS && !isComplete && items.length <= limit; portion += 1) {
    const next = await read(last, limit + 1 - items.length)
    items.push(...next.found)
    last = next.reached
    isComplete = next.reached === undefined
  }
  const data = items.slice(0, limit)
  const over = items.length > data.length
  const at = over ? data.at(-1)!.at : last
  const next_cursor = at === undefined ? null : await sealCursor(world, list, at)
  return { data: data.map(({ item }) => item), next_cursor, has_more: next_cursor !== null }
}

/**
 * Builds a page of stored rows; `shape` creates an item from a row's body, parsed by the engine
 * (`partition/stored.ts`).
 */
export const page = async <T>(
  world: World,
  under: string,
  query: PageQuery,
  shape: (body: string) => T,
): Promise<Page<T>> => granted(await pageOf(world, under, query, shape))

/** Decodes a page cursor to a list position; returns undefined for the first page. */
export const openCursor = async (
  world: World,
  list: string,
  cursor: string | undefined,
): Promise<string | undefined> => granted(await placeOf(world, list, cursor))
