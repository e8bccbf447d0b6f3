/**
 * Two indexes: alarms, merged over their shards in order of time, and lists. Both lag slightly and
 * contain only keys. The rows of a list are read from the table, which confirms that they are still
 * in that list.
 */

import type { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { QueryCommand } from '@aws-sdk/client-dynamodb'
import type { Due, DueEntry, ListedRow } from '../../ports/world.ts'
import {
  ALARMS,
  dueEntryOf,
  dueUntil,
  type Item,
  keyOf,
  LISTS,
  rankAndShard,
  SHARDS,
  text,
} from './table.ts'

const DUE_PAGE = 100

/** End of the last page: whether its alarms are of started runs, and its position there. */
type Cursor = readonly [started: boolean, after: string]

/** Merges the alarm index's shards: alarms of started runs first, then oldest first. */
export async function alarmPages(
  client: DynamoDBClient,
  table: string,
  now: number,
  cursor: string | undefined,
): Promise<Due> {
  let [started, after]: Cursor = cursor === undefined ? [true, ''] : JSON.parse(cursor)
  const entries: DueEntry[] = []
  for (;;) {
    const room = DUE_PAGE - entries.length
    const items = await merged(client, table, { started, after, until: dueUntil(now), limit: room })
    entries.push(...items.map((item) => dueEntryOf(item, started)))
    after = items.at(-1)?.w?.S ?? after
    if (items.length === room) return { entries, cursor: JSON.stringify([started, after]) }
    if (!started) return { entries }
    started = false
    after = ''
  }
}

interface Range {
  readonly started: boolean
  readonly after: string
  readonly until: string
  readonly limit: number
}

async function merged(client: DynamoDBClient, table: string, range: Range): Promise<Item[]> {
  const { started, after, until, limit } = range
  // Smallest string that sorts after the last position. An empty string is not a valid sort key.
  const from = after === '' ? '0' : `${after}\u0000`
  if (from > until) return []
  const pages = await Promise.all(
    Array.from({ length: SHARDS }, (_, shard) =>
      client.send(
        new QueryCommand({
          TableName: table,
          IndexName: ALARMS,
          KeyConditionExpression: 'g = :g AND w BETWEEN :from AND :until',
          ExpressionAttributeValues: {
            ':g': text(rankAndShard(started, shard)),
            ':from': text(from),
            ':until': text(until),
          },
          Limit: limit,
        }),
      ),
    ),
  )
  const items = pages.flatMap(({ Items }) => Items ?? [])
  return items.sort((left, right) => (left.w!.S! < right.w!.S! ? -1 : 1)).slice(0, limit)
}

export interface ListSource {
  readonly client: DynamoDBClient
  readonly table: string
  readonly get: (keys: readonly Item[]) => Promise<Item[]>
  readonly load: (partition: string, item: Item) => Promise<string>
}
export interface ListRange {
  readonly under: string
  readonly before: string | undefined
  readonly limit: number
}

/**
 * Reads a page of a list. A page is short only at the end of its list; entries that are missing
 * because of index lag are replaced by later ones.
 */
export async function listPage(source: ListSource, range: ListRange): Promise<ListedRow[]> {
  const { under, limit } = range
  const rows: ListedRow[] = []
  let beforeKey = range.before
  while (rows.length < limit) {
    const keys = await listKeys(source, { under, before: beforeKey, limit: limit - rows.length })
    beforeKey = keys.at(-1)?.a?.S
    if (beforeKey === undefined) break
    const items = await source.get(keys.map(({ p, k }) => keyOf(p!.S!, k!.S!)))
    const byAddress = new Map(items.map((item) => [address(item), item]))
    for (const key of keys) {
      const item = byAddress.get(address(key))
      if (!item || item.u?.S !== under || item.a?.S !== key.a?.S) continue
      const partition = item.p!.S!
      const body = await source.load(partition, item)
      rows.push({ partition, key: item.k!.S!, at: item.a!.S!, body })
    }
  }
  return rows
}

const address = (item: Item): string => `${item.p?.S} ${item.k?.S}`

async function listKeys({ client, table }: ListSource, range: ListRange): Promise<Item[]> {
  const { under, before: beforeKey, limit } = range
  const page = await client.send(
    new QueryCommand({
      TableName: table,
      IndexName: LISTS,
      KeyConditionExpression: beforeKey === undefined ? 'u = :u' : 'u = :u AND a < :before',
      ExpressionAttributeValues: {
        ':u': text(under),
        ...(beforeKey === undefined ? {} : { ':before': text(beforeKey) }),
      },
      ScanIndexForward: false,
      Limit: limit,
    }),
  )
  return page.Items ?? []
}
