/** Promises about refused commits and about many commits at once. */

import { expect, it } from 'vitest'
import type { Write } from '../../../src/ports/world.ts'
import { HEAD } from '../../../src/ports/world.ts'
import { alarmAt, dueOf, fresh, keys, type MakeStore, put } from './kit.ts'

export function refusalPromises(make: MakeStore): void {
  it('`absent` refuses the whole commit when the row exists', async () => {
    const store = await make()
    const p = fresh()
    await store.commit(p, [put('b', 'first')], { expect: null, body: 'h' })
    const writes = [put('a'), put('b', 'second'), put('c')]
    expect(await store.commit(p, writes, { expect: 1, body: 'h2' })).toBe('conflict')
    expect(await store.read(p)).toEqual([
      { key: 'b', version: 1, body: 'first' },
      { key: HEAD, version: 1, body: 'h' },
    ])
  })

  it('a refused commit writes and deletes no row, and does not affect the next one', async () => {
    const store = await make()
    const p = fresh()
    await store.commit(p, [put('old')], { expect: null, body: 'h' })
    const writes: Write[] = [put('new'), { op: 'delete', key: 'old' }]
    for (let i = 0; i < 3; i += 1)
      expect(await store.commit(p, writes, { expect: 7, body: 'x' })).toBe('conflict')
    expect(keys(await store.read(p))).toEqual([HEAD, 'old'])
    expect(await store.commit(p, writes, { expect: 1, body: 'x' })).toBe('ok')
    expect(keys(await store.read(p))).toEqual([HEAD, 'new'])
  })

  it('a refused creation leaves nothing behind', async () => {
    const store = await make()
    const p = fresh()
    await store.commit(p, [put('k')])
    const listed = { under: fresh(), at: '1' }
    const writes = [put('k', 'x', { alarm: alarmAt(1) })]
    const refused = await store.commit(p, writes, {
      expect: null,
      body: '',
      listed,
      alarm: alarmAt(1),
    })
    expect(refused).toBe('conflict')
    expect(keys(await store.read(p))).toEqual(['k'])
    expect(await store.list(listed.under)).toEqual([])
    expect(await dueOf(store, [p], 10)).toEqual([])
  })
}

export function concurrencyPromises(make: MakeStore): void {
  it('exactly one of 200 commits from one version wins', async () => {
    const store = await make()
    const p = fresh()
    await store.commit(p, [], { expect: null, body: '' })
    const answers = await Promise.all(
      Array.from({ length: 200 }, (_, i) =>
        store.commit(p, [put(`f/${i}`)], { expect: 1, body: String(i) }),
      ),
    )
    expect(answers.filter((answer) => answer === 'ok')).toHaveLength(1)
    expect(answers.filter((answer) => answer === 'conflict')).toHaveLength(199)
    const winner = answers.indexOf('ok')
    expect(await store.read(p)).toEqual([
      { key: `f/${winner}`, version: 1, body: `f/${winner}` },
      { key: HEAD, version: 2, body: String(winner) },
    ])
  })

  it('exactly one of 50 puts of one absent row wins, and puts of other rows all succeed', async () => {
    const store = await make()
    const p = fresh()
    const same = Array.from({ length: 50 }, (_, i) => store.commit(p, [put('k', String(i))]))
    const other = Array.from({ length: 50 }, (_, i) => store.commit(p, [put(`mail/${i}`)]))
    const answers = await Promise.all(same)
    expect(answers.filter((answer) => answer === 'ok')).toHaveLength(1)
    expect(new Set(await Promise.all(other))).toEqual(new Set(['ok']))
    const rows = await store.read(p)
    expect(rows).toHaveLength(51)
    expect(rows.find(({ key }) => key === 'k')?.body).toBe(String(answers.indexOf('ok')))
  })

  it('a read that shows a head also shows the rows committed with it', async () => {
    const store = await make()
    const p = fresh()
    await store.commit(p, [], { expect: null, body: '0' })
    let done = false
    const writer = (async () => {
      for (let seq = 1; seq <= 60; seq += 1) {
        const key = `f/${String(seq).padStart(4, '0')}`
        expect(await store.commit(p, [put(key)], { expect: seq, body: String(seq) })).toBe('ok')
      }
      done = true
    })()
    while (!done) {
      const rows = await store.read(p)
      const seq = Number(rows.find(({ key }) => key === HEAD)?.body)
      const facts = rows.filter(({ key }) => key.startsWith('f/')).length
      // A store that is read-committed by item may show facts beyond the head, never fewer.
      expect(facts).toBeGreaterThanOrEqual(seq)
      await new Promise((resolve) => setImmediate(resolve))
    }
    await writer
    expect(await store.read(p)).toHaveLength(61)
  })

  it('an acknowledged commit is visible to the next read', async () => {
    const store = await make()
    const partitions = Array.from({ length: 30 }, fresh)
    await Promise.all(
      partitions.map(async (p) => {
        expect(await store.commit(p, [put('k')])).toBe('ok')
        expect(keys(await store.read(p))).toEqual(['k'])
      }),
    )
  })
}
