/**
 * What every object store promises, as tests; the words are those of `Objects` in
 * src/ports/world.ts. Each test keeps to a prefix of its own, so a host may run all of them on
 * one bucket.
 */

import { describe, expect, it } from 'vitest'
import { decode, encode } from '../../src/lib/bytes.ts'
import type { Objects } from '../../src/ports/world.ts'

export type MakeObjects = () => Objects | Promise<Objects>

export function objectsContract(name: string, make: MakeObjects): void {
  describe(`objects: ${name}`, () => {
    describe('get and put', () => putPromises(make))
    describe('conditions', () => conditionPromises(make))
    describe('delete', () => deletePromises(make))
    describe('list', () => listPromises(make))
  })
}

/** A bucket may outlive a run of the tests. */
const run = Date.now().toString(36)
let count = 0
const fresh = (): string => `c-${run}/${(count += 1)}`
const text = encode

async function etagOf(objects: Objects, key: string): Promise<string> {
  const stored = await objects.get(key)
  expect(stored).not.toBeNull()
  return stored!.etag
}

function putPromises(make: MakeObjects): void {
  it('a missing object is null', async () => {
    const objects = await make()
    expect(await objects.get(`${fresh()}/nothing`)).toBeNull()
  })

  it('bytes round-trip unchanged: none, all 256, a megabyte', async () => {
    const objects = await make()
    const root = fresh()
    const all = Uint8Array.from({ length: 256 }, (_, i) => i)
    const large = new Uint8Array(1_048_576).fill(7)
    for (const [key, body] of Object.entries({ none: new Uint8Array(), all, large })) {
      await objects.put(`${root}/${key}`, body, 'any')
      const stored = await objects.get(`${root}/${key}`)
      expect(Buffer.compare(stored!.body, body)).toBe(0)
    }
  })

  it('an acknowledged put is visible to get and list with the same etag', async () => {
    const objects = await make()
    const root = fresh()
    const answer = await objects.put(`${root}/a`, text('one'), 'any')
    const etag = await etagOf(objects, `${root}/a`)
    expect(answer).toEqual({ etag })
    const [listed] = (await objects.list(`${root}/`)).objects
    expect(listed).toMatchObject({ key: `${root}/a`, etag, size: 3 })
  })

  it('a list reports the time of the last write, even when the bytes are the same', async () => {
    const objects = await make()
    const root = fresh()
    const modified = async () => (await objects.list(`${root}/`)).objects[0]!.modified
    await objects.put(`${root}/a`, text('one'), 'any')
    const first = await modified()
    expect(Math.abs(first - Date.now())).toBeLessThan(10 * 60_000)
    // Some buckets know seconds.
    await new Promise((resolve) => setTimeout(resolve, 1_100))
    await objects.put(`${root}/a`, text('one'), 'any')
    expect(await modified()).toBeGreaterThan(first)
  })

  it('the etag changes whenever the bytes do, even when the size does not', async () => {
    const objects = await make()
    const key = `${fresh()}/a`
    const seen = new Set<string>()
    for (let i = 0; i < 20; i += 1) {
      await objects.put(key, text(`body ${i % 10}${Math.floor(i / 10)}`), 'any')
      seen.add(await etagOf(objects, key))
    }
    expect(seen.size).toBe(20)
  })

  it("later changes to the caller's buffer change nothing stored", async () => {
    const objects = await make()
    const key = `${fresh()}/a`
    const body = text('kept')
    await objects.put(key, body, 'any')
    body.fill(0)
    const first = await objects.get(key)
    first!.body.fill(0)
    expect(decode((await objects.get(key))!.body)).toBe('kept')
  })

  it('keys may contain dots, spaces, dashes, and non-ASCII characters', async () => {
    const objects = await make()
    const root = fresh()
    const keys = ['.hidden', 'a b', 'a-b.c/SKILL.md', 'ünï/🙂', 'x..y', '...']
    for (const key of keys) await objects.put(`${root}/${key}`, text(key), 'absent')
    for (const key of keys) expect(decode((await objects.get(`${root}/${key}`))!.body)).toBe(key)
  })
}

