/** Large bodies by digest: written once, never changed, checked when read. */

import { LRUCache } from 'lru-cache'
import type { Body } from '../../core/message.ts'
import { isRef } from '../../core/message.ts'
import { firstMessage } from '../../core/prompt.ts'
import { byteLength, cut, decode, encode } from '../../lib/bytes.ts'
import { sha256 } from '../../lib/digest.ts'
import type { World } from '../../ports/world.ts'
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

/** Stores a text and returns its digest. Doing it twice is doing it once. */
export async function putBlob(world: World, tenant: string, text: string): Promise<string> {
  const digest = sha256(text)
  const key = blobObject(tenant, digest)
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

/** Keeps bytes, which need be no text, by their digest; the same store, without the cache. */
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

/**
 * The same for a text that others have most probably stored before, like the configuration that all
 * runs of an agent share: a read costs a tenth of a write, and R2 takes one write a second for each
 * key.
 */
export async function keepBlob(world: World, tenant: string, text: string): Promise<string> {
  const digest = sha256(text)
  return (await getBlob(world, tenant, digest)) === undefined
    ? putBlob(world, tenant, text)
    : digest
}

/** The text of a digest, or undefined when there is none. */
export async function getBlob(
  world: World,
  tenant: string,
  digest: string,
): Promise<string | undefined> {
  const key = blobObject(tenant, digest)
  const cache = cacheOf(world.objects)
  const cached = cache.get(key)
  if (cached !== undefined) return cached
  const object = await world.objects.get(key)
  if (!object) return undefined
  const text = decode(object.body)
  cache.set(key, text)
  return text
}

/** The text itself when it has at most so many bytes, else a reference to the blob that now holds it. */
export async function spill(
  world: World,
  tenant: string,
  text: string,
  most: number = world.settings.spillBytes,
): Promise<Body> {
  if (text.length * 3 <= most) return text
  const bytes = byteLength(text)
  if (bytes <= most) return text
  const digest = await putBlob(world, tenant, text)
  return { digest, bytes, preview: cut(text, Math.min(PREVIEW_BYTES, most / 8)) }
}

/**
 * A subagent's first message. A large context is one blob however many tasks come with it; the
 * task stands beside its digest (protocol rule 20).
 */
export async function spillMessage(
  world: World,
  tenant: string,
  task: string,
  context: string | undefined,
): Promise<Body> {
  const whole = firstMessage(task, context)
  const { spillBytes } = world.settings
  const bytes = byteLength(whole)
  const head = whole.slice(0, whole.length - task.length)
  if (byteLength(head) <= spillBytes || bytes - byteLength(head) > spillBytes) {
    return spill(world, tenant, whole)
  }
  const digest = await putBlob(world, tenant, head)
  return { digest, bytes, preview: cut(whole, PREVIEW_BYTES), tail: task }
}

/** The full text of a body; what is lost says so instead of pretending to be empty. */
export async function load(world: World, tenant: string, body: Body): Promise<string> {
  if (!isRef(body)) return body
  const text = await getBlob(world, tenant, body.digest)
  if (text !== undefined) {
    if (body.max === undefined || body.bytes <= body.max) return text + (body.tail ?? '')
    const shown = `${cut(text, body.max)}\n[… ${body.bytes} bytes in all]`
    return body.tail === undefined ? shown : `${shown}${body.tail}`
  }
  return `${body.preview}\n[the rest of ${body.bytes} bytes is no longer stored]`
}

/** A text made of several bodies, each in full. */
export async function loadText(
  world: World,
  tenant: string,
  { text, more = [] }: { readonly text: Body; readonly more?: readonly Body[] },
): Promise<string> {
  const texts = await Promise.all([text, ...more].map((body) => load(world, tenant, body)))
  return texts.join('')
}
