/**
 * Lists that cover a complete tenant. Copies of the listed rows are stored in one object per hour
 * in which the listed resources were created, so that no list outgrows one database or thread. The
 * tenant's object has a directory of these hours.
 */

import type { FoundRows, ListedRow, RowSearch } from '../../../ports/world.ts'
import { directoryOf, holderOf, hourOf, hourPartition } from '../bindings/address.ts'
import type { Lists, Rows } from '../ports/partitions.ts'

/** Number of hour objects queried concurrently; most hours of a quiet tenant have 1 or 2 rows. */
const AT_ONCE = 16
const PAGE = 100
const ALL = '\u{10ffff}'

export function hourLists(at: (object: string) => Rows): Lists {
  const objectOf = (partition: string): Rows => at(holderOf(partition)!)
  const hour = (under: string, name: string): Lists => objectOf(hourPartition(under, name))
  /** Returns the hours that may contain the requested rows, in the requested order. */
  const hoursOf = async (
    under: string,
    { above = '', below = ALL, order }: Pick<RowSearch, 'above' | 'below' | 'order'>,
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
      let rows: ListedRow[] = []
      for (const some of portions(hours)) {
        const pages = some.map((name) => hour(under, name).list(under, below, limit))
        rows = merged(rows, (await Promise.all(pages)).flat(), order)
        if (rows.length >= limit) break
      }
      return rows.slice(0, limit)
    },
    async find(under, search) {
      const hours = await hoursOf(under, search)
      let result: FoundRows = { rows: [] }
      for (const some of portions(hours)) {
        const pages = await Promise.all(some.map((name) => hour(under, name).find(under, search)))
        const last = some.at(-1)!
        result = together([result, ...pages], search)
        const isLast = last === hours.at(-1)
        if (result.reached === undefined && (isLast || result.rows.length < search.limit)) continue
        // Rows of hours that were not queried lie beyond the last queried hour.
        if (!isLast)
          result = together([result, { rows: [], reached: edgeOf(last, search) }], search)
        break
      }
      return result
    },
  }
}

function* portions(hours: readonly string[]): Generator<readonly string[]> {
  for (let from = 0; from < hours.length; from += AT_ONCE) yield hours.slice(from, from + AT_ONCE)
}

function together(pages: readonly FoundRows[], search: RowSearch): FoundRows {
  const places = pages.map(({ reached: endAt }) => endAt)
  const rows = pages.reduce<readonly ListedRow[]>(
    (all, page) => merged(all, page.rows, search.order),
    [],
  )
  return within(rows, nearest(places, search), search)
}

/** Returns the position that follows all rows of an hour in the requested order. */
const edgeOf = (name: string, { order }: Pick<RowSearch, 'order'>): string =>
  order === 'newest' ? name : `${name}${ALL}`

type Order = RowSearch['order']

const isBeyond = (at: string, place: string, order: Order): boolean =>
  order === 'newest' ? at < place : at > place

/** Returns the position up to which all queries have read; undefined if all reached the end. */
const nearest = (
  places: readonly (string | undefined)[],
  { order }: Pick<RowSearch, 'order'>,
): string | undefined =>
  places.reduce((nearest, other) => {
    if (nearest === undefined || other === undefined) return nearest ?? other
    return isBeyond(nearest, other, order) ? other : nearest
  }, undefined)

/** Merges two lists of rows in order, without duplicates; a duplicate is taken from `first`. */
function merged(
  first: readonly ListedRow[],
  more: readonly ListedRow[],
  order: Order,
): ListedRow[] {
  const nameOf = ({ partition, key }: ListedRow): string => `${partition} ${key}`
  const firstNames = new Set(first.map(nameOf))
  const all = [...first, ...more.filter((row) => !firstNames.has(nameOf(row)))]
  return all.sort((row, other) => {
    if (row.at === other.at) return 0
    return isBeyond(row.at, other.at, order) ? 1 : -1
  })
}

/** Returns one page of results, limited to rows up to `reached`, the position of all queries. */
function within(
  all: readonly ListedRow[],
  endAt: string | undefined,
  { order, limit }: Pick<RowSearch, 'order' | 'limit'>,
): FoundRows {
  const inRange = all.filter(({ at }) => endAt === undefined || !isBeyond(at, endAt, order))
  const rows = inRange.slice(0, limit)
  const end = inRange.length > rows.length ? rows.at(-1)!.at : endAt
  return end === undefined ? { rows } : { rows, reached: end }
}
