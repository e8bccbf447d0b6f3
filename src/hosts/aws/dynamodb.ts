/**
 * Store on DynamoDB: one table (table.ts), conditional transactions within one partition
 * (commit.ts). Reads are strongly consistent but not a snapshot, so a read of a head without the
 * rows of its commit is repeated (PROTOCOL.md rule 7). If the outcome of a write is unknown, one
 * read of the commit's ID resolves it (PROTOCOL.md rule 6). Bodies above a few KB are stored in the
 * bucket.
 */

import {
  BatchGetItemCommand,
  type BatchGetItemCommandOutput,
  BatchWriteItemCommand,
  DeleteItemCommand,
  type DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  QueryCommand,
  type QueryCommandInput,
  TransactWriteItemsCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb'
import { base64url } from '../../lib/bytes.ts'
import type { CommitResult, Objects, Store } from '../../ports/world.ts'
import { HEAD } from '../../ports/world.ts'
import { asTransaction, type Commit, type Operation, operations } from './commit.ts'
import { verdict, wasRepeated } from './failure.ts'
import { findPage } from './find.ts'
import { indexedRowOf, restoredItem } from './indexed-rows.ts'
import { alarmPages, listPage } from './indexes.ts'
import { spilling } from './spill.ts'
import { type Item, keyOf, rowOf, text } from './table.ts'

export interface DynamoOptions {
  readonly client: DynamoDBClient
  readonly table: string
  /** Bucket that stores bodies above `spillBytes`. */
  readonly objects: Objects
  readonly spillBytes: number
}

const LIST_PAGE = 100
/** Maximum number of items in one batch read, set by DynamoDB. */
const BATCH_GET = 100
const BATCH_WRITE = 25
const TRIES = 8
/**
 * Maximum number of repeated reads. A transaction is completely visible within milliseconds, so
 * rows that are missing after that were deleted.
 */
const REREADS = 2
const PAUSE_MS = 10
const PAUSE_MAX_MS = 500

export function dynamoStore(options: DynamoOptions): Store {
  const { client, table } = options
  const bodies = spilling(options.objects, options.spillBytes)
  const rowsOf = async (items: readonly Item[], partition: string) =>
    Promise.all(items.map(async (item) => rowOf(item, await bodies.load(partition, item))))
  const get = (keys: readonly Item[]) => batchGet(client, table, keys)
  return {
    async read(partition, after = '') {
      return rowsOf(await readWhole(options, partition, after), partition)
    },
    async heads(partitions) {
      const unique = [...new Set(partitions)]
      const items = await get(unique.map((partition) => keyOf(partition, HEAD)))
      const rowEntries = await Promise.all(
        items.map(async (item) => {
          const partition = item.p?.S ?? ''
          return [partition, rowOf(item, await bodies.load(partition, item))] as const
        }),
      )
      const byPartition = new Map(rowEntries)
      return partitions.map((partition) => byPartition.get(partition) ?? null)
    },
    async commit(partition, writes, head) {
      if (writes.length === 0 && !head) return 'ok'
      const puts = writes.filter((write) => write.op === 'put')
      const bodyOf = await bodies.keep(partition, head ? [...puts, head] : puts)
      const id = base64url(crypto.getRandomValues(new Uint8Array(12)))
      return write(client, { table, id, partition, writes, head, bodyOf })
    },
    async readIndexed(partition) {
      const items = await readWhole(options, partition, '')
      return Promise.all(
        items.map(async (item) => indexedRowOf(item, await bodies.load(partition, item))),
      )
    },
    async writeIndexed(partition, rows) {
      const bodyOf = await bodies.keep(partition, rows)
      const commit = base64url(crypto.getRandomValues(new Uint8Array(12)))
      const items = rows.map((row) => restoredItem(partition, row, { commit, body: bodyOf(row) }))
      await putAll(options, items, commit)
    },
    due: (now, cursor) => alarmPages(client, table, now, cursor),
    list: (under, beforeKey, limit = LIST_PAGE) =>
      listPage({ client, table, get, load: bodies.load }, { under, before: beforeKey, limit }),
    find: (under, search) => findPage({ client, table, get, load: bodies.load }, under, search),
    async drop(partition) {
      for (;;) {
        const items = await query(client, {
          TableName: table,
          ConsistentRead: true,
          KeyConditionExpression: 'p = :p',
          ExpressionAttributeValues: { ':p': text(partition) },
          ProjectionExpression: 'p, k, s, v',
        })
        // The head is deleted last: if this worker crashes before that, the head's alarm wakes
        // another worker.
        const head = items.find(({ k }) => k?.S === HEAD)
        const otherItems = items.filter((item) => item !== head)
        for (let at = 0; at < otherItems.length; at += BATCH_WRITE)
          await batchDelete(client, table, otherItems.slice(at, at + BATCH_WRITE))
        // Listing the bucket costs more than all other steps, so the sweep handles bodies that no
        // row names.
        if (otherItems.some(({ s }) => s !== undefined)) await bodies.drop(partition, head?.s?.S)
        if (head && !(await deleteHead(client, table, head))) continue
        if (head?.s) await bodies.drop(partition)
        return
      }
    },
  }
}

/**
 * Deletes the head; returns false if another worker has committed in the meantime, because rows of
 * that commit may exist.
 */
async function deleteHead(client: DynamoDBClient, table: string, { p, k, v }: Item) {
  const as = { ConditionExpression: 'v = :v', ExpressionAttributeValues: { ':v': v! } }
  try {
    await client.send(new DeleteItemCommand({ TableName: table, Key: { p: p!, k: k! }, ...as }))
    return true
  } catch (error) {
    const errorKind = verdict(error)
    if (errorKind !== 'refused' && errorKind !== 'busy') throw error
    await pause(0)
    return false
  }
}

// ── Reading ────────────────────────────────────────────────────────────────────────────────────

async function readWhole(
  { client, table }: DynamoOptions,
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
    // A row may also have been deleted since by a commit that left the head unchanged.
    if (!isTorn(items, after) || attempt === REREADS) return items
    await pause(attempt)
  }
}

