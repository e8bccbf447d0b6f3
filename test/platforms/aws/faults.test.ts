/**
 * What DynamoDB and the network may do to a commit or a read: answers that are lost, requests that
 * never arrive, reads without a snapshot (PROTOCOL.md rules 6 and 7). The server is real; a
 * middleware of the client plays the network.
 */

import { randomBytes } from 'node:crypto'
import { type DynamoDBClient, ScanCommand } from '@aws-sdk/client-dynamodb'
import { describe, expect, inject, it, onTestFinished } from 'vitest'
import { dynamoStore } from '../../../src/hosts/aws/dynamodb.ts'
import { s3Objects } from '../../../src/hosts/aws/s3.ts'
import { EXPIRING } from '../../../src/hosts/aws/spill.ts'
import type { Store, Write } from '../../../src/ports/world.ts'
import { alarmAt, fresh, keys, put } from '../../contract/store/kit.ts'
import { newPlace } from '../../support/aws/all.ts'
import { dynamoClient } from '../../support/aws/dynamodb.ts'
import { s3Client } from '../../support/aws/radosgw.ts'

const urls = inject('aws')
const place = await newPlace(urls)
const objects = s3Objects(s3Client(urls.s3), place.bucket)

type Ask = () => Promise<{ output: object }>
/** `meddle` stands between the client's retries and the wire. */
function storeWith(meddle: (command: string, ask: Ask) => Promise<{ output: object }>) {
  const client: DynamoDBClient = dynamoClient(urls.dynamodb)
  client.middlewareStack.add(
    (next, context) => async (args) => {
      const ask = () => next(args) as Promise<{ output: object }>
      return (await meddle(String(context.commandName), ask)) as never
    },
    { step: 'deserialize', priority: 'high' },
  )
  onTestFinished(() => client.destroy())
  const store = dynamoStore({ client, table: place.table, objects, spillBytes: 8_192 })
  return { client, store }
}

const lost = (): Error => Object.assign(new Error('the answer was lost'), { name: 'TimeoutError' })

describe('a commit whose answer is lost', () => {
  const WRITES = ['PutItemCommand', 'UpdateItemCommand', 'TransactWriteItemsCommand']
  const losing = (times: number, before = false) => {
    let left = times
    return storeWith(async (command, ask) => {
      if (!WRITES.includes(command) || left === 0) return ask()
      left -= 1
      if (!before) await ask()
      throw lost()
    }).store
  }
  const commits: Readonly<Record<string, (store: Store, p: string) => Promise<string>>> = {
    'one row': (store, p) => store.commit(p, [put('k')]),
    'a head': (store, p) => store.commit(p, [], { expect: null, body: 'h' }),
    'a transaction': (store, p) => store.commit(p, [put('k')], { expect: null, body: 'h' }),
  }
  for (const [what, commit] of Object.entries(commits)) {
    it(`${what}: is \`ok\` once, resent by the client or settled by a read`, async () => {
      for (const times of [1, 2, 100]) {
        const p = fresh()
        const store = losing(times)
        expect(await commit(store, p)).toBe('ok')
        const rows = await store.read(p)
        expect(rows.every(({ version }) => version === 1)).toBe(true)
        expect(rows.length).toBeGreaterThan(0)
      }
    })

    it(`${what}: is \`ambiguous\` when it never arrived, and leaves nothing behind`, async () => {
      const p = fresh()
      const store = losing(100, true)
      expect(await commit(store, p)).toBe('ambiguous')
      expect(await store.read(p)).toEqual([])
    })

    it(`${what}: is a conflict with another writer's commit, however often it was sent`, async () => {
      const p = fresh()
      expect(await commit(losing(0), p)).toBe('ok')
      expect(await commit(losing(1), p)).toBe('conflict')
      expect(await commit(losing(0), p)).toBe('conflict')
    })
  }
})

it('a refused write that no read can verify is ambiguous, not a conflict', async () => {
  let left = 1
  const { store } = storeWith(async (command, ask) => {
    if (command === 'GetItemCommand') throw lost()
    const answer = await ask()
    if (command !== 'PutItemCommand' || left === 0) return answer
    left -= 1
    throw lost()
  })
  const p = fresh()
  expect(await store.commit(p, [put('k')])).toBe('ambiguous')
  expect(keys(await store.read(p))).toEqual(['k'])
})

it('a commit is identified by its unique row, even after a later write of the head', async () => {
  const p = fresh()
  const other = storeWith((_, ask) => ask()).store
  const { store } = storeWith(async (command, ask) => {
    const answer = await ask()
    if (command !== 'TransactWriteItemsCommand') return answer
    await other.commit(p, [], { expect: 1, body: 'later' })
    throw lost()
  })
  expect(await store.commit(p, [put('f/1')], { expect: null, body: 'first' })).toBe('ok')
  expect((await other.read(p)).map(({ body }) => body)).toEqual(['f/1', 'later'])
})

