import { expect, it } from 'vitest'
import { MARKER_KEY, withMarker } from '../../../../src/engine/worker/storage-marker.ts'
import { memoryObjects } from '../../../../src/hosts/memory/objects.ts'
import { memoryStore } from '../../../../src/hosts/memory/store.ts'
import { decode, encode } from '../../../../src/lib/bytes.ts'
import type { Objects, Store } from '../../../../src/ports/world.ts'

let now = 0
const clock = { monotonic: () => now, random: (bytes: number) => new Uint8Array(bytes).fill(now) }
const store = (): Store => memoryStore()
const bucket = (): Objects => memoryObjects(() => now)
const marked = (objects: Objects, rows: Store, standsMs = 0) =>
  withMarker(objects, { store: () => rows, clock, standsMs, owner: {} })

it('the storage marker is written once by processes that start together', async () => {
  const [rows, objects] = [store(), bucket()]
  const processes = [1, 2, 3].map(() => marked(objects, rows))
  expect(await Promise.all(processes.map((one) => one.get('a')))).toEqual([null, null, null])
  const marker = decode((await objects.get(MARKER_KEY))!.body)
  const [head] = await rows.heads([MARKER_KEY])
  expect(JSON.parse(head!.body)).toEqual({ id: marker.trim() })
})

it('the storage marker is copied from a bucket that has one to a new store', async () => {
  const [objects, first, second] = [bucket(), store(), store()]
  await marked(objects, first).get('a')
  expect(await marked(objects, second).get('a')).toBeNull()
  expect(await second.heads([MARKER_KEY])).toEqual(await first.heads([MARKER_KEY]))
})

it('the storage marker is completed by the next process after a crash that followed the bucket write', async () => {
  const [rows, objects] = [store(), bucket()]
  await objects.put(MARKER_KEY, encode('abc\n'), 'absent')
  await marked(objects, rows).list('none/')
  expect((await rows.heads([MARKER_KEY]))[0]?.body).toBe('{"id":"abc"}')
})

it.each([
  ['an empty bucket', async () => {}],
  ['another bucket', (objects: Objects) => objects.put(MARKER_KEY, encode('x'), 'any')],
])('a marked bucket refuses reads of what %s lacks, and every write', async (_, fill) => {
  const rows = store()
  await marked(bucket(), rows).get('a')
  const wrong = bucket()
  await wrong.put('there', encode('b'), 'absent')
  await fill(wrong)
  const objects = marked(wrong, rows)
  const calls = [
    objects.get('a'),
    objects.list('none/'),
    objects.put('a', encode('a'), 'any'),
    objects.delete('there', 'any'),
  ]
  for (const call of calls) await expect(call).rejects.toThrow(/expects the marker .*_\/marker\.$/)
  expect(await wrong.get('a')).toBeNull()
})

it('the storage marker is read again when its cache expires, regardless of the previous result', async () => {
  const [rows, objects] = [store(), bucket()]
  let reads = 0
  const counted: Objects = {
    ...objects,
    get(key) {
      if (key === MARKER_KEY) reads += 1
      return objects.get(key)
    },
  }
  const held = marked(counted, rows, 1_000)
  await held.get('a')
  const first = reads
  await held.get('a')
  expect(reads).toBe(first)
  now += 1_000
  await objects.delete(MARKER_KEY, 'any')
  await expect(held.get('a')).rejects.toThrow('does not contain it')
  await expect(held.get('a')).rejects.toThrow('does not contain it')
})

it('the storage marker is read again once the bucket has failed', async () => {
  const [rows, objects] = [store(), bucket()]
  let isGone = false
  const failing: Objects = {
    ...objects,
    get: async (key) => {
      if (isGone) throw new Error('no such bucket')
      return objects.get(key)
    },
  }
  const held = marked(failing, rows, 1_000)
  await held.get('a')
  isGone = true
  await expect(held.get('a')).rejects.toThrow('no such bucket')
  // Another one has its name.
  await objects.delete(MARKER_KEY, 'any')
  isGone = false
  await expect(held.get('a')).rejects.toThrow('does not contain it')
})
