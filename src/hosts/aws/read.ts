/** Reads of the table: whole partitions, and items by their keys; without those that have vanished. */

import {
  BatchGetItemCommand,
  type BatchGetItemCommandOutput,
  type DynamoDBClient,
  QueryCommand,
  type QueryCommandInput,
} from '@aws-sdk/client-dynamodb'
import type { Row } from '../../ports/world.ts'
import { HEAD } from '../../ports/world.ts'
import { type Item, text } from './table.ts'

/** Bound of one batch, set by DynamoDB. */
const BATCH_GET = 100
/** A transaction shows itself whole within milliseconds; what is missing still was deleted. */
const REREADS = 2
const PAUSE_MS = 10
const PAUSE_MAX_MS = 500

export interface Source {
  readonly client: DynamoDBClient
  readonly table: string
  /** Ms since 1970. */
  readonly now: () => number
}

export async function readWhole(
  { client, table, now }: Source,
  partition: string,
  after: string,
): Promise<Item[]> {
  const range = after === '' ? '' : ' AND k > :k'
  for (let attempt = 0; ; attempt += 1) {
    const items = await query(client, {
      TableName: table,
      ConsistentRead: true,
      KeyConditionExpression: `p = :p${range}`,
      ExpressionAttributeValues: {
        ':p': text(partition),
        ...(after === '' ? {} : { ':k': text(after) }),
      },
    })
    // A row may also have been deleted since, by a commit that left the head as it was.
    const there = items.filter((item) => !hasVanished(item, now()))
    if (!isTorn(there, after) || attempt === REREADS) return there
    await pause(attempt)
  }
}

/** The table may take days to forget it. */
const hasVanished = ({ y }: Item, now: number): boolean => y !== undefined && Number(y.N) <= now

export const merged = (facts: readonly Row[], rows: readonly Row[]): Row[] =>
  [...facts, ...rows].sort((one, other) => (one.key < other.key ? -1 : 1))

/** Whether the head names rows, put by the same commit, that the read does not show. */
function isTorn(items: readonly Item[], after: string): boolean {
  const beside = items.find((item) => item.k?.S === HEAD)?.r?.L ?? []
  if (beside.length === 0) return false
  const shown = new Set(items.map((item) => item.k?.S))
  return beside.some(({ S: key = '' }) => key > after && !shown.has(key))
}

export async function query(client: DynamoDBClient, input: QueryCommandInput): Promise<Item[]> {
  const items: Item[] = []
  let from: Item | undefined
  do {
    const page = await client.send(
      new QueryCommand({ ...input, ...(from ? { ExclusiveStartKey: from } : {}) }),
    )
    items.push(...(page.Items ?? []))
    from = page.LastEvaluatedKey
  } while (from)
  return items
}

/** `vanished`: called with those that the table has not forgotten yet. */
export async function batchGet(
  { client, table, now }: Source,
  keys: readonly Item[],
  vanished: (items: readonly Item[]) => Promise<void> = async () => {},
): Promise<Item[]> {
  const items: Item[] = []
  for (let at = 0; at < keys.length; at += BATCH_GET) {
    let left: Item[] | undefined = keys.slice(at, at + BATCH_GET)
    for (let attempt = 0; left && left.length > 0; attempt += 1) {
      if (attempt > 0) await pause(attempt)
      const answer: BatchGetItemCommandOutput = await client.send(
        new BatchGetItemCommand({
          RequestItems: { [table]: { Keys: left, ConsistentRead: true } },
        }),
      )
      items.push(...(answer.Responses?.[table] ?? []))
      left = answer.UnprocessedKeys?.[table]?.Keys
    }
  }
  const gone = items.filter((item) => hasVanished(item, now()))
  if (gone.length === 0) return items
  await vanished(gone)
  return items.filter((item) => !gone.includes(item))
}

/** Longer each time, and different for those who met one another. */
export const pause = (attempt: number): Promise<void> =>
  new Promise((resolve) => {
    const most = Math.min(PAUSE_MAX_MS, PAUSE_MS * 2 ** attempt)
    setTimeout(resolve, most * (0.5 + Math.random() / 2))
  })
