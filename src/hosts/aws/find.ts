/**
 * Finds rows of a list by their tags by querying the index in growing batches. A filter that most
 * rows match then costs little, and a filter that few rows match needs few requests. Results are
 * read from the table, which confirms that each row is still in that list.
 */

import { type AttributeValue, QueryCommand } from '@aws-sdk/client-dynamodb'
import { tagOf } from '../../lib/tags.ts'
import type { FoundRows, ListedRow, RowSearch } from '../../ports/world.ts'
import { FIND_ENTRIES } from '../../ports/world.ts'
import type { ListSource } from './indexes.ts'
import { type Item, keyOf, LISTS, text } from './table.ts'

/** Size of the first query batch, and growth factor of the following batches. */
const FIRST = 100
const GROWTH = 8

export async function findPage(
  source: ListSource,
  under: string,
  search: RowSearch,
): Promise<FoundRows> {
  const { above, below } = search
  if (above !== undefined && below !== undefined && above >= below) return { rows: [] }
  const rows: ListedRow[] = []
  let remaining = FIND_ENTRIES
  let from: Item | undefined
  for (let portion = FIRST; ; portion *= GROWTH) {
    const page = await entries(source, under, search, { limit: Math.min(portion, remaining), from })
    const keys = page.items.slice(0, search.limit - rows.length)
    rows.push(...(await rowsOf(source, under, keys)))
    // More rows match than the page can contain, so the page ends with the last row that fits.
    const last = keys.at(-1)?.a?.S
    if (keys.length < page.items.length && last !== undefined) return { rows, reached: last }
    from = page.from
    remaining -= page.scanned
    if (from === undefined) return { rows }
    if (remaining <= 0 || rows.length >= search.limit) return { rows, reached: from.a!.S! }
  }
}

async function rowsOf(source: ListSource, under: string, keys: readonly Item[]) {
  const items = await source.get(keys.map(({ p, k }) => keyOf(p!.S!, k!.S!)))
  const byAddress = new Map(items.map((item) => [address(item), item]))
  const rows: ListedRow[] = []
  for (const key of keys) {
    const item = byAddress.get(address(key))
    if (!item || item.u?.S !== under || item.a?.S !== key.a?.S) continue
    const partition = item.p!.S!
    const body = await source.load(partition, item)
    rows.push({ partition, key: item.k!.S!, at: item.a!.S!, body })
  }
  return rows
}

const address = (item: Item): string => `${item.p?.S} ${item.k?.S}`

async function entries(
  { client, table }: ListSource,
  under: string,
  { marks, words, above, below, order }: RowSearch,
  { limit, from }: { readonly limit: number; readonly from: Item | undefined },
) {
  const names = [...marks].map((mark, index) => [`:m${index}`, mark] as const)
  const tags = words.map((word, index) => [`:w${index}`, tagOf(word)] as const)
  const marked = names.map(([name]) => `begins_with(t, ${name})`).join(' OR ')
  const filters = [
    ...(marked === '' ? [] : [`(${marked})`]),
    ...tags.map(([name]) => `contains(t, ${name})`),
  ]
  const range = [
    ...(above === undefined ? [] : [[':above', above] as const]),
    ...(below === undefined ? [] : [[':below', below] as const]),
  ]
  // BETWEEN includes its bounds; these lie outside the range of the list and are removed below.
  const within =
    range.length === 2
      ? ' AND a BETWEEN :above AND :below'
      : range.map(([name]) => ` AND a ${name === ':above' ? '>' : '<'} ${name}`).join('')
  const values = [[':u', under] as const, ...range, ...names, ...tags]
  const page = await client.send(
    new QueryCommand({
      TableName: table,
      IndexName: LISTS,
      KeyConditionExpression: `u = :u${within}`,
      ...(filters.length === 0 ? {} : { FilterExpression: filters.join(' AND ') }),
      ExpressionAttributeValues: Object.fromEntries(
        values.map(([name, value]): [string, AttributeValue] => [name, text(value)]),
      ),
      ScanIndexForward: order === 'oldest',
      Limit: limit,
      ...(from === undefined ? {} : { ExclusiveStartKey: from }),
    }),
  )
  const items = (page.Items ?? []).filter(({ a }) => a?.S !== above && a?.S !== below)
  return { items, scanned: page.ScannedCount ?? limit, from: page.LastEvaluatedKey }
}
