/**
 * Messages in parts: strings, and images or files as Base64, file key, or URL. All content is read
 * before anything is stored. Unreadable parts are therefore rejected, and a run never depends on a
 * third-party server later.
 */

import { LIMITS } from '../../core/limits.ts'
import { type Media, markOf, mediaTypeOf, modalityOf } from '../../core/media.ts'
import { textFileBlock } from '../../core/message-parts.ts'
import type { Policy } from '../../core/policy.ts'
import { type Refusal, refusal } from '../../core/problem.ts'
import { firstMessage } from '../../core/prompt.ts'
import { decodeStrict } from '../../lib/bytes.ts'
import { fail, type Outcome, ok } from '../../lib/outcome.ts'
import type { World } from '../../ports/world.ts'
import { listFiles, readFile } from '../layers/files.ts'
import type { TextWithMedia } from '../tenant/media.ts'
import { readPolicy } from '../tenant/policy.ts'
import { addressOf, follow, refusedAt } from '../tools/follow.ts'
import { locate } from '../tools/paths.ts'
import type { Content, InputMessage, MediaPart, RunInput, RunRequest } from './request.ts'

/** Returns the text of a content that is known before any file is read. */
export const textsIn = (content: Content): string =>
  typeof content === 'string'
    ? content
    : content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n')

/** Returns the messages of a run input. Parts form one message. */
export const messagesIn = (input: RunInput): readonly InputMessage[] =>
  isContent(input) ? [{ role: 'user', content: input }] : input

/** Returns whether a run input is a single user message. */
export const isContent = (input: RunInput): input is Content =>
  typeof input === 'string' || input.every((item) => 'type' in item)

export interface SaidMessage {
  readonly role: 'user' | 'assistant'
  readonly said: TextWithMedia
}

/** Reads the complete input of a run. A context precedes a single message. */
export async function readInput(
  world: World,
  tenant: string,
  { input, context }: Pick<RunRequest, 'input' | 'context'>,
): Promise<Outcome<readonly SaidMessage[], Refusal>> {
  const room = messageRoom()
  const read: SaidMessage[] = []
  const isOne = isContent(input)
  for (const [index, { role, content }] of messagesIn(input).entries()) {
    const pointer = isOne ? '/input' : `/input/${index}/content`
    const loaded = await readContent(world, tenant, content, { pointer, room })
    if (!loaded.ok) return loaded
    const text = isOne ? firstMessage(loaded.value.text, context) : loaded.value.text
    read.push({ role, said: { ...loaded.value, text } })
  }
  return ok(read)
}

/** Size budget shared by all contents of one request. */
export interface ContentRoom {
  parts: number
  bytes: number
  /** Deadline for reading URLs, on the monotonic clock. Set when the first URL is read. */
  until?: number
}
const messageRoom = (): ContentRoom => ({
  parts: LIMITS.media_parts,
  bytes: LIMITS.media_request_bytes,
})

/** Reads the parts of a content; `pointer` locates the content in the request. */
export async function readContent(
  world: World,
  tenant: string,
  content: Content,
  { pointer, room = messageRoom() }: { readonly pointer: string; readonly room?: ContentRoom },
): Promise<Outcome<TextWithMedia, Refusal>> {
  if (typeof content === 'string') return ok({ text: content, media: [] })
  const texts: string[] = []
  const media: Media[] = []
  let policy: Policy | undefined
  for (const [index, part] of content.entries()) {
    if (part.type === 'text') {
      texts.push(part.text)
      continue
    }
    policy ??= (await readPolicy(world, tenant)).policy
    const read = await readPart({ world, tenant, policy }, part, room)
    if (!read.ok && part.outside !== undefined) {
      texts.push(`[The file at ${part.outside} is not included: ${read.error.message}]`)
      continue
    }
    if (!read.ok) return fail(refusedPart(`${pointer}/${index}`, read.error))
    if (typeof read.value === 'string') texts.push(read.value)
    else {
      media.push(read.value)
      texts.push(markOf(read.value))
    }
  }
  return ok({ text: texts.join('\n'), media })
}

interface Reading {
  readonly world: World
  readonly tenant: string
  readonly policy: Policy
}
interface Fault {
  readonly member: string
  readonly message: string
}
const fault = (member: string, message: string) => fail({ member, message })

function refusedPart(pointer: string, { member, message }: Fault): Refusal {
  const errors = [{ pointer: `${pointer}${member}`, message }]
  return refusal('invalid_request', `${pointer}${member}: ${message}.`, { errors })
}