describe('a read', () => {
  it('that shows a head without the rows of its commit is repeated', async () => {
    let queries = 0
    const { store } = storeWith(async (command, ask) => {
      const answer = await ask()
      if (command !== 'QueryCommand') return answer
      queries += 1
      const output = answer.output as { Items?: { k: { S: string } }[] }
      if (queries > 2) return answer
      return {
        ...answer,
        output: { ...output, Items: output.Items?.filter(({ k }) => k.S !== 'f/2') },
      }
    })
    const p = fresh()
    await store.commit(p, [put('f/1')], { expect: null, body: '1' })
    await store.commit(p, [put('f/2')], { expect: 1, body: '2' })
    expect(keys(await store.read(p))).toEqual(['f/1', 'f/2', 'head'])
    expect(queries).toBe(3)
  })

  it('is not repeated forever when a commit that left the head unchanged deleted a row', async () => {
    const { store } = storeWith((_, ask) => ask())
    const p = fresh()
    await store.commit(p, [put('f/1')], { expect: null, body: '1' })
    await store.commit(p, [{ op: 'delete', key: 'f/1' }])
    expect(keys(await store.read(p))).toEqual(['head'])
  })
})

describe('size limits', () => {
  it('put bodies above 8 KB into the bucket once, deleted with their partition', async () => {
    const { client, store } = storeWith((_, ask) => ask())
    const p = fresh()
    const large = randomBytes(50_000).toString('hex')
    await store.commit(p, [put('a', large), put('b', large)], { expect: null, body: large })
    const { Items = [] } = await client.send(
      new ScanCommand({
        TableName: place.table,
        FilterExpression: 'p = :p',
        ExpressionAttributeValues: { ':p': { S: p } },
      }),
    )
    expect(Items).toHaveLength(3)
    expect(JSON.stringify(Items).length).toBeLessThan(2_000)
    expect((await objects.list(`rows/${p}/`)).objects).toHaveLength(1)
    expect((await store.read(p)).map(({ body }) => body === large)).toEqual([true, true, true])
    await store.drop(p)
    expect((await objects.list(`rows/${p}/`)).objects).toEqual([])
  })

  it('put bodies of expiring rows where the bucket expires them, and rewrite them', async () => {
    const { store } = storeWith((_, ask) => ask())
    const p = fresh()
    const large = randomBytes(20_000).toString('hex')
    const expiring = put('a', large, { expect: 'any', expiresAt: 4_000_000_000_000 })
    const listed = () => objects.list(`${EXPIRING.prefix}${p}/`)
    await store.commit(p, [expiring, put('b', large)])
    expect((await listed()).objects).toHaveLength(1)
    expect((await objects.list(`rows/${p}/`)).objects).toHaveLength(1)
    await objects.delete((await listed()).objects[0]!.key, 'any')
    await store.commit(p, [expiring])
    expect((await store.read(p)).map(({ body }) => body === large)).toEqual([true, true])
  })

  it('a drop that dies midway leaves the head, which triggers another attempt', async () => {
    let alive = 2
    const { store } = storeWith(async (command, ask) => {
      if (command === 'BatchWriteItemCommand' && (alive -= 1) < 0) throw new Error('died')
      return ask()
    })
    const p = fresh()
    const large = randomBytes(20_000).toString('hex')
    const rows = Array.from({ length: 60 }, (_, i) => put(`mail/${i}`, i === 0 ? large : 'x'))
    await store.commit(p, rows, { expect: null, body: large, alarm: alarmAt(1) })
    await expect(store.drop(p)).rejects.toThrow('died')
    const [head] = await store.heads([p])
    expect(head?.body === large).toBe(true)
    alive = 100
    await store.drop(p)
    expect([await store.read(p), (await objects.list(`rows/${p}/`)).objects]).toEqual([[], []])
  })

  it('a drop makes no bucket request when no row is stored there', async () => {
    const { client } = storeWith((_, ask) => ask())
    const asked: string[] = []
    const watched = new Proxy(objects, {
      get(target, name: keyof typeof objects) {
        asked.push(name)
        return target[name]
      },
    })
    const all = { client, table: place.table, objects: watched, spillBytes: 8_192 }
    const store = dynamoStore(all)
    const p = fresh()
    await store.commit(p, [put('f/1'), put('f/2')], { expect: null, body: 'h' })
    await store.drop(p)
    expect([await store.read(p), asked]).toEqual([[], []])
  })

  it('a drop includes rows committed while it is in progress', async () => {
    let commits = 1
    const p = fresh()
    const quiet = storeWith((_, ask) => ask()).store
    const { store } = storeWith(async (command, ask) => {
      if (command === 'DeleteItemCommand' && (commits -= 1) >= 0)
        await quiet.commit(p, [put('f/2')], { expect: 1, body: 'again' })
      return ask()
    })
    await quiet.commit(p, [put('f/1')], { expect: null, body: 'h' })
    await store.drop(p)
    expect([commits, await store.read(p)]).toEqual([-1, []])
  })

  it('a commit of 100 items succeeds, and a larger one is reported as a bug before it is sent', async () => {
    const { store } = storeWith((_, ask) => ask())
    const p = fresh()
    const rows = (count: number): Write[] => Array.from({ length: count }, (_, i) => put(`r/${i}`))
    await expect(store.commit(p, rows(100), { expect: null, body: '' })).rejects.toThrow(
      /100 items/,
    )
    expect(await store.read(p)).toEqual([])
    expect(await store.commit(p, rows(99), { expect: null, body: '' })).toBe('ok')
  })

  it('a row with a time to live carries it in seconds', async () => {
    const { client, store } = storeWith((_, ask) => ask())
    const p = fresh()
    await store.commit(p, [put('a', 'x', { expiresAt: 1_700_000_000_500 })])
    const { Items = [] } = await client.send(
      new ScanCommand({
        TableName: place.table,
        FilterExpression: 'p = :p',
        ExpressionAttributeValues: { ':p': { S: p } },
      }),
    )
    expect(Items[0]?.x).toEqual({ N: '1700000001' })
  })
})
