/**
 * What every store promises, as tests; the words are those of `Store` in src/ports/world.ts. A
 * host may run all of them on one database: each test keeps to partitions of its own, and what
 * may lag (`due`, `list`) is waited for.
 */

import { describe } from 'vitest'
import { concurrencyPromises, refusalPromises } from './store/conflicts.ts'
import { alarmPromises, duePromises, findPromises, listPromises } from './store/indexes.ts'
import type { MakeStore } from './store/kit.ts'
import { headPromises, partitionPromises, rowPromises } from './store/rows.ts'

export function storeContract(name: string, make: MakeStore): void {
  describe(`store: ${name}`, () => {
    describe('rows', () => rowPromises(make))
    describe('partitions', () => partitionPromises(make))
    describe('the head', () => headPromises(make))
    describe('atomic commits', () => refusalPromises(make))
    describe('concurrent writers', () => concurrencyPromises(make))
    describe('alarms', () => alarmPromises(make))
    describe('due pages', () => duePromises(make))
    describe('lists', () => listPromises(make))
    describe('lists by tags', () => findPromises(make))
  })
}
