/** Promises about rows and the head of one partition. */

import { expect, it } from 'vitest'
import { HEAD } from '../../../src/ports/world.ts'
import { eventually, fresh, keys, type MakeStore, put } from './kit.ts'

export function rowPromises(make: MakeStore): void {
  it('a partition that was never written is empty', async () => {
    const store = await make()
    expect(await store.read(fresh())).toEqual([])
  })

  it('rows are ordered by code unit, with the head in its position among them', async () => {
    const store = await make()
    const p = fresh()
    const written = [
      'mail/run_b',
      'f/00010',
      'a',
      'B',
      'f/00009',
      'head0',
      'hea',
      'f-',
      'mail/run_a',
    ]
    expect(
      await store.commit(
        p,
        written.map((key) => put(key)),
        { expect: null, body: 'h' },
      ),
    ).toBe('ok')
    const sorted = [
      'B',
      'a',
      'f-',
      'f/00009',
      'f/00010',
      'hea',
      HEAD,
      'head0',
      'mail/run_a',
      'mail/run_b',
    ]
    expect(keys(await store.read(p))).toEqual(sorted)
  })

  it('`after` excludes that key and all keys before it', async () => {
    const store = await make()
    const p = fresh()
    await store.commit(
      p,
      ['f/1', 'f/2', 'mail/1'].map((key) => put(key)),
      { expect: null, body: '' },
    )
    expect(keys(await store.read(p, 'f/1'))).toEqual(['f/2', HEAD, 'mail/1'])
    expect(keys(await store.read(p, 'f/15'))).toEqual(['f/2', HEAD, 'mail/1'])
    expect(keys(await store.read(p, HEAD))).toEqual(['mail/1'])
    expect(await store.read(p, 'mail/1')).toEqual([])
  })

  it('a version is 1 on creation and increases by one with each write', async () => {
    const store = await make()
    const p = fresh()
    await store.commit(p, [put('k', 'one')])
    await store.commit(p, [put('k', 'two', { expect: 'any' })])
    await store.commit(p, [put('k', 'three', { expect: 'any' }), put('new', '', { expect: 'any' })])
    expect(await store.read(p)).toEqual([
      { key: 'k', version: 3, body: 'three' },
      { key: 'new', version: 1, body: '' },
    ])
  })

  it('a deleted row is gone and may be created again; deleting a missing row succeeds', async () => {
    const store = await make()
    const p = fresh()
    await store.commit(p, [put('k')])
    expect(await store.commit(p, [{ op: 'delete', key: 'k' }])).toBe('ok')
    expect(await store.commit(p, [{ op: 'delete', key: 'k' }])).toBe('ok')
    expect(await store.read(p)).toEqual([])
    expect(await store.commit(p, [put('k', 'again')])).toBe('ok')
  })
}

export function partitionPromises(make: MakeStore): void {
  it('bodies round-trip unchanged, up to 128 KiB and with any character', async () => {
    const store = await make()
    const p = fresh()
    const large = 'x'.repeat(131_072)
    const odd = '\u0000"\\\n€😀\u2028'
    expect(await store.commit(p, [put('large', large), put('odd', odd)])).toBe('ok')
    expect((await store.read(p)).map(({ body }) => body === large || body === odd)).toEqual([
      true,
      true,
    ])
  })

  it('a partition larger than a megabyte is read completely', async () => {
    const store = await make()
    const p = fresh()
    const body = 'y'.repeat(65_536)
    const wanted = Array.from({ length: 40 }, (_, i) => `f/${String(i).padStart(3, '0')}`)
    for (const key of wanted) await store.commit(p, [put(key, body)])
    const rows = await store.read(p)
    expect(keys(rows)).toEqual(wanted)
    expect(rows.every((row) => row.body === body)).toBe(true)
  })

  it('partitions with a prefix are listed in order and in pages, where a platform lists them', async () => {
    const store = await make()
    if (!store.partitions) return
    const p = fresh()
    const names = [`${p}/a`, `${p}/b`, `${p}/b0`, `${p}/c`]
    for (const name of [...names, `${p}0/a`, p])
      await store.commit(name, [put('k', 'x'), put('l', 'y')])
    await store.drop(`${p}/c`)
    expect(await store.partitions(`${p}/`, 10)).toEqual(names.slice(0, 3))
    expect(await store.partitions(`${p}/`, 2)).toEqual(names.slice(0, 2))
    expect(await store.partitions(`${p}/`, 2, names[1])).toEqual([names[2]])
    expect(await store.partitions(`${p}/none`, 10)).toEqual([])
  })

  it('rows are read and written with their index entries, where a platform can', async () => {
    const store = await make()
    if (!store.readIndexed || !store.writeIndexed) return
    const [p, copy] = [fresh(), fresh()]
    const listing = { under: fresh(), at: '2026 a', tags: 'c word' }
    const alarm = { at: 5, lane: 'main', started: true } as const
    await store.commit(p, [put('a', 'x')], { expect: null, body: 'h', alarm, listed: listing })
    await store.commit(p, [{ op: 'put', key: 'a', body: 'y', expect: 'any' }])
    const rows = await store.readIndexed(p)
    expect(rows.map(({ key, version, body }) => [key, version, body])).toEqual([
      ['a', 2, 'y'],
      ['head', 1, 'h'],
    ])
    await store.drop(p)
    for (let times = 0; times < 2; times += 1) await store.writeIndexed(copy, rows)
    expect(await store.readIndexed(copy)).toEqual(rows)
    expect(await store.read(copy)).toEqual(
      rows.map(({ key, version, body }) => ({ key, version, body })),
    )
    // Lists may lag (PROTOCOL.md rule 46).
    await eventually(async () => {
      const listed = await store.list(listing.under)
      expect(listed.map(({ partition }) => partition)).toEqual([copy])
    })
    expect(await store.commit(copy, [], { expect: 1, body: 'i' })).toBe('ok')
  })

  it('partitions are isolated, even when one name is a prefix of another', async () => {
    const store = await make()
    const p = fresh()
    await store.commit(p, [put('k', 'mine')])
    await store.commit(`${p}/x`, [put('k', 'other')])
    expect(await store.read(p)).toEqual([{ key: 'k', version: 1, body: 'mine' }])
  })

  it('drop removes exactly one partition completely, and repeating it is harmless', async () => {
    const store = await make()
    const p = fresh()
    const other = fresh()
    for (const partition of [p, other])
      await store.commit(partition, [put('a'), put('b')], { expect: null, body: 'h' })
    await store.drop(p)
    await store.drop(p)
    expect(await store.read(p)).toEqual([])
    expect(await store.read(other)).toHaveLength(3)
    expect(await store.commit(p, [], { expect: null, body: 'again' })).toBe('ok')
  })
}

