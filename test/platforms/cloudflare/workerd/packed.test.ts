/** Facts that lie in the row of their head, in workerd: nobody but the bill sees a difference. */

import { runInDurableObject } from 'cloudflare:test'
import { expect, it } from 'vitest'
import type { Write } from '../../../../src/ports/world.ts'
import { fresh, put } from '../../../contract/store/kit.ts'
import { env, migrate } from './env.ts'

await migrate()

const log = () => {
  const p = fresh()
  const object = env.ROWS.getByName(p)
  let version: number | null = null
  const commit = async (...writes: Write[]) => {
    const result = await object.commit(p, writes, { expect: version, body: `head ${version}` })
    if (result === 'ok') version = (version ?? 0) + 1
    return result
  }
  const stored = () =>
    runInDurableObject(object, (_, state) =>
      state.storage.sql.exec('SELECT k FROM entry ORDER BY k').toArray(),
    ).then((rows) => rows.map(({ k }) => k))
  return { p, object, commit, stored, read: (after?: string) => object.read(p, after) }
}
const fact = (n: number, body = `{"n":${n}}`) => put(`f/00${n}`, body)

it('a commit of facts and head is one row, and is read as the committed rows', async () => {
  const { commit, stored, read } = log()
  expect(await commit(fact(1), put('a'), put('mail/x'))).toBe('ok')
  expect(await commit(fact(2), fact(3))).toBe('ok')
  expect(await stored()).toEqual(['a', 'head', 'mail/x'])
  const rows = await read()
  expect(rows.map(({ key }) => key)).toEqual(['a', 'f/001', 'f/002', 'f/003', 'head', 'mail/x'])
  expect(rows[2]).toEqual({ key: 'f/002', version: 1, body: '{"n":2}' })
  expect((await read('f/002')).map(({ key }) => key)).toEqual(['f/003', 'head', 'mail/x'])
  expect((await read('head')).map(({ key }) => key)).toEqual(['mail/x'])
})

it('an existing fact refuses the whole commit, wherever it is stored', async () => {
  const { commit, read } = log()
  await commit(fact(1))
  const before = await read()
  expect(await commit(fact(2), fact(1))).toBe('conflict')
  expect(await read()).toEqual(before)
  // Long ones have become rows.
  await commit(fact(2, 'x'.repeat(16_000)))
  await commit(fact(3, 'y'.repeat(16_000)))
  expect(await commit(fact(1))).toBe('conflict')
  expect(await commit(fact(2))).toBe('conflict')
})

it('facts that grow long become rows, and one too long for its head starts as a row', async () => {
  const { commit, stored, read } = log()
  await commit(fact(1, 'x'.repeat(10_000)))
  expect(await stored()).toEqual(['head'])
  await commit(fact(2, 'y'.repeat(10_000)))
  expect(await stored()).toEqual(['f/001', 'head'])
  await commit(fact(3, 'z'.repeat(100_000)))
  expect(await stored()).toEqual(['f/001', 'f/002', 'f/003', 'head'])
  await commit(fact(4))
  const lengths = (await read()).map(({ key, body }) => [key, body.length])
  expect(lengths).toEqual([
    ['f/001', 10_000],
    ['f/002', 10_000],
    ['f/003', 100_000],
    ['f/004', 7],
    ['head', 6],
  ])
})

it('a fact is deleted or replaced in place, with and without a head, and a drop deletes all', async () => {
  const { p, object, commit, read } = log()
  await commit(fact(1), fact(2), fact(3))
  expect(await commit({ op: 'delete', key: 'f/001' }, fact(4))).toBe('ok')
  expect(await object.commit(p, [{ op: 'delete', key: 'f/002' }])).toBe('ok')
  await commit(fact(5))
  expect(await object.commit(p, [put('f/005', 'other', { expect: 'any' })])).toBe('ok')
  const rows = await read()
  expect(rows.map(({ key, version }) => [key, version])).toEqual([
    ['f/003', 1],
    ['f/004', 1],
    ['f/005', 2],
    ['head', 3],
  ])
  await object.drop(p)
  expect(await read()).toEqual([])
})
