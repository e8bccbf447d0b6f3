/**
 * Deployment marker: the same ID in the bucket and the store. A missing bucket (an unmounted
 * volume, a deleted bucket, a wrong name) would look empty. While the marker is missing or belongs
 * to another deployment, no object counts as absent and nothing is written.
 */

import { decode, encode } from '../../lib/bytes.ts'
import { base32 } from '../../lib/id.ts'
import { Unavailable } from '../../lib/unavailable.ts'
import type { Clock, Objects, Store } from '../../ports/world.ts'
import { processMemory } from '../partition/process.ts'

/** Object key of the deployment marker; no tenant has this name. */
export const MARKER_KEY = '_/marker'
/** Store partition whose head contains the deployment ID. */
const PARTITION = '_/marker'

export interface MarkerParts {
  /** Opens the store that contains the marker; called once per process. */
  readonly store: () => Pick<Store, 'heads' | 'commit'>
  readonly clock: Pick<Clock, 'monotonic' | 'random'>
  /** Time for which a verified marker is trusted, in milliseconds. */
  readonly standsMs: number
  /** Object to which the cached check belongs, if `objects` lives only for one platform event. */
  readonly owner?: object
}

interface Memory {
  id: string | undefined
  /** Time of the last marker check on the monotonic clock. */
  seenAt: number
  /** Marker check in progress, shared by concurrent calls. */
  checking?: Promise<void>
}
const memoryOf = processMemory(
  'marker',
  (): Memory => ({ id: undefined, seenAt: Number.NEGATIVE_INFINITY }),
)

/**
 * Wraps the object store with the marker check. Reads of missing objects, writes, and deletes throw
 * `Unavailable` unless the markers match. The first caller of a new deployment writes both markers.
 */
export function withMarker(objects: Objects, parts: MarkerParts): Objects {
  const memory = memoryOf(parts.owner ?? objects)
  const isDue = (): boolean => parts.clock.monotonic() - memory.seenAt >= parts.standsMs
  const checkAnew = async (): Promise<void> => {
    const at = parts.clock.monotonic()
    try {
      await verify(objects, parts, memory)
      memory.seenAt = at
    } finally {
      delete memory.checking
    }
  }
  // On Workers, an event must not await work of another event.
  const check = parts.owner ? checkAnew : () => (memory.checking ??= checkAnew())
  /** After a failure, the bucket may be a different one, so the marker is checked again. */
  const watched = async <T>(call: Promise<T>): Promise<T> => {
    try {
      return await call
    } catch (error) {
      memory.seenAt = Number.NEGATIVE_INFINITY
      throw error
    }
  }
  /** Checks the marker in parallel, which adds no latency; found objects need no check. */
  const withMarkerCheck = async <T>(
    call: Promise<T>,
    isNothing: (result: T) => boolean,
  ): Promise<T> => {
    const checked = check()
    checked.catch(() => undefined)
    const result = await call
    if (isNothing(result)) await checked
    return result
  }
  return {
    get(key) {
      const call = watched(objects.get(key))
      return isDue() ? withMarkerCheck(call, (object) => object === null) : call
    },
    list(prefix, cursor) {
      const call = watched(objects.list(prefix, cursor))
      return isDue() ? withMarkerCheck(call, (page) => page.objects.length === 0) : call
    },
    async put(key, body, expect) {
      if (isDue()) await check()
      return watched(objects.put(key, body, expect))
    },
    async delete(key, expect) {
      if (isDue()) await check()
      return watched(objects.delete(key, expect))
    },
  }
}

async function verify(objects: Objects, parts: MarkerParts, memory: Memory): Promise<void> {
  const expected = memory.id ?? (await agreed(objects, parts))
  memory.id = expected
  const marker = await markerIn(objects)
  if (marker === expected) return
  const description =
    marker === null
      ? 'does not contain it; the bucket is empty, is a different bucket, or is on a volume ' +
        'that is not mounted'
      : 'contains the marker of another deployment'
  throw new Unavailable(
    `The store expects the marker ${expected} in the bucket, which ${description}. If ` +
      `this is the correct bucket, write the expected marker to ${MARKER_KEY}.`,
  )
}

/** Returns the deployment ID from the store, from the bucket, or else a new ID. */
async function agreed(objects: Objects, { store, clock }: MarkerParts): Promise<string> {
  const rows = store()
  const storedId = await idIn(rows)
  if (storedId !== undefined) return storedId
  const id = (await markerIn(objects)) ?? (await newMarker(objects, clock))
  // If several processes start at the same time, one of them has written the ID.
  await rows.commit(PARTITION, [], { expect: null, body: JSON.stringify({ id }) })
  const writtenId = await idIn(rows)
  if (writtenId === undefined) throw new Unavailable('The marker could not be stored.')
  return writtenId
}

async function newMarker(objects: Objects, clock: MarkerParts['clock']): Promise<string> {
  const id = base32(clock.random(10), 16)
  const put = await objects.put(MARKER_KEY, encode(`${id}\n`), 'absent')
  return put === 'conflict' ? ((await markerIn(objects)) ?? id) : id
}

async function markerIn(objects: Objects): Promise<string | null> {
  const object = await objects.get(MARKER_KEY)
  return object && decode(object.body).trim()
}

async function idIn(rows: Pick<Store, 'heads'>): Promise<string | undefined> {
  const [head] = await rows.heads([PARTITION])
  return head ? (JSON.parse(head.body) as { readonly id: string }).id : undefined
}
