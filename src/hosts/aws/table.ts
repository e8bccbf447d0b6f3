/**
 * The one table: every row of every partition is an item, and two sparse indexes answer `due` and
 * `list`. They hold keys, and of a list the tags, so a commit that changes neither alarm nor
 * listing does not write them (protocol rule 9), and bodies are never stored twice.
 *
 *   p  partition            k  key of the row         v  version      c  the commit that wrote it
 *   b  body, or z  compressed, or s  digest of one that lies in the bucket
 *   r  head only: keys put by the same commit, which a read must show beside it
 *   f  head only: facts that lie in its item (packed.ts), o  with rows beside it all the same,
 *   h  and the format of the head, which its body shows otherwise to older releases
 *   y  head only: ms since 1970 at which the partition is nobody's; the table forgets it by `x`
 *   g  rank and shard       w  time, lane, address    index `alarms`, only while an alarm is set
 *   u  list, and shard      a  place in it            index `lists`, only while listed
 *   t  its tags in that list, which the index holds as well
 *   x  seconds since 1970 after which the table may forget the item (TTL)
 */

import type { AttributeValue, CreateTableCommandInput } from '@aws-sdk/client-dynamodb'
import type { Alarm, DueEntry, HeadWrite, Lane, Row } from '../../ports/world.ts'
import { shardOf } from './shard.ts'

export type Item = Record<string, AttributeValue>

export const ALARMS = 'alarms'
export const LISTS = 'lists'

/** One shard of an index takes about 1,000 writes a second. */
export const SHARDS = 8

/** A run is written into its list, into another place of it, and out of it. */
export const LIST_SHARDS = 4

/** Lists that grow with a tenant's runs; others are short, and read more often than written. */
const GROWING =
  /^[^/]+\/(?:runs|sessions|fanouts|deliveries(?:\/[^/]+)?|approvals\/(?:pending|decided))$/

/** Input of `CreateTable`; the deployed table is the same (infra/ compares them). */
export const tableDefinition = (TableName: string) =>
  ({
    TableName,
    BillingMode: 'PAY_PER_REQUEST',
    AttributeDefinitions: ['p', 'k', 'g', 'w', 'u', 'a'].map((AttributeName) => ({
      AttributeName,
      AttributeType: 'S' as const,
    })),
    KeySchema: keys('p', 'k'),
    GlobalSecondaryIndexes: [
      { IndexName: ALARMS, KeySchema: keys('g', 'w'), Projection: { ProjectionType: 'KEYS_ONLY' } },
      {
        IndexName: LISTS,
        KeySchema: keys('u', 'a'),
        Projection: { ProjectionType: 'INCLUDE', NonKeyAttributes: ['t'] },
      },
    ],
  }) satisfies CreateTableCommandInput

function keys(hash: string, range: string) {
  return [
    { AttributeName: hash, KeyType: 'HASH' as const },
    { AttributeName: range, KeyType: 'RANGE' as const },
  ]
}

/** The body of a row as it is stored: itself, compressed, or the digest of where it lies. */
export type StoredBody = Pick<Item, 'b'> | Pick<Item, 'z'> | Pick<Item, 's'>

export const text = (value: string): AttributeValue => ({ S: value })
export const number = (value: number): AttributeValue => ({ N: String(value) })
export const keyOf = (partition: string, key: string): Item => ({
  p: text(partition),
  k: text(key),
})

const TIME_DIGITS = 16
const padded = (at: number): string => String(at).padStart(TIME_DIGITS, '0')

/** Started alarms and queued ones are ranges of their own, each spread over the shards. */
export const rankAndShard = (started: boolean, shard: number): string =>
  `${started ? 'started' : 'queued'}/${shard}`

/** The end of everything due at or before `now`: it sorts after all addresses of that moment. */
export const dueUntil = (now: number): string => `${padded(now)}~`

/** A write's attributes for the indexes; those that it does not name are to be absent. */
export function indexed(
  partition: string,
  key: string,
  write: Pick<HeadWrite, 'alarm' | 'listed' | 'expiresAt'>,
): Item {
  const { alarm, listed, expiresAt } = write
  return {
    ...(alarm ? alarmed(partition, key, alarm) : {}),
    ...(listed ? { u: text(listKey(partition, listed.under)), a: text(listed.at) } : {}),
    ...(listed?.tags === undefined ? {} : { t: text(listed.tags) }),
    ...(expiresAt === undefined ? {} : { x: number(Math.ceil(expiresAt / 1_000)) }),
  }
}

const listKey = (partition: string, under: string): string =>
  GROWING.test(under) ? `${under}#${shardOf(partition, LIST_SHARDS)}` : under

/**
 * Where entries of a list stand: on its shards, and under its bare name, where releases without
 * shards have put them. Such a row comes to its shard when it is written again.
 */
export const listKeys = (under: string): readonly string[] =>
  GROWING.test(under)
    ? [...Array.from({ length: LIST_SHARDS }, (_, shard) => `${under}#${shard}`), under]
    : [under]

/** The time leads, so that a shard is read in order; the address makes each place unique. */
function alarmed(partition: string, key: string, { at, lane, started }: Alarm): Item {
  return {
    g: text(rankAndShard(started, shardOf(partition, SHARDS))),
    w: text(`${padded(at)}#${lane}#${partition}#${key}`),
  }
}

export function dueEntryOf(item: Item, started: boolean): DueEntry {
  const [at = '', lane = ''] = (item.w?.S ?? '').split('#')
  return {
    partition: item.p?.S ?? '',
    alarm: { at: Number(at), lane: lane as Lane, started },
  }
}

export const rowOf = (item: Item, body: string): Row => ({
  key: item.k?.S ?? '',
  version: Number(item.v?.N),
  body,
})
