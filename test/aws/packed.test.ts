/**
 * Facts that lie in the item of their head, in DynamoDB's emulator: nobody but the bill sees a
 * difference, until the table forgets a short log by itself (protocol rule 40).
 */

import { PutItemCommand, QueryCommand } from '@aws-sdk/client-dynamodb'
import { describe, expect, inject, it, onTestFinished } from 'vitest'
import { FORMAT } from '../../src/engine/partition/format.ts'
import { dynamoStore } from '../../src/hosts/aws/dynamodb.ts'
import { s3Objects } from '../../src/hosts/aws/s3.ts'
import { keyOf, number, text } from '../../src/hosts/aws/table.ts'
import type { HeadWrite, Store, Write } from '../../src/ports/world.ts'
import { HEAD } from '../../src/ports/world.ts'
import { alarmAt, fresh, put } from '../contract/store/kit.ts'
import { storeContract } from '../contract/store.ts'
import { newPlace } from '../support/aws/all.ts'
import { dynamoClient } from '../support/aws/dynamodb.ts'
import { s3Client } from '../support/aws/radosgw.ts'

const urls = inject('aws')
const place = await newPlace(urls)

function make(now: () => number = Date.now): {
  store: Store
  client: ReturnType<typeof dynamoClient>
} {
  const client = dynamoClient(urls.dynamodb)
  const bucket = s3Client(urls.s3)
  onTestFinished(() => {
    client.destroy()
    bucket.destroy()
  })
  const objects = s3Objects(bucket, place.bucket)
  return {
    client,
    store: dynamoStore({ client, table: place.table, objects, spillBytes: 8_192, now }),
  }
}

const headOf = (text: string): string => JSON.stringify({ format: 1, wake_at: 5, text })
const textOf = (body: string): string => (JSON.parse(body) as { text: string }).text

/** The same store, each partition that of a run and each head that of a log: only those hold facts. */
function ofRuns({ read, heads, commit, due, list, find, drop, ...rest }: Store): Store {
  const FOLDER = 'packed/run/'
  const named = (p: string): string => FOLDER + p
  const bare = <T extends { readonly partition: string }>(one: T): T => ({
    ...one,
    partition: one.partition.replace(FOLDER, ''),
  })
  const plain = <T extends { readonly key: string; readonly body: string }>(row: T): T =>
    row.key === HEAD ? { ...row, body: textOf(row.body) } : row
  return {
    ...rest,
    read: async (p, after) => (await read(named(p), after)).map(plain),
    heads: async (all) => (await heads(all.map(named))).map((row) => row && plain(row)),
    commit: (p, writes, head) =>
      commit(named(p), writes, head && { ...head, body: headOf(head.body) }),
    async due(now, cursor) {
      const { entries, ...more } = await due(now, cursor)
      return { ...more, entries: entries.map(bare) }
    },
    list: async (...of) => (await list(...of)).map(bare).map(plain),
    async find(...of) {
      const { rows, ...more } = await find(...of)
      return { ...more, rows: rows.map(bare).map(plain) }
    },
    drop: (p) => drop(named(p)),
  }
}

storeContract('DynamoDB, partitions of runs', () => ofRuns(make().store))

const fact = (n: number, body = `{"n":${n}}`): Write => put(`f/00${n}`, body)

function log(now?: () => number) {
  const { store, client } = make(now)
  const p = `t/run/${fresh()}`
  let version: number | null = null
  const commit = async (writes: readonly Write[], more: Partial<HeadWrite> = {}) => {
    const result = await store.commit(p, writes, {
      expect: version,
      body: headOf(`${version}`),
      ...more,
    })
    if (result === 'ok') version = (version ?? 0) + 1
    return result
  }
  const items = async () => {
    const query = { KeyConditionExpression: 'p = :p', ExpressionAttributeValues: { ':p': text(p) } }
    const { Items = [] } = await client.send(new QueryCommand({ TableName: place.table, ...query }))
    return Items
  }
  const stored = async () => (await items()).map(({ k }) => k?.S)
  const keys = async (after?: string) => (await store.read(p, after)).map(({ key }) => key)
  return { p, store, client, commit, items, stored, keys }
}

/** Does not compress. */
const noise = (length: number): string =>
  Buffer.from(crypto.getRandomValues(new Uint8Array((length * 3) / 4))).toString('base64')