/** Reads one message part. A text file is appended to the text. */
async function readPart(
  reading: Reading,
  part: MediaPart,
  room: ContentRoom,
): Promise<Outcome<Media | string, Fault>> {
  room.parts -= 1
  if (room.parts < 0) return fault('', 'too many images and files')
  const most = Math.min(LIMITS.media_bytes, room.bytes)
  const loaded = await bytesOf(reading, part, most, room)
  if (!loaded.ok) return loaded
  const { data, name } = loaded.value
  room.bytes -= data.length
  if (data.length === 0) return fault('', 'it is empty')
  const media_type = mediaTypeOf(data)
  const nameField = name === undefined || name === '' ? {} : { name: name.slice(-NAME_LENGTH) }
  if (media_type !== undefined) {
    if (part.type === 'image' && modalityOf(media_type) !== 'image') return fault('', NO_IMAGE)
    return ok({ media_type, ...nameField, data })
  }
  if (part.type === 'image') return fault('', NO_IMAGE)
  if (part.outside !== undefined) return fault('', 'the template must insert text')
  const text = decodeStrict(data)
  if (text === undefined || text.includes('\u0000')) return fault('', NO_FILE)
  return ok(textFileBlock({ name, text, bytes: data.length }))
}

const NAME_LENGTH = 200
const NO_TIME = `fetching the URLs of one request is limited to ${LIMITS.media_fetch_seconds} s in total`
const NO_IMAGE = 'unsupported image type; use PNG, JPEG, GIF, or WebP'
const NO_FILE = 'unsupported type; use text, PDF, PNG, JPEG, GIF, WebP, WAV, or MP3'

interface LoadedPart {
  readonly data: Uint8Array
  readonly name?: string | undefined
}

async function bytesOf(reading: Reading, part: MediaPart, most: number, room: ContentRoom) {
  const { data, key, url, name } = part
  const loaded: Outcome<LoadedPart, Fault> =
    data !== undefined
      ? fromBase64(data)
      : key !== undefined
        ? await fromFile(reading, key, most)
        : await fromWeb(reading, url ?? '', most, room)
  if (!loaded.ok) return loaded
  if (loaded.value.data.length > most) return fault('', `larger than ${most} bytes`)
  return ok({ ...loaded.value, ...(name === undefined ? {} : { name }) })
}

const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/

function fromBase64(text: string): Outcome<LoadedPart, Fault> {
  if (text.length % 4 !== 0 || !BASE64.test(text)) return fault('/data', 'not valid base64')
  return ok({ data: new Uint8Array(Buffer.from(text, 'base64')) })
}

const lastOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1)

/** Reads a stored file of any size. Files that no run may read are also rejected here. */
async function fromFile(
  { world, tenant }: Reading,
  key: string,
  most: number,
): Promise<Outcome<LoadedPart, Fault>> {
  const path = locate({ tenant, root: '' }, key, 'read')
  if (!path.ok) return fault('/key', path.error.replace(/\.$/, ''))
  const { files } = await listFiles({ world, tenant }, path.value)
  const size = files.find((info) => info.path === path.value)?.size ?? 0
  if (size > most) return fault('/key', `larger than ${most} bytes`)
  const file = await readFile({ world, tenant }, path.value)
  return file ? ok({ data: file.body, name: lastOf(key) }) : fault('/key', 'file not found')
}

async function fromWeb(
  { world, policy }: Reading,
  address: string,
  maxBytes: number,
  room: ContentRoom,
): Promise<Outcome<LoadedPart, Fault>> {
  const url = addressOf(address)
  const rejection = refusedAt({ world, policy }, url)
  if (rejection !== undefined) return fault('/url', rejection)
  const now = world.clock.monotonic()
  room.until ??= now + LIMITS.media_fetch_seconds * 1_000
  const remainingMs = Math.floor(room.until - now)
  if (remainingMs <= 0) return fault('/url', NO_TIME)
  const signal = AbortSignal.timeout(remainingMs)
  const seconds = remainingMs / 1_000
  const response = await follow({ world, policy, signal, accept: '*/*', seconds, maxBytes }, url)
  if (!response.ok) return fault('/url', `download failed: ${response.error}`)
  const { status, bytes, body, cut } = response.value.answer
  if (status >= 400) return fault('/url', `download failed: the server responded with ${status}`)
  if (cut) return fault('/url', `larger than ${maxBytes} bytes`)
  const name = lastOf(new URL(response.value.url).pathname)
  return ok({ data: bytes ?? new TextEncoder().encode(body), name })
}
