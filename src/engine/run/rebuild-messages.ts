/**
 * Rebuilds the input of a run request from the messages in the run's spec. Files are included in
 * Base64, because the log contains their bytes but not the key or URL that the caller sent.
 */

import { LIMITS } from '../../core/limits.ts'
import type { MediaRef } from '../../core/media.ts'
import { modalityOf } from '../../core/media.ts'
import { isRef } from '../../core/message.ts'
import {
  isTextFile,
  type MessagePart,
  partsOf,
  type TextFile,
  textOfPart,
} from '../../core/message-parts.ts'
import { splitFirstMessage } from '../../core/prompt.ts'
import type { RunSpec } from '../../core/run/log/spec.ts'
import { encode } from '../../lib/bytes.ts'
import type { World } from '../../ports/world.ts'
import type { Home } from '../partition/home.ts'
import { getBlob, load } from '../tenant/blobs.ts'
import { getMedia } from '../tenant/media.ts'
import type { Content, InputPart, RunRequest } from './request.ts'

/** Member of a request that the rebuilt request does not contain. */
export interface Omission {
  /** JSON pointer of the member in the request. */
  readonly pointer: string
  readonly reason: 'secret' | 'inherited' | 'unsupported' | 'too_large' | 'not_stored'
  /** Digest of a text or file that is missing from the message. */
  readonly digest?: string
}

type Message = RunSpec['input'][number]

interface RebuiltInput extends Pick<RunRequest, 'input' | 'context'> {
  readonly omitted: readonly Omission[]
}

/** A message with its text, separated into parts. */
interface ReadMessage {
  readonly role: Message['role']
  readonly context?: string
  readonly parts: readonly MessagePart[]
  readonly pointer: string
}

/** Rebuilds the input; `bytes` is the room for it in the body of a request. */
export async function rebuildMessages(
  world: World,
  home: Home,
  input: readonly Message[],
  bytes: number,
): Promise<RebuiltInput> {
  const omitted: Omission[] = []
  const isOne = input.length === 1
  const messages: ReadMessage[] = []
  for (const [index, message] of input.entries()) {
    const pointer = isOne ? '/input' : `/input/${index}/content`
    const read = await readMessage(world, home, message, { pointer, isOne })
    omitted.push(...read.omitted)
    messages.push(read)
  }
  const room = roomFor(messages, bytes)
  const contents: { role: Message['role']; content: Content }[] = []
  for (const { role, parts, pointer } of messages) {
    const rebuilt = await contentOf(world, home, { parts, pointer }, room)
    omitted.push(...rebuilt.omitted)
    contents.push({ role, content: rebuilt.content })
  }
  const [only] = contents
  const context = messages[0]?.context
  return {
    input: isOne && only ? only.content : contents,
    ...(context === undefined ? {} : { context }),
    omitted,
  }
}

/** Reads the text of a message and separates it into a context and parts. */
async function readMessage(
  world: World,
  home: Home,
  { role, text: body }: Message,
  { pointer, isOne }: { readonly pointer: string; readonly isOne: boolean },
): Promise<ReadMessage & Pick<RebuiltInput, 'omitted'>> {
  const text = await load(world, home, body)
  const { task, ...context } = isOne ? splitFirstMessage(text) : { task: text }
  const message = { role, ...context, pointer }
  if (!isRef(body)) return { ...message, parts: partsOf(task) ?? [task], omitted: [] }
  const { digest, media = [] } = body
  const isStored = (await getBlob(world, home, digest)) !== undefined
  const parts = isStored ? partsOf(task, media) : undefined
  if (parts) return { ...message, parts, omitted: [] }
  // Without all marks in its text, the message remains a text.
  const files = media.map((file) => omission(pointer, 'unsupported', file.digest))
  const textOmission = isStored ? [] : [omission(pointer, 'not_stored', digest)]
  return { ...message, parts: [task], omitted: [...textOmission, ...files] }
}

const omission = (pointer: string, reason: Omission['reason'], digest: string): Omission => ({
  pointer,
  reason,
  digest,
})