/** Reports whether the head names rows of its commit that this read does not contain. */
function isTorn(items: readonly Item[], after: string): boolean {
  const rowKeys = items.find((item) => item.k?.S === HEAD)?.r?.L ?? []
  if (rowKeys.length === 0) return false
  const visible = new Set(items.map((item) => item.k?.S))
  return rowKeys.some(({ S: key = '' }) => key > after && !visible.has(key))
}

async function query(client: DynamoDBClient, input: QueryCommandInput): Promise<Item[]> {
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

async function batchGet(
  client: DynamoDBClient,
  table: string,
  keys: readonly Item[],
): Promise<Item[]> {
  const items: Item[] = []
  for (let at = 0; at < keys.length; at += BATCH_GET) {
    let pending: Item[] | undefined = keys.slice(at, at + BATCH_GET)
    for (let attempt = 0; pending && pending.length > 0; attempt += 1) {
      if (attempt > 0) await pause(attempt)
      const answer: BatchGetItemCommandOutput = await client.send(
        new BatchGetItemCommand({
          RequestItems: { [table]: { Keys: pending, ConsistentRead: true } },
        }),
      )
      items.push(...(answer.Responses?.[table] ?? []))
      pending = answer.UnprocessedKeys?.[table]?.Keys
    }
  }
  return items
}

// ── Writing ────────────────────────────────────────────────────────────────────────────────────

async function write(client: DynamoDBClient, commit: Commit): Promise<CommitResult> {
  const all = operations(commit)
  for (let attempt = 0; attempt < TRIES; attempt += 1) {
    try {
      await send(client, all, commit.id)
      return 'ok'
    } catch (error) {
      const errorKind = verdict(error)
      if (errorKind === 'broken') throw error
      if (errorKind === 'refused' && !wasRepeated(error)) return 'conflict'
      // The condition may have failed because an earlier attempt of the same commit succeeded.
      if (errorKind === 'refused') return settled(await happened(client, commit), 'conflict')
      if (errorKind === 'unsure') return settled(await happened(client, commit), 'ambiguous')
    }
    await pause(attempt)
  }
  return 'ambiguous'
}

/** Replaces items in one transaction. It has no conditions, so it is repeated after any failure. */
async function putAll({ client, table }: DynamoOptions, items: readonly Item[], token: string) {
  const all = items.map((Item) => ({ Put: { TableName: table, Item } }))
  for (let attempt = 0; all.length > 0; attempt += 1) {
    try {
      return void (await send(client, all, token))
    } catch (error) {
      if (verdict(error) === 'broken' || attempt === TRIES) throw error
    }
    await pause(attempt)
  }
}

/** Sends the operations as a transaction; the token makes its retries idempotent. */
async function send(client: DynamoDBClient, all: readonly Operation[], token: string) {
  const [only] = all
  if (all.length > 1 || !only) {
    const input = { TransactItems: asTransaction(all), ClientRequestToken: token }
    return client.send(new TransactWriteItemsCommand(input))
  }
  if ('Put' in only) return client.send(new PutItemCommand(only.Put))
  if ('Update' in only) return client.send(new UpdateItemCommand(only.Update))
  return client.send(new DeleteItemCommand(only.Delete))
}

const settled = (wasWritten: boolean | 'unread', otherwise: CommitResult): CommitResult => {
  if (wasWritten === 'unread') return 'ambiguous'
  return wasWritten ? 'ok' : otherwise
}

/**
 * Reports whether the stored items contain the commit's ID. A write-once row is checked if the
 * commit created one, because the head may have been rewritten since.
 */
async function happened(client: DynamoDBClient, commit: Commit): Promise<boolean | 'unread'> {
  const { table, id, partition, writes, head } = commit
  const puts = writes.filter((write) => write.op === 'put')
  const createdKey = puts.find(({ expect }) => expect === 'absent')?.key
  const key = createdKey ?? (head ? HEAD : puts[0]?.key)
  if (key === undefined) return false
  const input = { TableName: table, Key: keyOf(partition, key), ConsistentRead: true }
  try {
    return (await client.send(new GetItemCommand(input))).Item?.c?.S === id
  } catch {
    return 'unread'
  }
}

async function batchDelete(client: DynamoDBClient, table: string, items: readonly Item[]) {
  let pending = items.map(({ p, k }) => ({ DeleteRequest: { Key: { p: p!, k: k! } } }))
  for (let attempt = 0; pending.length > 0; attempt += 1) {
    if (attempt > 0) await pause(attempt)
    const input = { RequestItems: { [table]: pending } }
    const answer = await client.send(new BatchWriteItemCommand(input))
    pending = (answer.UnprocessedItems?.[table] ?? []) as typeof pending
  }
}

/** Pauses before a retry, with exponential backoff and jitter. */
const pause = (attempt: number): Promise<void> =>
  new Promise((resolve) => {
    const most = Math.min(PAUSE_MAX_MS, PAUSE_MS * 2 ** attempt)
    setTimeout(resolve, most * (0.5 + Math.random() / 2))
  })
