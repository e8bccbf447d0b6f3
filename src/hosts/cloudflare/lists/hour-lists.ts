/**
 * The lists of a whole tenant: copies of rows lie in objects, one for each hour in which what they
 * show was created, so that no list outgrows one database or one thread. The tenant's own object
 * has a directory of those hours.
 */

import type { Found, Listed, Wanted } from '../../../ports/world.ts'
import { directoryOf, holderOf, hourOf, hourPartition } from '../bindings/address.ts'
import type { Lists, Rows } from '../ports/partitions.ts'

/** Hours that are asked at once: of a tenant that does little most have a row or two. */
const AT_ONCE = 16
const PAGE = 100
const ALL = '\u{10ffff}'

export function hourLists(at: (object: string) => Rows): Lists {
  const objectOf = (partition: string): Rows => at(holderOf(partition)!)
  const hour = (under: string, name: string): Lists => objectOf(hourPartition(under, name))
  /** Hours that may have the requested rows, in the requested order. */
  const hoursOf = async (
    under: string,
    { above = '', below = ALL, order }: Pick<Wanted, 'above' | 'below' | 'order'>,
  ): Promise<readonly string[]> => {
    const directory = directoryOf(under)
    const rows = await objectOf(directory).read(directory)
    const names = rows.map(({ key }) => key)
    const some = names.filter((name) => name >= hourOf(above) && name <= hourOf(below))
    return order === 'newest' ? some.reverse() : some
  }
  return {
    async list(under, below, limit = PAGE) {
      const order = 'newest'
      const hours = await hoursOf(under, { below, order })
      let found: Listed[] = []
      for (const some of portions(hours)) {
        const pages = some.map((name) => hour(under, name).list(under, below, limit))
        found = merged(found, (await Promise.all(pages)).flat(), order)
        if (found.length >= limit) break
      }
      return found.slice(0, limit)
    },
    async find(under, wanted) {
      const hours = await hoursOf(under, wanted)
      let found: Found = { rows: [] }
      for (const some of portions(hours)) {
        const pages = await Promise.all(some.map((name) => hour(under, name).find(under, wanted)))
        const last = some.at(-1)!
        found = together([found, ...pages], wanted)
        const isLast = last === hours.at(-1)
        if (found.reached === undefined && (isLast || found.rows.length < wanted.limit)) continue
        // Hours that were not asked lie beyond the last of these.
        if (!isLast) found = together([found, { rows: [], reached: edgeOf(last, wanted) }], wanted)
        break
      }
      return found
    },
  }
}

function* portions(hours: readonly string[]): Generator<readonly string[]> {
  for (let from = 0; from < hours.length; from += AT_ONCE) yield hours.slice(from, from + AT_ONCE)
}

function together(pages: readonly Found[], wanted: Wanted): Found {
  const places = pages.map(({ reached }) => reached)
  const rows = pages.reduce<readonly Listed[]>(
    (all, page) => merged(all, page.rows, wanted.order),
    [],
  )
  return within(rows, nearest(places, wanted), wanted)
}

/** Beyond all of an hour, in the order in which rows are wanted. */
const edgeOf = (name: string, { order }: Pick<Wanted, 'order'>): string =>
  order === 'newest' ? name : `${name}${ALL}`

type Order = Wanted['order']

const isBeyond = (at: string, place: string, order: Order): boolean =>
  order === 'newest' ? at < place : at > place

/** How far all have looked; undefined: to the end. */
const nearest = (
  places: readonly (string | undefined)[],
  { order }: Pick<Wanted, 'order'>,
): string | undefined =>
  places.reduce((one, other) => {
    if (one === undefined || other === undefined) return one ?? other
    return isBeyond(one, other, order) ? other : one
  }, undefined)

/** In their order, each row once: the one that is named first, where both have it. */
function merged(first: readonly Listed[], more: readonly Listed[], order: Order): Listed[] {
  const nameOf = ({ partition, key }: Listed): string => `${partition} ${key}`
  const known = new Set(first.map(nameOf))
  const all = [...first, ...more.filter((row) => !known.has(nameOf(row)))]
  return all.sort((one, other) => {
    if (one.at === other.at) return 0
    return isBeyond(one.at, other.at, order) ? 1 : -1
  })
}

/** The page of the results, limited to the range that was read, up to `reached`. */
function within(
  all: readonly Listed[],
  reached: string | undefined,
  { order, limit }: Pick<Wanted, 'order' | 'limit'>,
): Found {
  const seen = all.filter(({ at }) => reached === undefined || !isBeyond(at, reached, order))
  const rows = seen.slice(0, limit)
  const end = seen.length > rows.length ? rows.at(-1)!.at : reached
  return end === undefined ? { rows } : { rows, reached: end }
}
