/**
 * The store on Durable Objects, in workerd: the rows of one object keep every promise of the port,
 * and so does the store that has an object for each partition, whose lists are copies in D1.
 */

import { describe, expect, it } from 'vitest'
import { d1Store } from '../../../../src/hosts/cloudflare/ports/d1.ts'
import { partitionStore, remoteRows } from '../../../../src/hosts/cloudflare/ports/partitions.ts'
import type { Store } from '../../../../src/ports/world.ts'
import { concurrencyPromises, refusalPromises } from '../../../contract/store/conflicts.ts'
import { findPromises, listPromises } from '../../../contract/store/indexes.ts'
import { eventually, fresh, keys, put } from '../../../contract/store/kit.ts'
import { headPromises, partitionPromises, rowPromises } from '../../../contract/store/rows.ts'
import { storeContract } from '../../../contract/store.ts'
import { strayLetters } from '../../../contract/strays.ts'
import { env, migrate } from './env.ts'

await migrate()

const one = (): Store => {
  const object = env.ROWS.getByName('all of them')
  return {
    ...remoteRows(env.ROWS, 'all of them'),
    due: (now, cursor) => object.due(now, cursor),
    list: (under, before, limit) => object.list(under, before, limit),
    find: (under, wanted) => object.find(under, wanted),
  }
}

const each = (): Store =>
  partitionStore({
    index: d1Store(env.DB),
    holderOf: (partition) => partition,
    at: (object) => remoteRows(env.ROWS, object),
  })

storeContract('one object', one)
strayLetters('one object', one)

describe('store: one object per partition', () => {
  describe('rows', () => rowPromises(each))
  describe('partitions', () => partitionPromises(each))
  describe('the head', () => headPromises(each))
  describe('atomic commits', () => refusalPromises(each))
  describe('concurrent writers', () => concurrencyPromises(each))
  // What is due there is the object's own affair: it has an alarm.
  describe('lists', () => listPromises(each))
  describe('lists by tags', () => findPromises(each))
})

it('a read of a missing or dropped partition leaves no tables behind', async () => {
  const p = fresh()
  const store = each()
  expect(await store.read(p)).toEqual([])
  expect(await store.heads([p])).toEqual([null])
  await store.drop(p)
  const object = env.ROWS.getByName(p)
  expect(await object.count('entry')).toBe(undefined)
  const listed = { under: `list of ${p}`, at: '1' }
  await store.commit(p, [put('k')], { expect: null, body: 'one', listed })
  await eventually(async () => expect(await store.list(listed.under)).toHaveLength(1))
  await store.drop(p)
  await eventually(async () => expect(await store.list(listed.under)).toEqual([]))
  await eventually(async () => expect(await object.count('entry')).toBe(undefined))
})

it('expired rows are swept', async () => {
  const p = fresh()
  const object = env.ROWS.getByName(p)
  await object.commit(p, [
    put('old', '', { expiresAt: 1_000 }),
    put('new', '', { expiresAt: 3_000 }),
  ])
  await object.sweep(2_000, 1)
  expect(keys(await object.read(p))).toEqual(['new'])
})
