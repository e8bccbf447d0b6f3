/** Promises about what is found across partitions: alarms that are due, and lists. */

import { expect, it } from 'vitest'
import { taggedAs } from '../../../src/lib/tags.ts'
import type { FoundRows, ListedRow, RowSearch } from '../../../src/ports/world.ts'
import { HEAD } from '../../../src/ports/world.ts'
import { alarmAt, dueOf, eventually, fresh, type MakeStore, put } from './kit.ts'

export function alarmPromises(make: MakeStore): void {
  it('the head is due at its alarm, not before, with the lane and started flag that were written', async () => {
    const store = await make()
    const p = fresh()
    const alarm = alarmAt(1_000, { lane: 'subagent', started: true })
    await store.commit(p, [], { expect: null, body: '', alarm })
    expect(await dueOf(store, [p], 999)).toEqual([])
    await eventually(async () =>
      expect(await dueOf(store, [p], 1_000)).toEqual([{ partition: p, alarm }]),
    )
  })

  it('a row has a separate alarm, which is deleted with the row', async () => {
    const store = await make()
    const p = fresh()
    const alarm = alarmAt(2_000)
    await store.commit(p, [put('mail/c', '', { alarm })], { expect: null, body: '' })
    await eventually(async () =>
      expect(await dueOf(store, [p], 2_000)).toEqual([{ partition: p, alarm }]),
    )
    await store.commit(p, [{ op: 'delete', key: 'mail/c' }])
    await eventually(async () => expect(await dueOf(store, [p], 9_000)).toEqual([]))
  })

  it('each write sets or clears only the alarm of what it writes', async () => {
    const store = await make()
    const p = fresh()
    const writes = [put('r', '', { alarm: alarmAt(100) })]
    await store.commit(p, writes, { expect: null, body: '', alarm: alarmAt(200) })
    await store.commit(p, [], { expect: 1, body: '', alarm: alarmAt(300, { started: true }) })
    await eventually(async () =>
      expect((await dueOf(store, [p], 999)).map(({ alarm }) => alarm.at)).toEqual([300, 100]),
    )
    await store.commit(p, [], { expect: 2, body: '' })
    await eventually(async () =>
      expect((await dueOf(store, [p], 999)).map(({ alarm }) => alarm.at)).toEqual([100]),
    )
    await store.commit(p, [put('r', '', { expect: 'any' })])
    await eventually(async () => expect(await dueOf(store, [p], 999)).toEqual([]))
  })

  it('a dropped partition is not due', async () => {
    const store = await make()
    const p = fresh()
    await store.commit(p, [put('r', '', { alarm: alarmAt(1) })], {
      expect: null,
      body: '',
      alarm: alarmAt(2),
    })
    await store.drop(p)
    await eventually(async () => expect(await dueOf(store, [p], 10)).toEqual([]))
  })
}

export function duePromises(make: MakeStore): void {
  it('started partitions come first, each group oldest first, across any number of pages', async () => {
    const store = await make()
    const partitions = Array.from({ length: 450 }, fresh)
    const commits = partitions.map((p, i) =>
      store.commit(p, [], {
        expect: null,
        body: '',
        alarm: alarmAt(10_000 + ((i * 7_919) % 450), { started: i % 3 === 0 }),
      }),
    )
    await Promise.all(commits)
    await eventually(async () => expect(await dueOf(store, partitions, 20_000)).toHaveLength(450))
    const found = await dueOf(store, partitions, 20_000)
    const ranks = found.map(({ alarm }) => (alarm.started ? 0 : 1_000_000) + alarm.at)
    expect(ranks).toEqual([...ranks].sort((left, right) => left - right))
    expect(new Set(found.map(({ partition }) => partition)).size).toBe(450)
  })

  it('alarms that move during paging hide no other alarm', async () => {
    const store = await make()
    const partitions = Array.from({ length: 250 }, fresh)
    const create = (p: string) =>
      store.commit(p, [], { expect: null, body: '', alarm: alarmAt(50) })
    await Promise.all(partitions.map(create))
    await eventually(async () => expect(await dueOf(store, partitions, 50)).toHaveLength(250))
    const seen = new Set<string>()
    let cursor: string | undefined
    do {
      const page = await store.due(50, cursor)
      for (const { partition } of page.entries.filter((e) => partitions.includes(e.partition))) {
        seen.add(partition)
        await store.commit(partition, [], { expect: 1, body: '', alarm: alarmAt(9_999) })
      }
      cursor = page.cursor
    } while (cursor !== undefined)
    expect(seen.size).toBe(250)
  })
}

