/**
 * The only table: every row of every partition is an item, and two sparse indexes serve `due` and
 * `list`. The indexes contain keys and list tags, so a commit that changes neither an alarm nor a
 * listing does not write to them (PROTOCOL.md rule 9), and bodies are never stored twice.
 *
 *   p  partition            k  key of the row         v  version      c  commit that wrote the row
 *   b  body, or z  compressed, or s  digest of a body in the bucket
 *   r  head only: keys put by the same commit, which a read must include
 *   g  rank and shard       w  time, lane, address    index `alarms`, only while an alarm is set
 *   u  list                 a  position in the list   index `lists`, only while listed
 *   t  tags in that list, also stored in the index
 *   x  expiry time of the item (TTL), in seconds since 1970
 */

import type { AttributeValue, CreateTableCommandInput } from '@aws-sdk/client-dynamodb'
import { sha256 } from '../../lib/digest.ts'
import type { Alarm, DueEntry, HeadWrite, Lane, Row } from '../../ports/world.ts'

export type Item = Record<string, AttributeValue>

export const ALARMS = 'alarms'
export const LISTS = 'lists'

/** Number of shards per index; each shard has a capacity of about 1,000 writes per second. */
export const SHARDS = 8

/** Returns the input of `CreateTable`; infra/ checks that the deployed table is the same. */
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

export const text = (value: string): AttributeValue => ({ S: value })
export const number = (value: number): AttributeValue => ({ N: String(value) })
export const keyOf = (partition: string, key: string): Item => ({
  p: text(partition),
  k: text(key),
})

const TIME_DIGITS = 16
const padded = (at: number): string => String(at).padStart(TIME_DIGITS, '0')

/** Prefix of the index partition keys of started runs. */
export const STARTED = 'started/'

/**
 * Returns the index partition key of an alarm; alarms of started and queued runs have separate
 * ranges, each spread over the shards.
 */
export const rankAndShard = (started: boolean, shard: number): string =>
  `${started ? STARTED : 'queued/'}${shard}`

/**
 * Returns the end of the key range of alarms due at or before `now`; it sorts after all addresses
 * of that time.
 */
export const dueUntil = (now: number): string => `${padded(now)}~`

/** Returns the index attributes of a write; all others must be absent from the item. */
export function indexed(
  partition: string,
  key: string,
  write: Pick<HeadWrite, 'alarm' | 'listed' | 'expiresAt'>,
): Item {
  const { alarm, listed: listing, expiresAt } = write
  return {
    ...(alarm ? alarmed(partition, key, alarm) : {}),
    ...(listing ? { u: text(listing.under), a: text(listing.at) } : {}),
    ...(listing?.tags === undefined ? {} : { t: text(listing.tags) }),
    ...(expiresAt === undefined ? {} : { x: number(Math.ceil(expiresAt / 1_000)) }),
  }
}

/**
 * Returns the index attributes of an alarm. The key starts with the time, so that a shard is read
 * in time order, and the address makes each entry unique.
 */
function alarmed(partition: string, key: string, { at, lane, started }: Alarm): Item {
  const shard = Number.parseInt(sha256(partition).slice(0, 8), 16) % SHARDS
  return {
    g: text(rankAndShard(started, shard)),
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