const textBytes = (messages: readonly ReadMessage[]): number =>
  Buffer.byteLength(
    JSON.stringify(
      messages.map(({ context, parts }) => [
        context,
        parts.filter((part) => typeof part === 'string'),
      ]),
    ),
  )

interface Room {
  parts: number
  bytes: number
  /** Part of the room for text; only files in Base64 may exceed it. */
  text: number
  /** Bytes for each image and other media in their order; 0 for one that does not fit. */
  readonly reserved: number[]
}
/** Bytes of a part's members other than its data. */
const PART_BYTES = 512

const sizeOf = ({ bytes }: TextFile | MediaRef): number => PART_BYTES + 4 * Math.ceil(bytes / 3)

/** Returns the room, with reserved parts because a text file that does not fit remains text. */
function roomFor(messages: readonly ReadMessage[], limit: number): Room {
  const bytes = limit - textBytes(messages)
  const text = bytes - (LIMITS.media_body_bytes - LIMITS.json_body_bytes)
  const room: Room = { parts: LIMITS.media_parts, bytes, text, reserved: [] }
  for (const part of messages.flatMap(({ parts }) => parts)) {
    if (typeof part === 'string' || isTextFile(part)) continue
    room.reserved.push(isWithin(room, sizeOf(part)) ? sizeOf(part) : 0)
  }
  return room
}

/** Reports whether a file of a size fits into the room that is not reserved. */
function isWithin({ parts, bytes, reserved }: Room, size: number): boolean {
  const reservations = reserved.filter((each) => each > 0)
  return (
    parts > reservations.length && size <= bytes - reservations.reduce((sum, each) => sum + each, 0)
  )
}

/** Reports whether a file fits into the room; the room that was reserved for it becomes free. */
function hasRoom(room: Room, part: TextFile | MediaRef): boolean {
  if (!isTextFile(part)) room.reserved.shift()
  return isWithin(room, sizeOf(part))
}

/** Counts a text file that remains text, and reports whether the text still fits. */
function isTextWithin(room: Room, text: string): boolean {
  const bytes = Buffer.byteLength(JSON.stringify(text))
  room.bytes -= bytes
  room.text -= bytes
  return room.bytes >= 0 && room.text >= 0
}

/** Rebuilds one message. A file that does not fit remains in the text as a mark or a block. */
async function contentOf(
  world: World,
  home: Home,
  { parts, pointer }: Pick<ReadMessage, 'parts' | 'pointer'>,
  room: Room,
): Promise<{ readonly content: Content; readonly omitted: readonly Omission[] }> {
  const omitted: Omission[] = []
  const content: InputPart[] = []
  const addText = (text: string): void => {
    const last = content.at(-1)
    if (last?.type === 'text')
      content[content.length - 1] = { ...last, text: `${last.text}\n${text}` }
    else content.push({ type: 'text', text })
  }
  for (const part of parts) {
    if (typeof part === 'string') {
      addText(part)
      continue
    }
    const fits = hasRoom(room, part)
    const data = fits ? await bytesOf(world, home, part) : undefined
    if (data === undefined) {
      const text = textOfPart(part)
      addText(text)
      if (!isTextFile(part)) {
        omitted.push(omission(pointer, fits ? 'not_stored' : 'too_large', part.digest))
      } else if (!isTextWithin(room, text)) omitted.push({ pointer, reason: 'too_large' })
      continue
    }
    room.parts -= 1
    room.bytes -= sizeOf(part)
    room.text -= PART_BYTES
    content.push(filePart(part, data))
  }
  const [only] = content
  const isText = content.length === 1 && only?.type === 'text'
  return { content: isText ? only.text : content, omitted }
}

const bytesOf = async (world: World, home: Home, part: TextFile | MediaRef) =>
  isTextFile(part) ? encode(part.text) : getMedia(world, home, part)

const filePart = (part: TextFile | MediaRef, data: Uint8Array): InputPart => ({
  type: !isTextFile(part) && modalityOf(part.media_type) === 'image' ? 'image' : 'file',
  data: Buffer.from(data).toString('base64'),
  ...(part.name === undefined ? {} : { name: part.name }),
})
