/**
 * The index of alarms, merged over its shards in order of time. It lags a little, and holds keys
 * only.
 */

import type { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { QueryCommand } from '@aws-sdk/client-dynamodb'
import type { Due, DueEntry } from '../../ports/world.ts'
import { ALARMS, dueEntryOf, dueUntil, type Item, rankAndShard, SHARDS, text } from './table.ts'

const DUE_PAGE = 100
/**
 * Asked of one shard for a page: an even share and what chance adds to it. Places beyond the end of
 * the shard that comes to its end first are not known to be next, and come with the next page.
 */
const OF_SHARD = 20

/** Where the last page ended: the rank, and the place within it. */
type Cursor = readonly [started: boolean, after: string]

/** Started alarms first, each kind oldest first, whatever shard they lie on. */
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
    const range = { started, after, until: dueUntil(now), limit: room }
    const { items, isAll } = await merged(client, table, range)
    entries.push(...items.map((item) => dueEntryOf(item, started)))
    after = items.at(-1)?.w?.S ?? after
    if (!isAll || items.length === room)
      return { entries, cursor: JSON.stringify([started, after]) }
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

interface Merged {
  readonly items: readonly Item[]
  /** Whether the range has no more. */
  readonly isAll: boolean
}

async function merged(client: DynamoDBClient, table: string, range: Range): Promise<Merged> {
  const { started, after, until, limit } = range
  // The least text that sorts after the last place. An empty text is no sort key.
  const from = after === '' ? '0' : `${after}\u0000`
  if (from > until) return { items: [], isAll: true }
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
          Limit: OF_SHARD,
        }),
      ),
    ),
  )
  const ends = pages.flatMap(({ Items, LastEvaluatedKey }) =>
    LastEvaluatedKey ? [Items?.at(-1)?.w?.S ?? from] : [],
  )
  const items = pages
    .flatMap(({ Items }) => Items ?? [])
    .filter(({ w }) => ends.every((end) => w!.S! <= end))
    .sort((left, right) => (left.w!.S! < right.w!.S! ? -1 : 1))
  return { items: items.slice(0, limit), isAll: ends.length === 0 && items.length <= limit }
}
