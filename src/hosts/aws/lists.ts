/**
 * The index of lists. A list that grows with a tenant's runs stands under several keys (table.ts):
 * each is queried within the same bounds, and what they answer is merged in order. A key whose page
 * is not its last says nothing of what lies beyond that page, so the merged portion ends there: at
 * its *frontier*, from which the next one goes on. The index lags and holds no bodies; rows are
 * read from the table, which confirms that they still stand in that list.
 */

import { type AttributeValue, type DynamoDBClient, QueryCommand } from '@aws-sdk/client-dynamodb'
import type { Listed } from '../../ports/world.ts'
import { type Item, keyOf, LISTS, listKeys, text } from './table.ts'

export interface ListSource {
  readonly client: DynamoDBClient
  readonly table: string
  readonly get: (keys: readonly Item[]) => Promise<Item[]>
  readonly load: (partition: string, item: Item) => Promise<string>
}

export interface Within {
  /** Only what stands after this place, and before that one. */
  readonly above?: string | undefined
  readonly below?: string | undefined
  readonly order: 'newest' | 'oldest'
  /** Entries of each key. */
  readonly limit: number
  readonly filter?: Filter
}
export interface Filter {
  readonly expression: string
  readonly values: readonly (readonly [name: string, value: string])[]
}

export interface Portion {
  /** In order, none beyond the frontier. */
  readonly items: readonly Item[]
  /** The place up to which all was seen; absent: that was all. */
  readonly frontier?: string | undefined
  /** Entries that were read. */
  readonly scanned: number
  /** Keys that have something beyond the frontier. */
  readonly keys: readonly string[]
}

/** Pages of several keys are uneven: this many more, and twice its share, is asked of each. */
const SPARE = 4

/** How many entries to ask of each key for so many in all. */
export const share = (limit: number, keys: readonly string[]): number =>
  keys.length === 1 ? limit : Math.min(limit, SPARE + Math.ceil((2 * limit) / keys.length))

/** A page is short only at the end of its list, so what the index shows too late is made up for. */
export async function listPage(
  source: ListSource,
  under: string,
  { before, limit }: { readonly before: string | undefined; readonly limit: number },
): Promise<Listed[]> {
  const found: Listed[] = []
  let below = before
  let keys = listKeys(under)
  while (found.length < limit) {
    const room = limit - found.length
    const page = await portion(source, keys, { below, order: 'newest', limit: share(room, keys) })
    const taken = page.items.slice(0, room)
    found.push(...(await rowsOf(source, under, taken)))
    const isCut = taken.length < page.items.length
    below = isCut ? taken.at(-1)?.a?.S : page.frontier
    if (below === undefined) break
    if (!isCut) keys = page.keys
  }
  return found
}

/** Entries of these keys within the bounds, up to where all of them are known. */
export async function portion(
  source: ListSource,
  keys: readonly string[],
  within: Within,
): Promise<Portion> {
  const isBeyond = (left: string, right: string): boolean =>
    within.order === 'newest' ? left < right : left > right
  const pages = await Promise.all(keys.map((key) => query(source, key, within)))
  const frontier = pages.reduce<string | undefined>(
    (first, { reached }) =>
      reached !== undefined && (first === undefined || isBeyond(first, reached)) ? reached : first,
    undefined,
  )
  const hidden = (item: Item): boolean => frontier !== undefined && isBeyond(item.a!.S!, frontier)
  const sorted = pages
    .flatMap(({ items }) => items.filter((item) => !hidden(item)))
    .sort((left, right) => (isBeyond(left.a!.S!, right.a!.S!) ? 1 : -1))
  return {
    // A row that has just come to its shard may still be shown where it was.
    items: [...new Map(sorted.map((item) => [`${addressOf(item)} ${item.a?.S}`, item])).values()],
    frontier,
    scanned: pages.reduce((sum, { scanned }) => sum + scanned, 0),
    keys: keys.filter((_, index) => {
      const { reached, items } = pages[index]!
      return reached !== undefined || items.some(hidden)
    }),
  }
}

/** Those that still stand in the list, there, with their bodies. */
export async function rowsOf(
  source: ListSource,
  under: string,
  entries: readonly Item[],
): Promise<Listed[]> {
  const items = await source.get(entries.map(({ p, k }) => keyOf(p!.S!, k!.S!)))
  const byAddress = new Map(items.map((item) => [addressOf(item), item]))
  const keys = new Set(listKeys(under))
  const rows: Listed[] = []
  for (const entry of entries) {
    const item = byAddress.get(addressOf(entry))
    if (!item || !keys.has(item.u?.S ?? '') || item.a?.S !== entry.a?.S) continue
    const partition = item.p!.S!
    const body = await source.load(partition, item)
    rows.push({ partition, key: item.k!.S!, at: item.a!.S!, body })
  }
  return rows
}

const addressOf = (item: Item): string => `${item.p?.S} ${item.k?.S}`

async function query(
  { client, table }: ListSource,
  key: string,
  { above, below, order, limit, filter }: Within,
) {
  const range = [
    ...(above === undefined ? [] : [[':above', above] as const]),
    ...(below === undefined ? [] : [[':below', below] as const]),
  ]
  // The bounds are part of no list, and BETWEEN takes both in: they are filtered below.
  const within =
    range.length === 2
      ? ' AND a BETWEEN :above AND :below'
      : range.map(([name]) => ` AND a ${name === ':above' ? '>' : '<'} ${name}`).join('')
  const values = [[':u', key] as const, ...range, ...(filter?.values ?? [])]
  const page = await client.send(
    new QueryCommand({
      TableName: table,
      IndexName: LISTS,
      KeyConditionExpression: `u = :u${within}`,
      ...(filter === undefined ? {} : { FilterExpression: filter.expression }),
      ExpressionAttributeValues: Object.fromEntries(
        values.map(([name, value]): [string, AttributeValue] => [name, text(value)]),
      ),
      ScanIndexForward: order === 'oldest',
      Limit: limit,
    }),
  )
  const items = (page.Items ?? []).filter(({ a }) => a?.S !== above && a?.S !== below)
  return { items, scanned: page.ScannedCount ?? limit, reached: page.LastEvaluatedKey?.a?.S }
}
