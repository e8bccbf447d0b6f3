/** Loads messages as the model sees them, with every body in full and without references. */

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

interface HomeRef {
  readonly world: World
  readonly home: Home
}

/** Remaining media budget of one model request, in bytes. */
export interface MediaRoom {
  left: number
}

/**
 * Loads all bodies of messages in full. Media are loaded newest first within the budget `room`; the
 * other media are marked as omitted. Without `room`, only texts are loaded.
 */
export async function loadAll(
  homeRef: HomeRef,
  list: readonly Message[],
  room?: MediaRoom,
): Promise<Message[]> {
  const visibleMedia = room && selectMedia(list, room)
  return Promise.all(list.map((message) => loaded(homeRef, message, visibleMedia)))
}

/** Selects the media references that fit into the byte budget. */
function selectMedia(list: readonly Message[], room: MediaRoom): ReadonlySet<MediaRef> {
  const selected = new Set<MediaRef>()
  for (const ref of list.flatMap(bodiesOf).flatMap(mediaIn).reverse()) {
    if (ref.bytes > room.left) continue
    room.left -= ref.bytes
    selected.add(ref)
  }
  return selected
}

const mediaIn = (body: Body): readonly MediaRef[] => (isRef(body) ? (body.media ?? []) : [])

type VisibleMedia = ReadonlySet<MediaRef> | undefined

async function loaded(
  homeRef: HomeRef,
  message: Message,
  visibleMedia: VisibleMedia,
): Promise<Message> {
  const full = (body: Body) => load(homeRef.world, homeRef.home, body)
  switch (message.role) {
    case 'user':
      return { role: 'user', ...(await withMedia(homeRef, message, visibleMedia)) }
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
          homeRef,
          { text, ...(more && { more }), ...(media && { media }) },
          visibleMedia,
        )),
      }))
      return { role: 'tool', results: await Promise.all(results) }
    }
  }
}

interface Texts {
  readonly text: Body
  readonly more?: readonly Body[]
  /** Media of the message that are already loaded. */
  readonly media?: readonly Media[]
}

async function withMedia({ world, home }: HomeRef, texts: Texts, visibleMedia: VisibleMedia) {
  const text = await loadText(world, home, texts)
  const refs = [texts.text, ...(texts.more ?? [])].flatMap(mediaIn)
  if (refs.length === 0 || visibleMedia === undefined) {
    return { text, ...(texts.media ? { media: texts.media } : {}) }
  }
  const media: Media[] = []
  const placeholders: string[] = []
  for (const ref of refs) {
    const { digest: _, bytes: __, ...about } = ref
    const data = visibleMedia.has(ref) ? await getMedia(world, home, ref) : undefined
    if (data) media.push({ ...about, data })
    else placeholders.push(`\n[${mediaMark(ref)} ${visibleMedia.has(ref) ? NOT_STORED : NO_ROOM}]`)
  }
  return { text: text + placeholders.join(''), media }
}

const NO_ROOM = 'is no longer included; newer ones replace it'
const NOT_STORED = 'is no longer stored'
