/** Pages of a list as routes answer them: a cursor that is none is refused. */

import {
  type Page,
  type PageQuery,
  pageOf,
  placeOf,
  sealCursor,
} from '../../engine/partition/page.ts'
import type { World } from '../../ports/world.ts'
import { granted } from './problem.ts'

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

/** `shape` makes an item of a row's body, which the engine parses (`partition/stored.ts`). */
export const page = async <T>(
  world: World,
  under: string,
  query: PageQuery,
  shape: (body: string) => T,
): Promise<Page<T>> => granted(await pageOf(world, under, query, shape))

/** The place that a cursor stands for; undefined: the beginning. */
export const openCursor = async (
  world: World,
  list: string,
  cursor: string | undefined,
): Promise<string | undefined> => granted(await placeOf(world, list, cursor))
