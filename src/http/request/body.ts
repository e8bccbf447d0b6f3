/**
 * Reads request bodies with a size limit. JSON is checked for nesting depth before parsing, and for
 * duplicate members and lone surrogates. zod then reports errors by JSON pointer (RFC 6901).
 */

import type { HonoRequest } from 'hono'
import type * as z from 'zod'
import { LIMITS } from '../../core/limits.ts'
import type { ProblemPlace } from '../../core/problem.ts'
import { decodeStrict } from '../../lib/bytes.ts'
import { sha256 } from '../../lib/digest.ts'
import type { JsonBounds, JsonFault } from '../../lib/json.ts'
import { escapePointer, readJson } from '../../lib/json.ts'
import { RequestRefused, refuse } from './problem.ts'

/** Limits on nesting depth and value count of every JSON body. */
export const JSON_BOUNDS: JsonBounds = { depth: LIMITS.json_depth, values: LIMITS.json_values }
/**
 * Excess size up to which a body that is too large is read and discarded, in bytes; a larger body
 * is cut off.
 */
const DRAINED = 4 * 1_048_576

/** Minimum average chunk size of a body, in bytes; the number of larger chunks is unlimited. */
const CHUNK_BYTES = 16

/** Reads at most `limit` raw bytes of a request body. */
export async function readBytes(request: HonoRequest, limit: number): Promise<Uint8Array> {
  const encoding = request.header('content-encoding')
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') {
    throw refuse('unsupported_media_type', 'Compressed bodies are not supported.')
  }
  const declared = request.header('content-length')
  if (declared !== undefined && Number(declared) > limit) {
    // Reads the body before the rejection, because a client that is still sending would miss the
    // response on a closed connection.
    if (Number(declared) <= DRAINED) await request.arrayBuffer()
    throw tooLarge(limit)
  }
  if (declared !== undefined) return checkLength(new Uint8Array(await request.arrayBuffer()), limit)
  const stream = request.raw.body
  return stream ? readStream(request, stream, limit) : new Uint8Array()
}

const tooLarge = (limit: number) => refuse('too_large', `The body exceeds ${limit} bytes.`)

function checkLength(bytes: Uint8Array, limit: number): Uint8Array {
  if (bytes.length > limit) throw tooLarge(limit)
  return bytes
}

/** The chunks of a body that a client has sent so far, and their size in bytes. */
export interface ArrivedChunks {
  chunks: number
  bytes: number
}
/** Counts of the chunks of bodies whose chunks the platform joins. */
export const arrivedChunks = new WeakMap<Request, Readonly<ArrivedChunks>>()

/** Callbacks for the received bytes of bodies without a `Content-Length`. */
export const onBytesRead = new WeakMap<HonoRequest, (bytes: number) => void>()

async function readStream(
  request: HonoRequest,
  stream: ReadableStream,
  limit: number,
): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let size = 0
  const reader = stream.getReader()
  for (;;) {
    const { done, value } = await reader.read()
    if (done) break
    size += (value as Uint8Array).length
    if (size > limit) {
      await reader.cancel()
      throw tooLarge(limit)
    }
    chunks.push(value as Uint8Array)
    const sent = arrivedChunks.get(request.raw) ?? { chunks: chunks.length, bytes: size }
    if (sent.chunks > LIMITS.body_chunks && sent.bytes < sent.chunks * CHUNK_BYTES) {
      await reader.cancel()
      throw refuse(
        'malformed_request',
        `The body was sent in more than ${LIMITS.body_chunks} chunks that average fewer than ` +
          `${CHUNK_BYTES} bytes.`,
      )
    }
  }
  onBytesRead.get(request)?.(size)
  return Buffer.concat(chunks)
}

const JSON_TYPE = /^application\/json\s*(?:;\s*charset="?utf-8"?\s*)?$/i

/**
 * Returns the body's JSON value and the digest of its bytes; rejects other media types, invalid
 * UTF-8, a BOM, and deep nesting.
 */
export async function jsonBody(
  request: HonoRequest,
  limit: number,
): Promise<{ value: unknown; digest: string; size: number }> {
  if (!JSON_TYPE.test(request.header('content-type') ?? '')) {
    throw refuse(
      'unsupported_media_type',
      'Send the body as UTF-8 JSON with `Content-Type: application/json`.',
    )
  }
  const bytes = await readBytes(request, limit)
  const text = decodeStrict(bytes)
  if (text === undefined) throw refuse('invalid_json', 'The body is not valid UTF-8.')
  return { value: parseJson(text), digest: sha256(bytes), size: bytes.length }
}

