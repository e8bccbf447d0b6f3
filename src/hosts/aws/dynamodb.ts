/**
 * The store on DynamoDB: one table (table.ts), conditional transactions within one partition
 * (commit.ts). Reads are strongly consistent but no snapshot, so one that shows a head without the
 * rows committed beside it is repeated (protocol rule 7). A write whose outcome is unknown is
 * settled by one read of the commit's id (rule 6). Bodies above a few KB lie in the bucket.
 */

import {
  BatchWriteItemCommand,
  DeleteItemCommand,
  type DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  TransactWriteItemsCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb'
import { base64url } from '../../lib/bytes.ts'
import type { CommitResult, Objects, Store } from '../../ports/world.ts'
import { HEAD } from '../../ports/world.ts'
import { alarmPages } from './alarms.ts'
import { asTransaction, type Commit, type Operation, operations } from './commit.ts'
import { verdict, wasRepeated } from './failure.ts'
import { findPage } from './find.ts'
import { listPage } from './lists.ts'
import { factsOf, holdsFacts, masked, pack, type Standings, standings, unmasked } from './packed.ts'
import { batchGet, merged, pause, query, readWhole, type Source } from './read.ts'
import { type Spilling, spilling } from './spill.ts'
import { type Item, keyOf, rowOf, text } from './table.ts'

export interface DynamoOptions {
  readonly client: DynamoDBClient
  readonly table: string
  /** Takes bodies above `spillBytes`. */
  readonly objects: Objects
  readonly spillBytes: number
  /** Ms since 1970. Default: the system's clock. */
  readonly now?: () => number
}

const LIST_PAGE = 100
/** Bound of one batch, set by DynamoDB. */
const BATCH_WRITE = 25
const TRIES = 8

export function dynamoStore(options: DynamoOptions): Store {
  const { client, table, now = Date.now } = options
  const bodies = spilling(options.objects, options.spillBytes)
  const source = { client, table, now }
  const get = (keys: readonly Item[]) => batchGet(source, keys)
  /** A list would come upon them again and again, until the table forgets them in some days. */
  const remove = async (items: readonly Item[]): Promise<void> => {
    await Promise.all(items.map((item) => deleteHead(client, table, item).catch(() => false)))
  }
  const load = async (partition: string, item: Item) =>
    unmasked(await bodies.load(partition, item), item)
  const listed = (keys: readonly Item[]) => batchGet(source, keys, remove)
  const lists = { client, table, get: listed, load }
  const known = standings(get)
  const rowsOf = async (items: readonly Item[], partition: string, after: string) => {
    const rows = await Promise.all(
      items.map(async (item) => rowOf(item, await load(partition, item))),
    )
    const head = items.find(({ k }) => k?.S === HEAD)
    const bodyOf = (fact: Item) => load(partition, fact)
    const facts = head ? await factsOf(known.note(head), after, bodyOf) : []
    return facts.length === 0 ? rows : merged(facts, rows)
  }
  return {
    async read(partition, after = '') {
      return rowsOf(await readWhole(source, partition, after), partition, after)
    },
    async heads(partitions) {
      const wanted = [...new Set(partitions)]
      const items = await get(wanted.map((partition) => keyOf(partition, HEAD)))
      const found = await Promise.all(
        items.map(async (item) => {
          known.note(item)
          const partition = item.p?.S ?? ''
          return [partition, rowOf(item, await load(partition, item))] as const
        }),
      )
      const byPartition = new Map(found)
      return partitions.map((partition) => byPartition.get(partition) ?? null)
    },
    commit: committing(source, bodies, known),
    due: (now, cursor) => alarmPages(client, table, now, cursor),
    list: (under, before, limit = LIST_PAGE) => listPage(lists, under, { before, limit }),
    find: (under, wanted) => findPage(lists, under, wanted),
    async drop(partition) {
      known.forget(partition)
      for (;;) {
        const items = await query(client, {
          TableName: table,
          ConsistentRead: true,
          KeyConditionExpression: 'p = :p',
          ExpressionAttributeValues: { ':p': text(partition) },
          ProjectionExpression: 'p, k, s, v',
        })
        // The head last: while it stands its alarm brings back whoever died at this.
        const head = items.find(({ k }) => k?.S === HEAD)
        const rest = items.filter((item) => item !== head)
        for (let at = 0; at < rest.length; at += BATCH_WRITE)
          await batchDelete(client, table, rest.slice(at, at + BATCH_WRITE))
        // A listing costs more than all of this; what no row names is the sweep's.
        if (rest.some(({ s }) => s !== undefined)) await bodies.drop(partition, head?.s?.S)
        if (head && !(await deleteHead(client, table, head))) continue
        if (head?.s) await bodies.drop(partition)
        return
      }
    },
  }
}

/** Each commit, with the bodies that lie in the bucket put there before. */
function committing(
  { client, table, now }: Source,
  bodies: Spilling,
  known: Standings,
): Store['commit'] {
  return async (partition, writes, head) => {
    if (writes.length === 0 && !head) return 'ok'
    const puts = writes.filter((write) => write.op === 'put')
    const id = base64url(crypto.getRandomValues(new Uint8Array(12)))
    const commit = { table, id, partition, writes, head, now: now(), packed: undefined }
    if (!head || !holdsFacts(partition)) {
      const bodyOf = await bodies.keep(partition, head ? [...puts, head] : puts)
      return write(client, { ...commit, bodyOf })
    }
    const before = head.expect === null ? undefined : await known.at(partition, head.expect)
    if (head.expect !== null && !before) return 'conflict'
    const rows = await bodies.keep(partition, puts)
    const packed = pack(writes, before, { commit: id, mask: masked(head.body), bodyOf: rows })
    const shown = packed.mask ?? head
    const ofHead = await bodies.keep(partition, [shown])
    const bodyOf = (one: Parameters<typeof rows>[0]) =>
      one.body === shown.body ? ofHead(shown) : rows(one)
    const result = await write(client, { ...commit, packed, bodyOf })
    const { facts, hasRows } = packed
    const version = (head.expect ?? 0) + 1
    if (result === 'ok') known.keep(partition, { version, facts, hasRows })
    return result
  }
}

/** False: somebody has committed meanwhile, and rows of theirs may be there. */
async function deleteHead(client: DynamoDBClient, table: string, { p, k, v }: Item) {
  const as = { ConditionExpression: 'v = :v', ExpressionAttributeValues: { ':v': v! } }
  try {
    await client.send(new DeleteItemCommand({ TableName: table, Key: { p: p!, k: k! }, ...as }))
    return true
  } catch (error) {
    const said = verdict(error)
    if (said !== 'refused' && said !== 'busy') throw error
    await pause(0)
    return false
  }
}

// ── Writing ────────────────────────────────────────────────────────────────────────────────────

async function write(client: DynamoDBClient, commit: Commit): Promise<CommitResult> {
  const all = operations(commit)
  for (let attempt = 0; attempt < TRIES; attempt += 1) {
    try {
      await send(client, all, commit.id)
      return 'ok'
    } catch (error) {
      const said = verdict(error)
      if (said === 'broken') throw error
      if (said === 'refused' && !wasRepeated(error)) return 'conflict'
      // Refused, perhaps by what this very commit wrote when it was sent before.
      if (said === 'refused') return settled(await happened(client, commit), 'conflict')
      if (said === 'unsure') return settled(await happened(client, commit), 'ambiguous')
    }
    await pause(attempt)
  }
  return 'ambiguous'
}

/** The token makes the repetitions of one transaction one transaction. */
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

const settled = (found: boolean | 'unread', otherwise: CommitResult): CommitResult => {
  if (found === 'unread') return 'ambiguous'
  return found ? 'ok' : otherwise
}

/**
 * Whether the commit's id stands in what it wrote: in a row that nobody writes twice, if it made
 * one, because a head may have been written again since.
 */
async function happened(client: DynamoDBClient, commit: Commit): Promise<boolean | 'unread'> {
  const { table, id, partition, writes, head, packed } = commit
  const puts = writes.filter((write) => write.op === 'put')
  const made = puts.find(({ expect }) => expect === 'absent')?.key
  const key = made ?? (head ? HEAD : puts[0]?.key)
  if (key === undefined) return false
  const itemAt = async (k: string): Promise<Item | undefined> => {
    const input = { TableName: table, Key: keyOf(partition, k), ConsistentRead: true }
    return (await client.send(new GetItemCommand(input))).Item
  }
  try {
    // A fact lies in the item of the head, until a later commit makes a row of it.
    if (packed && made !== undefined) {
      const inHead = (await itemAt(HEAD))?.f?.M?.[made]
      if (inHead) return inHead.M?.c?.S === id
    }
    return (await itemAt(key))?.c?.S === id
  } catch {
    return 'unread'
  }
}

async function batchDelete(client: DynamoDBClient, table: string, items: readonly Item[]) {
  let left = items.map(({ p, k }) => ({ DeleteRequest: { Key: { p: p!, k: k! } } }))
  for (let attempt = 0; left.length > 0; attempt += 1) {
    if (attempt > 0) await pause(attempt)
    const input = { RequestItems: { [table]: left } }
    const answer = await client.send(new BatchWriteItemCommand(input))
    left = (answer.UnprocessedItems?.[table] ?? []) as typeof left
  }
}
