/**
 * Large bodies by digest, in the home of what names them (`partition/home.ts`): written once, never
 * changed, gone with their home.
 */

import { LRUCache } from 'lru-cache'
import type { Body } from '../../core/message.ts'
import { isRef } from '../../core/message.ts'
import { firstMessage } from '../../core/prompt.ts'
import { byteLength, cut, decode, encode } from '../../lib/bytes.ts'
import { sha256 } from '../../lib/digest.ts'
import type { World } from '../../ports/world.ts'
import { type Home, tenantOf } from '../partition/home.ts'
import { blobObject } from '../partition/keys.ts'
import { processMemory } from '../partition/process.ts'

const PREVIEW_BYTES = 512
const CACHE_BYTES = 16 * 1024 * 1024

/** Per object store, so that worlds in one process never see each other's blobs. */
const cacheOf = processMemory(
  'blobs',
  () =>
    new LRUCache<string, string>({
      maxSize: CACHE_BYTES,
      sizeCalculation: (text) => text.length + 100,
    }),
)

/** Writes that are under way, by key. */
const writesOf = processMemory('writes', () => new Map<string, Promise<unknown>>())

/** A text of a name of its own beside the bodies, which goes with them; the last one counts. */
export async function putNamed(world: World, home: Home, name: string, text: string) {
  await world.objects.put(home + name, encode(text), 'any')
}

export async function getNamed(
  world: World,
  home: Home,
  name: string,
): Promise<string | undefined> {
  const object = await world.objects.get(home + name)
  return object ? decode(object.body) : undefined
}

/** Stores a text and returns its digest. Doing it twice is doing it once. */
export async function putBlob(world: World, home: Home, text: string): Promise<string> {
  const digest = sha256(text)
  const key = home + digest
  const cache = cacheOf(world.objects)
  if (cache.has(key)) return digest
  // Many subagents of one answer may bring the same text at the same moment: one write serves all.
  const under = writesOf(world.objects)
  // `conflict` means that it is there already (protocol rule 42).
  const put = under.get(key) ?? world.objects.put(key, encode(text), 'absent')
  under.set(key, put)
  try {
    await put
  } finally {
    under.delete(key)
  }
  cache.set(key, text)
  return digest
}

/** The same for bytes that are no text: pictures and the like that a body names. */
export async function putData({ objects }: World, home: Home, data: Uint8Array): Promise<string> {
  const digest = sha256(data)
  await objects.put(home + digest, data, 'absent')
  return digest
}

/**
 * The same for a text that others have most probably stored before, like the configuration that all
 * runs of an agent share: a read costs a tenth of a write, and R2 takes one write a second for each
 * key.
 */
export async function keepBlob(world: World, home: Home, text: string): Promise<string> {
  const digest = sha256(text)
  const key = home + digest
  const cache = cacheOf(world.objects)
  if (cache.has(key)) return digest
  if ((await world.objects.get(key)) === null) return putBlob(world, home, text)
  cache.set(key, text)
  return digest
}

/**
 * Stores bytes of a tenant's own files, which need not be text, by their digest: versions that can
 * be restored, and texts that runs have pinned. They belong to no run and stay.
 */
export async function putBytes(world: World, tenant: string, bytes: Uint8Array): Promise<string> {
  const digest = sha256(bytes)
  await world.objects.put(blobObject(tenant, digest), bytes, 'absent')
  return digest
}

export const getBytes = async (
  world: World,
  tenant: string,
  digest: string,
): Promise<Uint8Array | undefined> => (await world.objects.get(blobObject(tenant, digest)))?.body

/** The text of a digest, or undefined when there is none. */
export async function getBlob(
  world: World,
  home: Home,
  digest: string,
): Promise<string | undefined> {
  const key = home + digest
  const cache = cacheOf(world.objects)
  const cached = cache.get(key)
  if (cached !== undefined) return cached
  // Before bodies had homes all of a tenant lay together.
  const object =
    (await world.objects.get(key)) ?? (await world.objects.get(blobObject(tenantOf(home), digest)))
  if (!object) return undefined
  const text = decode(object.body)
  cache.set(key, text)
  return text
}

/** A text among a tenant's own (`putBytes`). */
export async function getKept(
  world: World,
  tenant: string,
  digest: string,
): Promise<string | undefined> {
  const bytes = await getBytes(world, tenant, digest)
  return bytes && decode(bytes)
}

/** The text itself when it has at most so many bytes, else a reference to the blob that now holds it. */
export async function spill(
  world: World,
  home: Home,
  text: string,
  most: number = world.settings.spillBytes,
): Promise<Body> {
  if (text.length * 3 <= most) return text
  const bytes = byteLength(text)
  if (bytes <= most) return text
  const digest = await putBlob(world, home, text)
  return { digest, bytes, preview: cut(text, Math.min(PREVIEW_BYTES, Math.floor(most / 8))) }
}

/**
 * A subagent's first message. A large context is one blob however many tasks come with it; the
 * task stands beside its digest (protocol rule 20).
 */
export async function spillMessage(
  world: World,
  home: Home,
  task: string,
  context: string | undefined,
): Promise<Body> {
  const message = firstMessage(task, context)
  const { spillBytes } = world.settings
  const bytes = byteLength(message)
  const head = message.slice(0, message.length - task.length)
  if (byteLength(head) <= spillBytes || bytes - byteLength(head) > spillBytes) {
    return spill(world, home, message)
  }
  const digest = await putBlob(world, home, head)
  return { digest, bytes, preview: cut(message, PREVIEW_BYTES), tail: task }
}

/** The full text of a body; what is lost says so instead of pretending to be empty. */
export async function load(world: World, home: Home, body: Body): Promise<string> {
  if (!isRef(body)) return body
  const text = await getBlob(world, home, body.digest)
  if (text !== undefined) {
    if (body.max === undefined || body.bytes <= body.max) return text + (body.tail ?? '')
    const excerpt = `${cut(text, body.max)}\n[… ${body.bytes} bytes in all]`
    return body.tail === undefined ? excerpt : `${excerpt}${body.tail}`
  }
  return `${body.preview}\n[the rest of ${body.bytes} bytes is no longer stored]`
}

/** A text made of several bodies, each in full. */
export async function loadText(
  world: World,
  home: Home,
  { text, more = [] }: { readonly text: Body; readonly more?: readonly Body[] },
): Promise<string> {
  const texts = await Promise.all([text, ...more].map((body) => load(world, home, body)))
  return texts.join('')
}

/** So many are deleted at once. */
const AT_ONCE = 16

/** Deletes everything in a home. Idempotent. */
export async function deleteBodies(world: World, home: Home): Promise<void> {
  let cursor: string | undefined
  do {
    const page = await world.objects.list(home, cursor)
    await deleteObjects(
      world,
      page.objects.map(({ key }) => key),
    )
    cursor = page.cursor
  } while (cursor !== undefined)
}

/** Deletes objects that have no owner: bodies, pins, bodies of rows. */
export async function deleteObjects({ objects }: World, keys: readonly string[]): Promise<void> {
  for (let at = 0; at < keys.length; at += AT_ONCE) {
    const some = keys.slice(at, at + AT_ONCE)
    for (const key of some) cacheOf(objects).delete(key)
    await Promise.all(some.map((key) => objects.delete(key, 'any')))
  }
}
