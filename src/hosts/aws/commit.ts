/**
 * Translates a commit into DynamoDB requests: one conditional write if sufficient (half the price),
 * otherwise a transaction. The head's version is the condition of the head's write, so checking it
 * costs nothing.
 */

import type {
  DeleteItemCommandInput,
  PutItemCommandInput,
  TransactWriteItem,
  UpdateItemCommandInput,
} from '@aws-sdk/client-dynamodb'
import { assert } from '../../lib/assert.ts'
import type { HeadWrite, Write } from '../../ports/world.ts'
import { HEAD } from '../../ports/world.ts'
import { type Item, indexed, keyOf, number, text } from './table.ts'

/** Stored body of a row: plain, compressed, or the digest of its object in the bucket. */
export type StoredBody = Pick<Item, 'b'> | Pick<Item, 'z'> | Pick<Item, 's'>

export interface Commit {
  readonly table: string
  /** Random ID stored in the commit's items; it identifies the commit if the outcome is unknown. */
  readonly id: string
  readonly partition: string
  readonly writes: readonly Write[]
  readonly head: HeadWrite | undefined
  readonly bodyOf: (write: Pick<HeadWrite, 'body' | 'expiresAt'>) => StoredBody
}

/**
 * Maximum number of items in one transaction. Bodies above a few KB are stored in the bucket, so
 * the 4 MB limit is never reached.
 */
const MAX_ITEMS = 100

export type Operation =
  | { readonly Put: PutItemCommandInput & { readonly Item: Item } }
  | { readonly Update: UpdateItemCommandInput & { readonly UpdateExpression: string } }
  | { readonly Delete: DeleteItemCommandInput }

export function operations(commit: Commit): Operation[] {
  const { writes, head, partition } = commit
  // Rows with an expiry may disappear without a commit, so the check for missing rows omits them.
  const stay = writes.filter((write) => write.op === 'put' && write.expiresAt === undefined)
  const all = writes.map((write): Operation => {
    if (write.op === 'put')
      return write.expect === 'absent' ? created(commit, write) : any(commit, write)
    return { Delete: { TableName: commit.table, Key: keyOf(partition, write.key) } }
  })
  if (head)
    all.push(
      headOf(
        commit,
        head,
        stay.map(({ key }) => key),
      ),
    )
  assert(
    all.length <= MAX_ITEMS,
    `a transaction can have at most ${MAX_ITEMS} items, not ${all.length}`,
  )
  return all
}

export const asTransaction = (all: readonly Operation[]): TransactWriteItem[] =>
  all as TransactWriteItem[]

type Put = Extract<Write, { op: 'put' }>

const ABSENT = 'attribute_not_exists(p)'

const created = (commit: Commit, write: Put): Operation => ({
  Put: {
    TableName: commit.table,
    Item: itemOf(commit, write.key, write, 1),
    ConditionExpression: ABSENT,
  },
})

function headOf(commit: Commit, head: HeadWrite, rowKeys: readonly string[]): Operation {
  const version = (head.expect ?? 0) + 1
  const together = rowKeys.length === 0 ? {} : { r: { L: rowKeys.map(text) } }
  const put = {
    TableName: commit.table,
    Item: { ...itemOf(commit, HEAD, head, version), ...together },
  }
  if (head.expect === null) return { Put: { ...put, ConditionExpression: ABSENT } }
  return {
    Put: {
      ...put,
      ConditionExpression: 'v = :expected',
      ExpressionAttributeValues: { ':expected': number(head.expect) },
    },
  }
}

function itemOf(
  commit: Commit,
  key: string,
  write: Pick<HeadWrite, 'body' | 'alarm' | 'listed' | 'expiresAt'>,
  version: number,
): Item {
  return {
    ...keyOf(commit.partition, key),
    v: number(version),
    c: text(commit.id),
    ...commit.bodyOf(write),
    ...indexed(commit.partition, key, write),
  } as Item
}

const OPTIONAL = ['b', 'z', 's', 'g', 'w', 'u', 'a', 't', 'x'] as const

/** Returns a write that replaces any existing item and increments its version. */
function any(commit: Commit, write: Put): Operation {
  const { p: _p, k: _k, v: _v, ...stated } = itemOf(commit, write.key, write, 0)
  const removed = OPTIONAL.filter((name) => !(name in stated))
  const sets = Object.keys(stated).map((name) => `${name} = :${name}`)
  const values = Object.entries(stated).map(([name, value]) => [`:${name}`, value] as const)
  return {
    Update: {
      TableName: commit.table,
      Key: keyOf(commit.partition, write.key),
      UpdateExpression:
        `SET v = if_not_exists(v, :none) + :one, ${sets.join(', ')}` +
        (removed.length === 0 ? '' : ` REMOVE ${removed.join(', ')}`),
      ExpressionAttributeValues: {
        ...Object.fromEntries(values),
        ':none': number(0),
        ':one': number(1),
      },
    },
  }
}
