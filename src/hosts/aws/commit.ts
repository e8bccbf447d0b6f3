/**
 * A commit as requests of DynamoDB: one conditional write where that is enough (it costs half), a
 * transaction else. The head's version is the condition of its own write, so the guard is free.
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
import { type Packed, versionOf } from './packed.ts'
import { type Item, indexed, keyOf, number, type StoredBody, text } from './table.ts'

export interface Commit {
  readonly table: string
  /** Random; whoever is unsure whether this commit happened finds it in the items. */
  readonly id: string
  readonly partition: string
  readonly writes: readonly Write[]
  readonly head: HeadWrite | undefined
  readonly bodyOf: (write: Pick<HeadWrite, 'body' | 'expiresAt'>) => StoredBody
  /** Facts that go into the item of the head; undefined: it holds none. */
  readonly packed: Packed | undefined
  /** Ms since 1970. */
  readonly now: number
}

/** Bounds of one transaction. Bodies above a few KB lie in the bucket, so 4 MB is never near. */
const MAX_ITEMS = 100

export type Operation =
  | { readonly Put: PutItemCommandInput & { readonly Item: Item } }
  | { readonly Update: UpdateItemCommandInput & { readonly UpdateExpression: string } }
  | { readonly Delete: DeleteItemCommandInput }

export function operations(commit: Commit): Operation[] {
  const { head, partition, packed } = commit
  const writes = packed?.rest ?? commit.writes
  // What may vanish by itself is not missed.
  const stay = writes.filter((write) => write.op === 'put' && write.expiresAt === undefined)
  const all = writes.map((write): Operation => {
    if (write.op === 'put')
      return write.expect === 'absent' ? created(commit, write) : any(commit, write)
    return { Delete: { TableName: commit.table, Key: keyOf(partition, write.key) } }
  })
  for (const [key, { M }] of Object.entries(packed?.out ?? {}))
    all.push(unpacked(commit, key, M ?? {}))
  const out = Object.keys(packed?.out ?? {})
  if (head) all.push(headOf(commit, head, [...out, ...stay.map(({ key }) => key)]))
  assert(all.length <= MAX_ITEMS, `a transaction holds ${MAX_ITEMS} items, not ${all.length}`)
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

/** A fact that was in the item of the head becomes a row, of the commit that made it. */
const unpacked = ({ table, partition }: Commit, key: string, fact: Item): Operation => ({
  Put: {
    TableName: table,
    Item: { ...keyOf(partition, key), v: number(1), ...fact },
    ConditionExpression: ABSENT,
  },
})

function headOf(commit: Commit, head: HeadWrite, beside: readonly string[]): Operation {
  const version = (head.expect ?? 0) + 1
  const together = beside.length === 0 ? {} : { r: { L: beside.map(text) } }
  const gone = forgottenAt(commit, head)
  const { body = head.body } = commit.packed?.mask ?? {}
  const write = { ...head, body, ...(gone === undefined ? {} : { alarm: undefined }) }
  const isPacked = commit.packed?.mask !== undefined
  const put = {
    TableName: commit.table,
    Item: {
      ...itemOf(commit, HEAD, write, version),
      v: versionOf(version, isPacked),
      ...together,
      ...packedOf(commit),
      ...(gone === undefined ? {} : { x: number(Math.ceil(gone / 1_000)), y: number(gone) }),
    },
  }
  if (head.expect === null) {
    const vanished = { ':now': number(commit.now) }
    const absent = `${ABSENT} OR y <= :now`
    return {
      Put: { ...put, ConditionExpression: absent, ExpressionAttributeValues: vanished },
    }
  }
  return {
    Put: {
      ...put,
      ConditionExpression: 'v = :expected',
      ExpressionAttributeValues: {
        ':expected': versionOf(head.expect, commit.packed?.wasPacked === true),
      },
    },
  }
}

const packedOf = ({ packed }: Commit): Item => {
  if (!packed?.mask) return {}
  const { facts, hasRows, mask } = packed
  return { f: { M: facts }, h: number(mask.format), ...(hasRows ? { o: { BOOL: true } } : {}) }
}

/**
 * When the table may forget it: the item is all that there is of its partition, and costs nothing
 * then (developer guide, "Using time to live": no write units, entries of indexes included).
 */
function forgottenAt({ packed, bodyOf }: Commit, head: HeadWrite): number | undefined {
  const isAll = packed?.mask && !packed.hasRows
  return isAll && !('s' in bodyOf(packed.mask)) ? head.vanishesAt : undefined
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

/** Whatever is there is replaced, its version counted on. */
function any(commit: Commit, write: Put): Operation {
  const { p: _p, k: _k, v: _v, ...stated } = itemOf(commit, write.key, write, 0)
  const gone = OPTIONAL.filter((name) => !(name in stated))
  const sets = Object.keys(stated).map((name) => `${name} = :${name}`)
  const values = Object.entries(stated).map(([name, value]) => [`:${name}`, value] as const)
  return {
    Update: {
      TableName: commit.table,
      Key: keyOf(commit.partition, write.key),
      UpdateExpression:
        `SET v = if_not_exists(v, :none) + :one, ${sets.join(', ')}` +
        (gone.length === 0 ? '' : ` REMOVE ${gone.join(', ')}`),
      ExpressionAttributeValues: {
        ...Object.fromEntries(values),
        ':none': number(0),
        ':one': number(1),
      },
    },
  }
}