function conditionPromises(make: MakeObjects): void {
  it('`absent` creates once; a second put is a conflict and changes nothing', async () => {
    const objects = await make()
    const key = `${fresh()}/a`
    expect(await objects.put(key, text('first'), 'absent')).not.toBe('conflict')
    expect(await objects.put(key, text('second'), 'absent')).toBe('conflict')
    expect(decode((await objects.get(key))!.body)).toBe('first')
  })

  it('an etag permits one write and is stale afterwards', async () => {
    const objects = await make()
    const key = `${fresh()}/a`
    await objects.put(key, text('one'), 'any')
    const etag = await etagOf(objects, key)
    expect(await objects.put(key, text('two'), { etag })).not.toBe('conflict')
    expect(await objects.put(key, text('three'), { etag })).toBe('conflict')
    expect(await objects.delete(key, { etag })).toBe('conflict')
    expect(decode((await objects.get(key))!.body)).toBe('two')
  })

  it('an etag is refused when the object does not exist', async () => {
    const objects = await make()
    const key = `${fresh()}/a`
    await objects.put(key, text('one'), 'any')
    const etag = await etagOf(objects, key)
    await objects.delete(key, 'any')
    expect(await objects.put(key, text('two'), { etag })).toBe('conflict')
    expect(await objects.get(key)).toBeNull()
  })

  it('exactly one of 50 writers wins, whether they expect absence or share an etag', async () => {
    const objects = await make()
    const key = `${fresh()}/a`
    // Other bytes each time: an etag may well be made of the bytes, and writing the same again
    // changes nothing.
    const race = async (expected: 'absent' | { etag: string }) => {
      const name = JSON.stringify(expected)
      const answers = await Promise.all(
        Array.from({ length: 50 }, (_, i) => objects.put(key, text(`${name} ${i}`), expected)),
      )
      expect(answers.filter((answer) => answer !== 'conflict')).toHaveLength(1)
      const winner = answers.findIndex((answer) => answer !== 'conflict')
      expect(decode((await objects.get(key))!.body)).toBe(`${name} ${winner}`)
    }
    await race('absent')
    await race({ etag: await etagOf(objects, key) })
  })

  it('an object stays present and complete while it is replaced', async () => {
    const objects = await make()
    const key = `${fresh()}/a`
    const bodies = ['a'.repeat(100_000), 'b'.repeat(100_000)]
    await objects.put(key, text(bodies[0]!), 'any')
    let done = false
    const writer = (async () => {
      for (let i = 0; i < 20; i += 1) await objects.put(key, text(bodies[i % 2]!), 'any')
      done = true
    })()
    while (!done) {
      const stored = await objects.get(key)
      expect(stored === null ? 'none' : bodies.indexOf(decode(stored.body))).toBeOneOf([0, 1])
      await new Promise((resolve) => setImmediate(resolve))
    }
    await writer
  })
}

function deletePromises(make: MakeObjects): void {
  it('removes the object, and succeeds when there is no object', async () => {
    const objects = await make()
    const key = `${fresh()}/a`
    await objects.put(key, text('x'), 'any')
    expect(await objects.delete(key, 'any')).toBe('ok')
    expect(await objects.get(key)).toBeNull()
    expect(await objects.delete(key, 'any')).toBe('ok')
    expect(await objects.put(key, text('y'), 'absent')).not.toBe('conflict')
  })

  it('with an etag removes only that version, and is refused when there is no object', async () => {
    const objects = await make()
    const key = `${fresh()}/a`
    await objects.put(key, text('x'), 'any')
    const etag = await etagOf(objects, key)
    expect(await objects.delete(key, { etag: 'another' })).toBe('conflict')
    expect(await objects.delete(key, { etag })).toBe('ok')
    expect(await objects.delete(key, { etag })).toBe('conflict')
  })

  it('keeps neighboring keys, and lets a former folder name become a key', async () => {
    const objects = await make()
    const root = fresh()
    await objects.put(`${root}/a/b/c`, text('c'), 'any')
    await objects.put(`${root}/a/d`, text('d'), 'any')
    await objects.delete(`${root}/a/b/c`, 'any')
    expect(decode((await objects.get(`${root}/a/d`))!.body)).toBe('d')
    expect(await objects.put(`${root}/a/b`, text('b'), 'absent')).not.toBe('conflict')
  })
}

