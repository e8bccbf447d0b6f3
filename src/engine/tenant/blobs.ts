/**
 * Large bodies stored by digest under the prefix of their owner (`partition/home.ts`). They are
 * immutable and deleted with that prefix.
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

/** Blob cache per object store, so that worlds in one process never share blobs. */
const cacheOf = processMemory(
  'blobs',
  () =>
    new LRUCache<string, string>({
      maxSize: CACHE_BYTES,
      sizeCalculation: (text) => text.length + 100,
    }),
)

/** Blob writes in progress, by object key. */
const writesOf = processMemory('writes', () => new Map<string, Promise<unknown>>())

/** Stores a named text next to the owner's bodies, deleted with them; the last write wins. */
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

/** Stores a text as a blob, idempotently, and returns its digest. */
export async function putBlob(world: World, home: Home, text: string): Promise<string> {
  const digest = sha256(text)
  const key = home + digest
  const cache = cacheOf(world.objects)
  if (cache.has(key)) return digest
  // Concurrent subagents of one answer may store the same text; one write then serves all of them.
  const under = writesOf(world.objects)
  // `conflict` means that the blob already exists (PROTOCOL.md rule 42).
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

/** Stores binary data that a body references, such as an image. */
export async function putData({ objects }: World, home: Home, data: Uint8Array): Promise<string> {
  const digest = sha256(data)
  await objects.put(home + digest, data, 'absent')
  return digest
}

/**
 * Stores a text that probably exists already, such as an agent's shared configuration. Reads first:
 * a read costs a tenth of a write, and R2 accepts one write per second per key.
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
 * Stores bytes of a tenant's files by digest; the bytes need not be text. Used for file versions
 * and for texts that runs pinned, which belong to no run and are kept.
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

/** Returns the text stored under a digest; undefined if it does not exist. */
export async function getBlob(
  world: World,
  home: Home,
  digest: string,
): Promise<string | undefined> {
  const key = home + digest
  const cache = cacheOf(world.objects)
  const cached = cache.get(key)
  if (cached !== undefined) return cached
  // Older releases stored all bodies of a tenant under one prefix.
  const object =
    (await world.objects.get(key)) ?? (await world.objects.get(blobObject(tenantOf(home), digest)))
  if (!object) return undefined
  const text = decode(object.body)
  cache.set(key, text)
  return text
}

/** Returns a text that `putBytes` stored. */
export async function getKept(
  world: World,
  tenant: string,
  digest: string,
): Promise<string | undefined> {
  const bytes = await getBytes(world, tenant, digest)
  return bytes && decode(bytes)
}

/** Returns a text up to the size limit unchanged, otherwise a reference to a new blob. */
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
 * Stores the first message of a subagent. Tasks with a large common context share one blob, which
 * each task references by digest (PROTOCOL.md rule 20).
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

/** Loads the full text of a body; a lost body yields a note instead of an empty text. */
export async function load(world: World, home: Home, body: Body): Promise<string> {
  if (!isRef(body)) return body
  const text = await getBlob(world, home, body.digest)
  if (text !== undefined) {
    if (body.max === undefined || body.bytes <= body.max) return text + (body.tail ?? '')
    const excerpt = `${cut(text, body.max)}\n[… ${body.bytes} bytes total]`
    return body.tail === undefined ? excerpt : `${excerpt}${body.tail}`
  }
  return `${body.preview}\n[the rest of ${body.bytes} bytes is no longer stored]`
}

/** Loads the full text that consists of several bodies. */
export async function loadText(
  world: World,
  home: Home,
  { text, more = [] }: { readonly text: Body; readonly more?: readonly Body[] },
): Promise<string> {
  const texts = await Promise.all([text, ...more].map((body) => load(world, home, body)))
  return texts.join('')
}

/** Number of objects deleted concurrently. */
const AT_ONCE = 16

/** Deletes all bodies under an owner's prefix, idempotently. */
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

/** Deletes objects outside any owner's prefix: bodies, pins, and row bodies. */
export async function deleteObjects({ objects }: World, keys: readonly string[]): Promise<void> {
  for (let at = 0; at < keys.length; at += AT_ONCE) {
    const some = keys.slice(at, at + AT_ONCE)
    for (const key of some) cacheOf(objects).delete(key)
    await Promise.all(some.map((key) => objects.delete(key, 'any')))
  }
}