describe('facts and their head', () => {
  it('are one item, and are read as the rows that were committed', async () => {
    const { p, store, commit, stored, keys } = log()
    expect(await commit([fact(1), put('a')])).toBe('ok')
    expect(await commit([fact(2), fact(3)])).toBe('ok')
    expect(await stored()).toEqual(['a', 'head'])
    expect(await keys()).toEqual(['a', 'f/001', 'f/002', 'f/003', 'head'])
    expect(await keys('f/002')).toEqual(['f/003', 'head'])
    expect((await store.read(p))[2]).toEqual({ key: 'f/002', version: 1, body: '{"n":2}' })
  })

  it('one that is there refuses the whole commit, in the item and as a row', async () => {
    const { commit, keys } = log()
    await commit([fact(1)])
    expect(await commit([fact(2), fact(1)])).toBe('conflict')
    expect(await keys()).toEqual(['f/001', 'head'])
    await commit([fact(2, noise(2_000))])
    await commit([fact(3, noise(2_000))])
    expect(await commit([fact(1)])).toBe('conflict')
    expect(await commit([fact(3)])).toBe('conflict')
    expect(await keys()).toEqual(['f/001', 'f/002', 'f/003', 'head'])
  })

  it('become rows when they are long, and stay rows', async () => {
    const { commit, stored, keys } = log()
    await commit([fact(1)])
    await commit([fact(2, noise(2_000))])
    expect(await stored()).toEqual(['head'])
    await commit([fact(3, noise(2_000))])
    expect(await stored()).toEqual(['f/001', 'f/002', 'f/003', 'head'])
    await commit([fact(4)])
    expect(await stored()).toEqual(['f/001', 'f/002', 'f/003', 'f/004', 'head'])
    expect(await keys()).toEqual(await stored())
  })

  it('two processes see what the other one has put in', async () => {
    const { p, commit, keys } = log()
    const other = make().store
    await commit([fact(1)])
    const add = (n: number, expected: number) =>
      other.commit(p, [fact(n)], { expect: expected, body: headOf('theirs') })
    expect(await add(2, 1)).toBe('ok')
    expect(await commit([fact(3)])).toBe('conflict')
    expect(await add(3, 1)).toBe('conflict')
    expect(await add(3, 2)).toBe('ok')
    expect(await keys()).toEqual(['f/001', 'f/002', 'f/003', 'head'])
  })

  it('of a release that packed nothing are rows, and go on as rows', async () => {
    const { p, store, client, stored, keys } = log()
    for (const [k, b] of [
      ['f/001', '1'],
      ['head', 'h'],
    ] as const) {
      const Item = { ...keyOf(p, k), v: number(1), c: text('older'), b: text(b) }
      await client.send(new PutItemCommand({ TableName: place.table, Item }))
    }
    expect(await store.commit(p, [fact(2)], { expect: 1, body: headOf('h') })).toBe('ok')
    expect(await stored()).toEqual(['f/001', 'f/002', 'head'])
    expect(await keys()).toEqual(['f/001', 'f/002', 'head'])
  })
})

describe('an older release', () => {
  const shown = async (
    items: () => Promise<Awaited<ReturnType<ReturnType<typeof log>['items']>>>,
  ) => JSON.parse((await items()).find(({ k }) => k?.S === HEAD)?.b?.S ?? '{}') as object

  it('takes a head with facts for one of a newer format that rests, and nobody else does', async () => {
    const { p, store, client, commit, items } = log()
    await commit([fact(1)])
    expect(await shown(items)).toMatchObject({ format: FORMAT + 1 })
    // It would write the head without its facts: its condition is the version that it reads.
    const [item] = await items()
    const read = Number(item?.v?.N)
    expect(read).toBe(1)
    const { f: _facts, ...without } = item!
    const older = {
      TableName: place.table,
      Item: { ...without, v: number(read + 1) },
      ConditionExpression: 'v = :expected',
      ExpressionAttributeValues: { ':expected': number(read) },
    }
    await expect(client.send(new PutItemCommand(older))).rejects.toThrow(/condition/i)
    expect((await store.heads([p]))[0]?.body).toBe(headOf('null'))
    expect((await store.read(p)).at(-1)?.body).toBe(headOf('null'))
    // Long ones are rows, which it knows.
    await commit([fact(2, noise(4_000))])
    expect(await shown(items)).toMatchObject({ format: 1, wake_at: 5 })
    expect((await store.read(p)).at(-1)?.body).toBe(headOf('1'))
  })

  it('can read what is encrypted: such facts are rows', async () => {
    const { commit, stored } = log()
    await commit([fact(1)], { body: '~1.c2VjcmV0' })
    expect(await stored()).toEqual(['f/001', 'head'])
  })
})

describe('a log that may vanish', () => {
  const DAY_MS = 86_400_000
  const end = (): Partial<HeadWrite> => {
    const at = Date.now() + DAY_MS
    const listed = { under: `t/${fresh()}`, at: '1' }
    return { vanishesAt: at, alarm: alarmAt(at), listed }
  }

  it('has no alarm, and is nobody’s when its time has come, though the table still has it', async () => {
    let skipped = 0
    const { p, store, commit, items, keys } = log(() => Date.now() + skipped)
    const ended = end()
    await commit([fact(1)], { alarm: alarmAt(Date.now()) })
    await commit([fact(2)], ended)
    const [item, ...others] = await items()
    expect(others).toEqual([])
    expect(item).not.toHaveProperty('g')
    expect(Number(item?.x?.N)).toBe(Math.ceil(ended.vanishesAt! / 1_000))
    expect(await keys()).toEqual(['f/001', 'f/002', 'head'])
    await expect.poll(() => store.list(ended.listed!.under)).toHaveLength(1)
    skipped = DAY_MS + 1
    expect(await keys()).toEqual([])
    expect(await store.heads([p])).toEqual([null])
    expect(await store.list(ended.listed!.under)).toEqual([])
    // The list has removed what it met: of a month of them it would read all each time.
    expect(await items()).toEqual([])
    // An id that comes again finds nothing of it.
    expect(await store.commit(p, [fact(1)], { expect: null, body: headOf('anew') })).toBe('ok')
    expect(await keys()).toEqual(['f/001', 'head'])
  })

  it('stays when it is written to again without an end', async () => {
    const { commit, items } = log()
    await commit([fact(1)], end())
    const at = Date.now() + 1_000
    await commit([fact(2)], { alarm: alarmAt(at) })
    const [item] = await items()
    expect(item).not.toHaveProperty('x')
    expect(item).not.toHaveProperty('y')
    expect(item).toHaveProperty('g')
  })

  it('keeps its alarm where rows lie beside it', async () => {
    for (const beside of [
      put('secret/webhook', 's'),
      fact(2, noise(4_000)),
      fact(2, noise(16_000)),
    ]) {
      const { commit, items } = log()
      await commit([fact(1)])
      await commit([beside], end())
      const head = (await items()).find(({ k }) => k?.S === 'head')
      expect(head).toHaveProperty('g')
      expect(head).not.toHaveProperty('x')
    }
  })
})