/** Reads a JSON body with images and files in base64, which count only toward the limit `most`. */
export async function mediaBody(
  request: HonoRequest,
  limit: number,
  most: number,
  inUrls = false,
): Promise<{ value: unknown; digest: string }> {
  try {
    const read = await jsonBody(request, most)
    if (read.size > limit && read.size - base64In(read.value, inUrls) > limit) throw tooLarge(limit)
    return read
  } catch (error) {
    if (!(error instanceof RequestRefused) || error.refusal.code !== 'too_large') throw error
    throw refuse('too_large', `${error.refusal.detail} ${BY_FILE}`)
  }
}

const BY_FILE = 'Store large text and files with PUT /v1/files/{path}, and reference them by `key`.'

/** Counts the base64 characters in message parts; the nesting depth of the body is limited. */
function base64In(value: unknown, inUrls: boolean): number {
  if (value === null || typeof value !== 'object') return 0
  const { type, data } = value as { readonly type?: unknown; readonly data?: unknown }
  const isMedia = type === 'image' || type === 'file'
  if (isMedia && typeof data === 'string') return data.length
  const members = inUrls ? Object.entries(value).map(urlIn) : []
  return Object.values(value).reduce<number>(
    (sum, member) => sum + base64In(member, inUrls),
    members.reduce((sum, length) => sum + length, 0),
  )
}

/** Names of members in other APIs that contain a data URL or base64. */
const URLS: ReadonlySet<string> = new Set([
  ...['image_url', 'url', 'file_data', 'data', 'raw', 'value'],
])

const urlIn = ([name, value]: readonly [string, unknown]): number =>
  URLS.has(name) && typeof value === 'string' ? value.length : 0

export function parseJson(text: string): unknown {
  if (text.startsWith('\ufeff'))
    throw refuse('invalid_json', 'The body starts with a byte order mark.')
  const read = readJson(text, JSON_BOUNDS)
  if (!read.ok) throw unreadable({ ...read.error, message: withoutExcerpt(read.error.message) })
  const { value } = read
  const pointer = text.includes('\\u') ? malformed(value, '') : undefined
  if (pointer !== undefined) {
    const errors = [{ pointer, message: 'The text contains a lone surrogate.' }]
    throw refuse('invalid_request', 'A string in the body is not valid Unicode.', { errors })
  }
  return value
}

/** Returns a message of the JSON parser without its excerpt of the text, which may be a secret. */
export const withoutExcerpt = (message: string): string =>
  message.replace(/^(Unexpected token '.{1,2}'), .*/su, '$1 in JSON')

function unreadable({ message, pointer }: JsonFault) {
  const errors = pointer === undefined ? {} : { errors: [{ pointer, message }] }
  return refuse('invalid_json', message, errors)
}

/**
 * Returns the JSON pointer of the first string that UTF-8 cannot encode; undefined if all strings
 * are valid.
 */
function malformed(value: unknown, pointer: string): string | undefined {
  if (typeof value === 'string') return value.isWellFormed() ? undefined : pointer
  if (value === null || typeof value !== 'object') return undefined
  for (const [key, member] of Object.entries(value)) {
    const place = key.isWellFormed()
      ? malformed(member, `${pointer}/${escapePointer(key)}`)
      : pointer
    if (place !== undefined) return place
  }
  return undefined
}

type Issue = z.core.$ZodIssue

/** Parses a value with the schema; throws a problem that lists every error. */
export function parseWith<S extends z.ZodType>(
  schema: S,
  value: unknown,
  code: 'invalid_request' | 'invalid_query' = 'invalid_request',
  narrow: (issue: Issue) => readonly Issue[] = (issue) => [issue],
): z.output<S> {
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  const errors = parsed.error.issues.flatMap(narrow).flatMap(places).slice(0, 50)
  const first = errors[0]
  const where = first?.pointer ? ` (${first.pointer})` : ''
  throw refuse(code, `${first?.message ?? 'Invalid request.'}${where}`, {
    errors,
  })
}

function places(issue: Issue): ProblemPlace[] {
  const pointer = issue.path.map((key) => `/${escapePointer(String(key))}`).join('')
  if (issue.code !== 'unrecognized_keys') return [{ pointer, message: issue.message }]
  return issue.keys.map((key) => ({
    pointer: `${pointer}/${escapePointer(key)}`,
    message: 'Unknown key.',
  }))
}
