/** Pages of one list that lies in several places, as one page. */

import type { Found, Listed, Wanted } from '../../../ports/world.ts'

type Order = Wanted['order']

const isBeyond = (at: string, place: string, order: Order): boolean =>
  order === 'newest' ? at < place : at > place

/** How far all have looked; undefined: to the end. */
export const nearest = (
  places: readonly (string | undefined)[],
  { order }: Pick<Wanted, 'order'>,
): string | undefined =>
  places.reduce((one, other) => {
    if (one === undefined || other === undefined) return one ?? other
    return isBeyond(one, other, order) ? other : one
  }, undefined)

/** In their order, each row once: the one that is named first, where both have it. */
export function merged(first: readonly Listed[], more: readonly Listed[], order: Order): Listed[] {
  const nameOf = ({ partition, key }: Listed): string => `${partition} ${key}`
  const known = new Set(first.map(nameOf))
  const all = [...first, ...more.filter((row) => !known.has(nameOf(row)))]
  return all.sort((one, other) => {
    if (one.at === other.at) return 0
    return isBeyond(one.at, other.at, order) ? 1 : -1
  })
}

/** The page of what was found, where nobody has looked beyond `reached`. */
export function within(
  all: readonly Listed[],
  reached: string | undefined,
  { order, limit }: Pick<Wanted, 'order' | 'limit'>,
): Found {
  const seen = all.filter(({ at }) => reached === undefined || !isBeyond(at, reached, order))
  const rows = seen.slice(0, limit)
  const end = seen.length > rows.length ? rows.at(-1)!.at : reached
  return end === undefined ? { rows } : { rows, reached: end }
}