export function headPromises(make: MakeStore): void {
  it('a null version creates it once, and a second creation is a conflict', async () => {
    const store = await make()
    const p = fresh()
    expect(await store.commit(p, [], { expect: null, body: 'one' })).toBe('ok')
    expect(await store.commit(p, [], { expect: null, body: 'two' })).toBe('conflict')
    expect(await store.read(p)).toEqual([{ key: HEAD, version: 1, body: 'one' }])
  })

  it('is written only from the version that was read', async () => {
    const store = await make()
    const p = fresh()
    await store.commit(p, [], { expect: null, body: 'one' })
    expect(await store.commit(p, [], { expect: 1, body: 'two' })).toBe('ok')
    expect(await store.commit(p, [], { expect: 1, body: 'stale' })).toBe('conflict')
    expect(await store.commit(p, [], { expect: 3, body: 'early' })).toBe('conflict')
    expect(await store.read(p)).toEqual([{ key: HEAD, version: 2, body: 'two' }])
  })

  it('a version is refused when there is no head, with or without rows', async () => {
    const store = await make()
    const p = fresh()
    expect(await store.commit(p, [put('k')], { expect: 1, body: 'h' })).toBe('conflict')
    expect(await store.read(p)).toEqual([])
    await store.commit(p, [put('mail/x')])
    expect(await store.commit(p, [put('k')], { expect: 1, body: 'h' })).toBe('conflict')
    expect(keys(await store.read(p))).toEqual(['mail/x'])
  })

  it('rows written without a head leave the head unchanged', async () => {
    const store = await make()
    const p = fresh()
    await store.commit(p, [], { expect: null, body: 'h' })
    expect(await store.commit(p, [put('mail/x')])).toBe('ok')
    expect(await store.commit(p, [], { expect: 1, body: 'h2' })).toBe('ok')
  })

  it('heads() returns the requested order, null for missing heads, and repeats as requested', async () => {
    const store = await make()
    const [a, b, none] = [fresh(), fresh(), fresh()]
    await store.commit(a, [], { expect: null, body: 'A' })
    await store.commit(b, [put('k')], { expect: null, body: 'B' })
    await store.commit(b, [], { expect: 1, body: 'B2' })
    await store.commit(none, [put('k')])
    const answer = await store.heads([b, none, a, b])
    expect(answer.map((row) => row && [row.key, row.version, row.body])).toEqual([
      [HEAD, 2, 'B2'],
      null,
      [HEAD, 1, 'A'],
      [HEAD, 2, 'B2'],
    ])
    expect(await store.heads([])).toEqual([])
  })

  it('heads() returns two hundred partitions in one call', async () => {
    const store = await make()
    const partitions = Array.from({ length: 200 }, fresh)
    await Promise.all(partitions.map((p) => store.commit(p, [], { expect: null, body: p })))
    const answer = await store.heads(partitions)
    expect(answer.map((row) => row?.body)).toEqual(partitions)
  })
}
