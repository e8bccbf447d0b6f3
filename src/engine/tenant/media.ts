/**
 * Images, audio, and files of messages, stored by digest next to the bodies that reference them and
 * deleted with the bodies. Media are immutable.
 */

import { LRUCache } from 'lru-cache'
import type { Media, MediaRef } from '../../core/media.ts'
import { type Body, bodiesOf, isRef, type Message } from '../../core/message.ts'
import { byteLength, cut } from '../../lib/bytes.ts'
import type { World } from '../../ports/world.ts'
import type { Home } from '../partition/home.ts'
import { processMemory } from '../partition/process.ts'
import { getBlob, putBlob, putData, spill } from './blobs.ts'

/** Text of a message with the media that it references. */
export interface TextWithMedia {
  readonly text: string
  readonly media: readonly Media[]
}

const CACHE_BYTES = 16 * 1024 * 1024
const PREVIEW_BYTES = 512

/** Media cache; each step of a run sends the same images to the model. */
const cacheOf = processMemory(
  'media',
  () =>
    new LRUCache<string, Uint8Array>({
      maxSize: CACHE_BYTES,
      sizeCalculation: (data) => data.length + 100,
    }),
)

/** Stores a message text as a body; with media, the body is always a reference that names them. */
export async function spillSaid(world: World, home: Home, content: TextWithMedia): Promise<Body> {
  const { text, media } = content
  if (media.length === 0) return spill(world, home, text)
  const [digest, ...refs] = await Promise.all([
    putBlob(world, home, text),
    ...media.map((item) => putMedia(world, home, item)),
  ])
  const bytes = byteLength(text)
  return { digest, bytes, preview: cut(text, PREVIEW_BYTES), media: refs }
}

async function putMedia(world: World, home: Home, { data, ...media }: Media): Promise<MediaRef> {
  const digest = await putData(world, home, data)
  cacheOf(world.objects).set(home + digest, data)
  return { ...media, digest, bytes: data.length }
}

/** Returns the bytes of a media object; undefined if they are no longer stored. */
export async function getMedia(
  world: World,
  home: Home,
  { digest }: Pick<MediaRef, 'digest'>,
): Promise<Uint8Array | undefined> {
  const cached = cacheOf(world.objects).get(home + digest)
  if (cached) return cached
  const object = await world.objects.get(home + digest)
  if (!object) return undefined
  cacheOf(world.objects).set(home + digest, object.body)
  return object.body
}

/** Number of texts copied concurrently. */
const AT_ONCE = 16

/**
 * Copies all bodies and media of these messages to another prefix, where they outlive the source
 * prefix. Returns false if an object is missing.
 */
export async function carry(
  world: World,
  from: Home,
  to: Home,
  messages: readonly Message[],
): Promise<boolean> {
  const refs = messages.flatMap(bodiesOf).filter(isRef)
  const digests = [...new Set(refs.map(({ digest }) => digest))]
  let isWhole = await carryMedia(
    { world, from, to },
    refs.flatMap(({ media = [] }) => media),
  )
  for (let at = 0; at < digests.length; at += AT_ONCE) {
    const copies = digests.slice(at, at + AT_ONCE).map(async (digest) => {
      const text = await getBlob(world, from, digest)
      if (text === undefined) isWhole = false
      else await putBlob(world, to, text)
    })
    await Promise.all(copies)
  }
  return isWhole
}

/** Copies the media one after another; returns false if any are missing. */
async function carryMedia(
  { world, from, to }: { readonly world: World; readonly from: Home; readonly to: Home },
  refs: readonly MediaRef[],
): Promise<boolean> {
  let isWhole = true
  for (const ref of refs) {
    const data = await getMedia(world, from, ref)
    if (data) await putData(world, to, data)
    else isWhole = false
  }
  return isWhole
}