function listPromises(make: MakeObjects): void {
  const keysOf = async (objects: Objects, prefix: string): Promise<string[]> => {
    const keys: string[] = []
    let cursor: string | undefined
    do {
      const page = await objects.list(prefix, cursor)
      expect(page.objects.length).toBeLessThanOrEqual(1_000)
      keys.push(...page.objects.map(({ key }) => key))
      cursor = page.cursor
    } while (cursor !== undefined)
    return keys
  }

  it('is ordered by the code units of UTF-8 across folders, not folder by folder', async () => {
    const objects = await make()
    const root = fresh()
    const ordered = [
      'A',
      'a',
      'a!/z',
      'a-b',
      'a.md',
      'a/b',
      'a/b.c',
      'a0',
      'b',
      '\uff21',
      '🙂',
    ].filter(
      // A host with folders cannot hold both `a` and `a/b`; the port promises nothing about it.
      (key) => key !== 'a',
    )
    for (const key of [...ordered].reverse())
      await objects.put(`${root}/${key}`, text(key), 'absent')
    expect(await keysOf(objects, `${root}/`)).toEqual(ordered.map((key) => `${root}/${key}`))
  })

  it('accepts any prefix, even one that ends within a name, and may return no keys', async () => {
    const objects = await make()
    const root = fresh()
    for (const key of ['skills/a/SKILL.md', 'skills/ab/SKILL.md', 'skills/b', 'skillset'])
      await objects.put(`${root}/${key}`, text('x'), 'any')
    const under = async (prefix: string) =>
      (await keysOf(objects, `${root}/${prefix}`)).map((key) => key.slice(root.length + 1))
    expect(await under('skills/a')).toEqual(['skills/a/SKILL.md', 'skills/ab/SKILL.md'])
    expect(await under('skills/a/')).toEqual(['skills/a/SKILL.md'])
    expect(await under('skills')).toHaveLength(4)
    expect(await under('skills/b')).toEqual(['skills/b'])
    expect(await under('skills/b/')).toEqual([])
    expect(await under('none/at/all')).toEqual([])
  })

  it('starts after any key that is passed as the cursor, even a key that does not exist', async () => {
    const objects = await make()
    const root = fresh()
    for (const key of ['a/1', 'a/b/2', 'a/\uffee', 'a-b', 'a0', 'b/3'])
      await objects.put(`${root}/${key}`, text('x'), 'any')
    const after = async (key: string) =>
      (await objects.list(`${root}/`, `${root}/${key}`)).objects.map((object) =>
        object.key.slice(root.length + 1),
      )
    expect(await after('a/\u{10ffff}')).toEqual(['a0', 'b/3'])
    expect(await after('a/a')).toEqual(['a/b/2', 'a/\uffee', 'a0', 'b/3'])
    expect(await after('b/\u{10ffff}')).toEqual([])
  })

  it('returns several pages completely and in order despite deletions between them', async () => {
    const objects = await make()
    const root = fresh()
    const wanted = Array.from({ length: 1_205 }, (_, i) => {
      // The page ends in the middle of a folder.
      const number = String(i + 37).padStart(5, '0')
      return `${root}/${number.slice(0, 3)}/${number}`
    })
    await Promise.all(wanted.map((key) => objects.put(key, text('x'), 'any')))
    const first = await objects.list(`${root}/`)
    expect(first.objects.map(({ key }) => key)).toEqual(wanted.slice(0, 1_000))
    expect(first.cursor).toBeDefined()
    await objects.delete(wanted[999]!, 'any')
    const second = await objects.list(`${root}/`, first.cursor)
    expect(second.objects.map(({ key }) => key)).toEqual(wanted.slice(1_000))
    expect(second.cursor).toBeUndefined()
  })
}