export function listPromises(make: MakeStore): void {
  const listedKeys = (listed: readonly ListedRow[]): string[] => listed.map((entry) => entry.at)

  it('rows and heads appear in their list, newest first, with body and key', async () => {
    const store = await make()
    const [a, b, under] = [fresh(), fresh(), fresh()]
    await store.commit(a, [], { expect: null, body: 'A', listed: { under, at: '2026-01' } })
    await store.commit(b, [put('x', 'X', { listed: { under, at: '2026-02' } })])
    await eventually(async () =>
      expect(await store.list(under)).toEqual([
        { partition: b, key: 'x', at: '2026-02', body: 'X' },
        { partition: a, key: HEAD, at: '2026-01', body: 'A' },
      ]),
    )
  })

  it('pages by `before` and `limit` have no gaps and no repeats', async () => {
    const store = await make()
    const [p, under] = [fresh(), fresh()]
    const ats = Array.from({ length: 25 }, (_, i) => `t${String(i).padStart(3, '0')}`)
    const writes = ats.map((time) => put(`k/${time}`, '', { listed: { under, at: time } }))
    await store.commit(p, writes)
    await eventually(async () => expect(await store.list(under)).toHaveLength(25))
    const seen: string[] = []
    for (;;) {
      const page = await store.list(under, seen.at(-1), 10)
      if (page.length === 0) break
      expect(page.length).toBeLessThanOrEqual(10)
      seen.push(...listedKeys(page))
    }
    expect(seen).toEqual([...ats].reverse())
  })

  it('a list contains exact matches of its name, not names with that prefix', async () => {
    const store = await make()
    const [p, under] = [fresh(), fresh()]
    await store.commit(p, [
      put('a', '', { listed: { under, at: '1' } }),
      put('b', '', { listed: { under: `${under}x`, at: '2' } }),
      put('c', '', { listed: { under: `${under}/x`, at: '3' } }),
    ])
    await eventually(async () => expect(listedKeys(await store.list(under))).toEqual(['1']))
  })

  it('each write moves or clears the listing; a deleted or dropped row leaves its list', async () => {
    const store = await make()
    const [p, under, other] = [fresh(), fresh(), fresh()]
    const listed = { under, at: '1' }
    await store.commit(p, [put('k', 'v', { listed })], { expect: null, body: 'h', listed })
    await store.commit(p, [], { expect: 1, body: 'h', listed: { under: other, at: '5' } })
    await eventually(async () => expect(await store.list(under)).toHaveLength(1))
    await eventually(async () => expect(listedKeys(await store.list(other))).toEqual(['5']))
    await store.commit(p, [{ op: 'delete', key: 'k' }])
    await eventually(async () => expect(await store.list(under)).toEqual([]))
    await store.drop(p)
    await eventually(async () => expect(await store.list(other)).toEqual([]))
  })
}

export function findPromises(make: MakeStore): void {
  const WANTED: RowSearch = { marks: '', words: [], order: 'newest', limit: 100 }
  const find = async (store: Awaited<ReturnType<MakeStore>>, under: string, more: object) =>
    (await store.find(under, { ...WANTED, ...more })).rows.map(({ at }) => at)
  const tagged = (under: string, at: string, tags: string) =>
    put(`k/${at}`, `body ${at}`, { listed: { under, at, tags } })

  it('a search finds rows by any of the letters and all of the words, whole words only', async () => {
    const store = await make()
    const [p, under, other] = [fresh(), fresh(), fresh()]
    await store.commit(p, [
      tagged(under, '1', taggedAs('a', ['red', 'big'])),
      tagged(under, '2', taggedAs('b', ['red'])),
      tagged(under, '3', taggedAs('c', ['redder', 'big'])),
      put('k/4', '', { listed: { under, at: '4' } }),
      tagged(other, '5', taggedAs('a', ['red'])),
    ])
    await eventually(async () => expect(await find(store, under, {})).toEqual(['4', '3', '2', '1']))
    expect(await find(store, under, { words: ['red'] })).toEqual(['2', '1'])
    expect(await find(store, under, { words: ['big', 'red'] })).toEqual(['1'])
    expect(await find(store, under, { marks: 'ac' })).toEqual(['3', '1'])
    expect(await find(store, under, { marks: 'bc', words: ['red'] })).toEqual(['2'])
    expect(await find(store, under, { words: ['a'] })).toEqual([])
    const [row] = (await store.find(under, { ...WANTED, marks: 'b' })).rows
    expect(row).toEqual({ partition: p, key: 'k/2', at: '2', body: 'body 2' })
  })

  it('a head whose tags change keeps its position and is found by the new tags', async () => {
    const store = await make()
    const [p, under] = [fresh(), fresh()]
    const listed = (mark: string) => ({ under, at: '1', tags: taggedAs(mark, ['x']) })
    await store.commit(p, [], { expect: null, body: '', listed: listed('l') })
    await eventually(async () => expect(await find(store, under, { marks: 'l' })).toEqual(['1']))
    await store.commit(p, [], { expect: 1, body: '', listed: listed('c') })
    await eventually(async () => expect(await find(store, under, { marks: 'c' })).toEqual(['1']))
    expect(await find(store, under, { marks: 'l' })).toEqual([])
    await store.drop(p)
    await eventually(async () => expect(await find(store, under, {})).toEqual([]))
  })

  it('bounds are exclusive, and pages work in either order', async () => {
    const store = await make()
    const [p, under] = [fresh(), fresh()]
    const ats = Array.from({ length: 60 }, (_, i) => `t${String(i).padStart(3, '0')}`)
    const tags = (i: number) => taggedAs('a', [i % 3 === 0 ? 'third' : 'other'])
    await store.commit(
      p,
      ats.map((at, i) => tagged(under, at, tags(i))),
    )
    await eventually(async () => expect(await find(store, under, {})).toHaveLength(60))
    const within = { above: 't010', below: 't014' }
    expect(await find(store, under, within)).toEqual(['t013', 't012', 't011'])
    expect(await find(store, under, { ...within, order: 'oldest' })).toEqual([
      't011',
      't012',
      't013',
    ])
    expect(await find(store, under, { above: 't014', below: 't010' })).toEqual([])
    const thirds = ats.filter((_, i) => i % 3 === 0)
    for (const order of ['newest', 'oldest'] as const) {
      const seen: string[] = []
      let found: FoundRows = { rows: [], reached: order === 'newest' ? 'z' : 'a' }
      while (found.reached !== undefined) {
        const bound = order === 'newest' ? { below: found.reached } : { above: found.reached }
        const wanted: RowSearch = { ...WANTED, words: ['third'], order, limit: 7, ...bound }
        found = await store.find(under, wanted)
        expect(found.rows.length).toBeLessThanOrEqual(7)
        seen.push(...found.rows.map(({ at }) => at))
      }
      expect(seen).toEqual(order === 'oldest' ? thirds : [...thirds].reverse())
    }
  })
}
