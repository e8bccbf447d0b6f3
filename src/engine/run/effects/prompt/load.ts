/** Messages as a model is shown them: every body in full, never a reference. */

import { type Media, type MediaRef, mediaMark } from '../../../../core/media.ts'
import {
  type AssistantPart,
  type Body,
  bodiesOf,
  isRef,
  type Message,
} from '../../../../core/message.ts'
import type { World } from '../../../../ports/world.ts'
import type { Home } from '../../../partition/home.ts'
import { load, loadText } from '../../../tenant/blobs.ts'
import { getMedia } from '../../../tenant/media.ts'

interface Homed {
  readonly world: World
  readonly home: Home
}

/** Bytes of pictures and the like that one request may still hold. */
export interface MediaRoom {
  left: number
}

/**
 * Every body in full. `room`: what messages show besides their texts is loaded too while it has
 * room, the newest first; what has none is named as no longer shown. Absent: texts alone.
 */
export async function loadAll(
  homed: Homed,
  list: readonly Message[],
  room?: MediaRoom,
): Promise<Message[]> {
  const shown = room && chosen(list, room)
  return Promise.all(list.map((message) => loaded(homed, message, shown)))
}

/** The references that have room. */
function chosen(list: readonly Message[], room: MediaRoom): ReadonlySet<MediaRef> {
  const found = new Set<MediaRef>()
  for (const ref of list.flatMap(bodiesOf).flatMap(mediaIn).reverse()) {
    if (ref.bytes > room.left) continue
    room.left -= ref.bytes
    found.add(ref)
  }
  return found
}

const mediaIn = (body: Body): readonly MediaRef[] => (isRef(body) ? (body.media ?? []) : [])

type Shown = ReadonlySet<MediaRef> | undefined

async function loaded(homed: Homed, message: Message, shown: Shown): Promise<Message> {
  const full = (body: Body) => load(homed.world, homed.home, body)
  switch (message.role) {
    case 'user':
      return { role: 'user', ...(await withMedia(homed, message, shown)) }
    case 'assistant': {
      const parts = message.parts.map(
        async (part): Promise<AssistantPart> =>
          part.type === 'call'
            ? { ...part, arguments: await full(part.arguments) }
            : { ...part, text: await full(part.text) },
      )
      return { role: 'assistant', parts: await Promise.all(parts) }
    }
    case 'tool': {
      const results = message.results.map(async ({ text, more, media, ...result }) => ({
        ...result,
        ...(await withMedia(
          homed,
          { text, ...(more && { more }), ...(media && { media }) },
          shown,
        )),
      }))
      return { role: 'tool', results: await Promise.all(results) }
    }
  }
}

interface Texts {
  readonly text: Body
  readonly more?: readonly Body[]
  /** Media that are loaded already. */
  readonly media?: readonly Media[]
}

async function withMedia({ world, home }: Homed, given: Texts, shown: Shown) {
  const text = await loadText(world, home, given)
  const refs = [given.text, ...(given.more ?? [])].flatMap(mediaIn)
  if (refs.length === 0 || shown === undefined) {
    return { text, ...(given.media ? { media: given.media } : {}) }
  }
  const media: Media[] = []
  const lost: string[] = []
  for (const ref of refs) {
    const { digest: _, bytes: __, ...about } = ref
    const data = shown.has(ref) ? await getMedia(world, home, ref) : undefined
    if (data) media.push({ ...about, data })
    else lost.push(`\n[${mediaMark(ref)} ${shown.has(ref) ? GONE : NO_ROOM}]`)
  }
  return { text: text + lost.join(''), media }
}

const NO_ROOM = 'is no longer included: newer ones take its place'
const GONE = 'is no longer stored'
