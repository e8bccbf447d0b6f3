/**
 * Lists that stand on shards: what their callers see is one list, in order, whatever shard a row
 * lies on and whichever release wrote it. The rows are those of the real table; a plain sorted array
 * says what is right.
 */

import {
  BatchWriteItemCommand,
  type DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  type QueryCommandInput,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb'
import fc from 'fast-check'
import { describe, expect, inject, it, onTestFinished } from 'vitest'
import { dynamoStore } from '../../src/hosts/aws/dynamodb.ts'
import { keyOf, LIST_SHARDS, LISTS, listKeys, number, text } from '../../src/hosts/aws/table.ts'
import { memoryObjects } from '../../src/hosts/memory/objects.ts'
import { isTagged, taggedAs } from '../../src/lib/tags.ts'
import type { Listing, Store, Wanted, Write } from '../../src/ports/world.ts'
import { FIND_ENTRIES, HEAD } from '../../src/ports/world.ts'
import { findPromises, listPromises } from '../contract/store/indexes.ts'
import { eventually, fresh } from '../contract/store/kit.ts'
import { newPlace } from '../support/aws/all.ts'
import { dynamoClient } from '../support/aws/dynamodb.ts'

const urls = inject('aws')
const { table } = await newPlace(urls)

function opened(): { readonly client: DynamoDBClient; readonly store: Store } {
  const client = dynamoClient(urls.dynamodb)
  onTestFinished(() => client.destroy())
  return {
    client,
    store: dynamoStore({ client, table, objects: memoryObjects(), spillBytes: 1_000 }),
  }
}

/** Lists by the names of a tenant's runs, so that all that a store promises holds on shards too. */
function sharded(): Store {
  const { store } = opened()
  const named = (under: string): string => `${under}/runs`
  const moved = <T extends { readonly listed?: Listing | undefined }>(write: T): T =>
    write.listed
      ? { ...write, listed: { ...write.listed, under: named(write.listed.under) } }
      : write
  return {
    ...store,
    commit: (partition, writes, head) =>
      store.commit(
        partition,
        writes.map((write): Write => (write.op === 'put' ? moved(write) : write)),
        head && moved(head),
      ),
    list: (under, ...more) => store.list(named(under), ...more),
    find: (under, wanted) => store.find(named(under), wanted),
  }
}

describe('what every store promises holds for a list on shards', () => {
  listPromises(sharded)
  findPromises(sharded)
})

/** As a release without shards has written it. */
const unsharded = (client: DynamoDBClient, partition: string, under: string) =>
  client.send(
    new UpdateItemCommand({
      TableName: table,
      Key: keyOf(partition, HEAD),
      UpdateExpression: 'SET u = :u',
      ExpressionAttributeValues: { ':u': text(under) },
    }),
  )

const keyIn = async (client: DynamoDBClient, partition: string) =>
  (await client.send(new GetItemCommand({ TableName: table, Key: keyOf(partition, HEAD) }))).Item?.u
    ?.S

const runs = (): string => `${fresh()}/runs`
const WANTED: Wanted = { marks: '', words: [], order: 'newest', limit: 100 }

it('rows of one list lie on all shards, by their partitions; short lists on none', async () => {
  const { client, store } = opened()
  const [under, keys] = [runs(), `${fresh()}/keys`]
  const found = new Set<string | undefined>()
  for (let i = 0; i < 40; i += 1) {
    const partition = fresh()
    await store.commit(partition, [], { expect: null, body: '', listed: { under, at: `${i}` } })
    found.add(await keyIn(client, partition))
  }
  expect(found).toEqual(new Set(listKeys(under).slice(0, LIST_SHARDS)))
  const partition = fresh()
  const listed = { under: keys, at: '1' }
  await store.commit(partition, [], { expect: null, body: '', listed })
  expect(await keyIn(client, partition)).toBe(keys)
})

it.each([
  ['acme/runs', true],
  ['acme/sessions', true],
  ['acme/fanouts', true],
  ['acme/deliveries', true],
  ['acme/deliveries/ep_1', true],
  ['acme/approvals/pending', true],
  ['acme/runs/run_1', false],
  ['acme/endpoints', false],
  ['acme/schedules', false],
  ['acme/audit', false],
  ['_/tenants', false],
])('%s is on shards: %s', (under, isOnShards) => {
  expect(listKeys(under)).toHaveLength(isOnShards ? LIST_SHARDS + 1 : 1)
  // What stands under the bare name stays found.
  expect(listKeys(under).at(-1)).toBe(under)
})

it('a row of a release without shards is found, moves with its next write, and is found once', async () => {
  const { client, store } = opened()
  const [under, old, young] = [runs(), fresh(), fresh()]
  // All that such a release writes of it.
  const tags = taggedAs('l', ['red'])
  const item = { v: number(1), c: text('c'), b: text('old'), u: text(under), a: text('1') }
  await client.send(
    new PutItemCommand({ TableName: table, Item: { ...keyOf(old, HEAD), ...item, t: text(tags) } }),
  )
  const listed = { under, at: '2', tags }
  await store.commit(young, [], { expect: null, body: 'young', listed })
  const all = async () => ({
    list: (await store.list(under)).map(({ at, body }) => `${at} ${body}`),
    find: (await store.find(under, { ...WANTED, words: ['red'] })).rows.map(({ body }) => body),
  })
  await eventually(async () =>
    expect(await all()).toEqual({ list: ['2 young', '1 old'], find: ['young', 'old'] }),
  )
  expect(await keyIn(client, old)).toBe(under)
  const again = { expect: 1, body: 'rewritten', listed: { ...listed, at: '1' } }
  expect(await store.commit(old, [], again)).toBe('ok')
  expect(await keyIn(client, old)).toMatch(/#[0-3]$/)
  await eventually(async () =>
    expect(await all()).toEqual({
      list: ['2 young', '1 rewritten'],
      find: ['young', 'rewritten'],
    }),
  )
  expect(await store.list(under, '2', 1)).toHaveLength(1)
  expect(await store.list(under, '1')).toEqual([])
})

it.each([
  ['both where it was and where it is', false],
  ['still only where it was', true],
])('a row that has just moved is found once, while the index shows it %s', async (_, isLate) => {
  const { client, store } = opened()
  const [under, partition] = [runs(), fresh()]
  const listed = { under, at: '1', tags: taggedAs('l', []) }
  await store.commit(partition, [], { expect: null, body: 'it', listed })
  await eventually(async () => expect(await store.list(under)).toHaveLength(1))
  const key = await keyIn(client, partition)
  const stale = { ...keyOf(partition, HEAD), a: text('1'), t: text(listed.tags), u: text(under) }
  client.middlewareStack.add(
    (next) => async (args) => {
      const { IndexName, ExpressionAttributeValues: values } = args.input as QueryCommandInput
      const answer = await next(args)
      const asked = values?.[':u']?.S
      const output = answer.output as { Items?: unknown[] }
      if (IndexName === LISTS && asked === under) output.Items = [stale]
      if (IndexName === LISTS && asked === key && isLate) output.Items = []
      return answer
    },
    { step: 'initialize' },
  )
  const row = { partition, key: HEAD, at: '1', body: 'it' }
  expect(await store.list(under)).toEqual([row])
  expect((await store.find(under, { ...WANTED, marks: 'l' })).rows).toEqual([row])
})

interface Given {
  readonly at: number
  readonly mark: string
  readonly words: readonly string[]
  readonly isOld: boolean
}

const givenRows = fc.uniqueArray(
  fc.record({
    at: fc.integer({ min: 0, max: 999 }),
    mark: fc.constantFrom('l', 'c', 'f'),
    words: fc.subarray(['red', 'big', 'own']),
    isOld: fc.boolean(),
  }),
  { selector: ({ at }) => at, maxLength: 150, size: 'max' },
)
const placeOf = (at: number): string => `t${String(at).padStart(4, '0')}`
const bound = fc.option(fc.integer({ min: 0, max: 1_000 }).map(placeOf), { nil: undefined })
const question = fc.record({
  marks: fc.constantFrom('', 'l', 'cf'),
  words: fc.subarray(['red', 'big']),
  above: bound,
  below: bound,
  order: fc.constantFrom('newest' as const, 'oldest' as const),
  limit: fc.integer({ min: 1, max: 20 }),
})

async function written(
  client: DynamoDBClient,
  store: Store,
  under: string,
  rows: readonly Given[],
) {
  await Promise.all(
    rows.map(async ({ at, mark, words, isOld }) => {
      const partition = fresh()
      const listed = { under, at: placeOf(at), tags: taggedAs(mark, words) }
      await store.commit(partition, [], { expect: null, body: `${at}`, listed })
      if (isOld) await unsharded(client, partition, under)
    }),
  )
}

it('whatever rows, on shards or not: pages of any size are the plain sorted list', async () => {
  const { client, store } = opened()
  await fc.assert(
    fc.asyncProperty(givenRows, fc.array(question, { maxLength: 5 }), async (rows, questions) => {
      const under = runs()
      await written(client, store, under, rows)
      const sorted = rows.map(({ at }) => placeOf(at)).sort()
      const newest = sorted.toReversed()
      await eventually(async () =>
        expect((await store.list(under, undefined, 200)).map(({ at }) => at)).toEqual(newest),
      )
      const small = rows.length > 30 ? [17, 40] : [1, 2, 5]
      for (const limit of [...small, rows.length + 1]) {
        const seen: string[] = []
        for (;;) {
          const page = await store.list(under, seen.at(-1), limit)
          seen.push(...page.map(({ at }) => at))
          // Short only at the end.
          if (page.length < limit) break
        }
        expect(seen).toEqual(newest)
      }
      for (const wanted of questions) await answered(store, under, rows, wanted)
    }),
    { numRuns: 12, seed: 20_261_126 },
  )
})

/** All pages of one question, against the array. */
async function answered(
  store: Store,
  under: string,
  rows: readonly (Given | Omit<Given, 'isOld'>)[],
  wanted: Wanted,
): Promise<void> {
  const { above, below, order } = wanted
  const right = rows
    .filter(({ mark, words }) => isTagged(taggedAs(mark, words), wanted))
    .map(({ at }) => placeOf(at))
    .filter((at) => (above === undefined || at > above) && (below === undefined || at < below))
    .sort()
  if (order === 'newest') right.reverse()
  const seen: string[] = []
  let bounds = { above, below }
  for (;;) {
    const { rows: page, reached } = await store.find(under, { ...wanted, ...bounds })
    expect(page.length).toBeLessThanOrEqual(wanted.limit)
    seen.push(...page.map(({ at }) => at))
    if (reached === undefined) break
    // All up to there was seen, and nothing beyond.
    const isBehind = (at: string): boolean => (order === 'newest' ? at >= reached : at <= reached)
    expect(seen).toEqual(right.filter(isBehind))
    bounds = order === 'newest' ? { above, below: reached } : { above: reached, below }
  }
  expect(seen).toEqual(right)
}

it('one look reads no more entries than it may, however uneven the shards are', async () => {
  const { client, store } = opened()
  const under = runs()
  const keys = listKeys(under)
  const counted = { entries: 0 }
  client.middlewareStack.add(
    (next) => async (args) => {
      const answer = await next(args)
      counted.entries += (answer.output as { ScannedCount?: number }).ScannedCount ?? 0
      return answer
    },
    { step: 'initialize' },
  )
  // Three of four lie on one shard, and of what no shard holds all is older.
  const rows = Array.from({ length: FIND_ENTRIES + 2_000 }, (_, at) => ({
    at,
    mark: 'l',
    words: at % 500 === 7 ? ['red'] : [],
    key: keys[at < 2_000 ? LIST_SHARDS : at % 4 === 0 ? at % 3 : 3]!,
  }))
  for (let from = 0; from < rows.length; from += 25) {
    const puts = rows.slice(from, from + 25).map(({ at, mark, words, key }) => ({
      PutRequest: {
        Item: {
          ...keyOf(`${under}-${at}`.replaceAll('/', '-'), HEAD),
          ...{ v: number(1), c: text('c'), b: text(''), u: text(key), a: text(placeOf(at)) },
          t: text(taggedAs(mark, words)),
        },
      },
    }))
    await client.send(new BatchWriteItemCommand({ RequestItems: { [table]: puts } }))
  }
  for (const order of ['newest', 'oldest'] as const) {
    const wanted: Wanted = { ...WANTED, words: ['red'], order }
    counted.entries = 0
    const { reached } = await store.find(under, wanted)
    expect(reached).toBeDefined()
    expect(counted.entries).toBeLessThanOrEqual(FIND_ENTRIES)
    expect(counted.entries).toBeGreaterThan(FIND_ENTRIES / 2)
    await answered(store, under, rows, wanted)
  }
})
