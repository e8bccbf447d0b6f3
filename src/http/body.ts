/**
 * Request bodies: bytes are counted while they are read, JSON is bounded before it is parsed and
 * searched for members that come twice and for lone surrogates, then zod says what is wrong by
 * JSON pointer (RFC 6901).
 */

import type { HonoRequest } from 'hono'
import type * as z from 'zod'
import { LIMITS } from '../core/limits.ts'
import type { ProblemPlace } from '../core/problem.ts'
import { after } from '../lib/after.ts'
import { decodeStrict } from '../lib/bytes.ts'
import type { JsonBounds, JsonFault, Misfit } from '../lib/json.ts'
import { escapePointer, misfitIn, readJson } from '../lib/json.ts'
import type { Clock } from '../ports/world.ts'
import { refuse } from './problem.ts'

/** Of every body in JSON. */
export const JSON_BOUNDS: JsonBounds = { depth: LIMITS.json_depth, values: LIMITS.json_values }
/** A body so much too large is still taken in and thrown away; a larger one is cut off. */
const DRAINED = 4 * 1_048_576

/** On average; larger chunks may be as many as they like. */
const CHUNK_BYTES = 16

/** The raw bytes, at most `limit` of them, and within the time that a body has. */
export async function readBytes(
  request: HonoRequest,
  limit: number,
  clock: Clock,
): Promise<Uint8Array> {
  const encoding = request.header('content-encoding')
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') {
    throw refuse('unsupported_media_type', 'Bodies are taken as they are, never compressed.')
  }
  const said = request.header('content-length')
  if (said !== undefined && Number(said) > limit) {
    // A client that is still sending would never see an answer on a connection that is cut.
    if (Number(said) <= DRAINED) await inTime(request.arrayBuffer(), clock)
    throw tooLarge(limit)
  }
  if (said !== undefined) {
    return counted(new Uint8Array(await inTime(request.arrayBuffer(), clock)), limit)
  }
  const stream = request.raw.body
  return stream ? inTime(readStream(stream, limit), clock) : new Uint8Array()
}

/** A client that sends a byte now and then holds a request no longer than this. */
function inTime<T>(reading: Promise<T>, clock: Clock): Promise<T> {
  return new Promise((resolve, reject) => {
    const cancel = after(clock, LIMITS.body_seconds * 1_000, () => {
      reject(refuse('request_timeout', `The body has not come within ${LIMITS.body_seconds} s.`))
    })
    // Whatever comes of it after that, nobody waits for.
    reading.then(
      (read) => {
        cancel()
        resolve(read)
      },
      (error: unknown) => {
        cancel()
        reject(error)
      },
    )
  })
}

const tooLarge = (limit: number) => refuse('too_large', `The body has more than ${limit} bytes.`)

function counted(bytes: Uint8Array, limit: number): Uint8Array {
  if (bytes.length > limit) throw tooLarge(limit)
  return bytes
}

async function readStream(stream: ReadableStream, limit: number): Promise<Uint8Array> {
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
    if (chunks.length > LIMITS.body_chunks && size < chunks.length * CHUNK_BYTES) {
      await reader.cancel()
      throw refuse(
        'malformed_request',
        `The body comes in more than ${LIMITS.body_chunks} chunks of fewer than ${CHUNK_BYTES} bytes.`,
      )
    }
  }
  return Buffer.concat(chunks)
}

const JSON_TYPE = /^application\/json\s*(?:;\s*charset="?utf-8"?\s*)?$/i

/** The JSON value of the body and its bytes; refuses other types, bad UTF-8, a BOM and deep nesting. */
export async function jsonBody(
  request: HonoRequest,
  limit: number,
  clock: Clock,
): Promise<{ value: unknown; bytes: Uint8Array }> {
  if (!JSON_TYPE.test(request.header('content-type') ?? '')) {
    throw refuse('unsupported_media_type', 'Send `Content-Type: application/json` in UTF-8.')
  }
  const bytes = await readBytes(request, limit, clock)
  const text = decodeStrict(bytes)
  if (text === undefined) throw refuse('invalid_json', 'The body is not UTF-8.')
  return { value: parseJson(text), bytes }
}

/** The same with pictures and files in base64, which count for `most` alone. */
export async function mediaBody(
  request: HonoRequest,
  limit: number,
  most: number,
  clock: Clock,
  inUrls = false,
): Promise<{ value: unknown; bytes: Uint8Array }> {
  const read = await jsonBody(request, most, clock)
  const { length } = read.bytes
  if (length > limit && length - base64In(read.value, inUrls) > limit) throw tooLarge(limit)
  return read
}

/** Characters of base64 in the parts of messages; the body is bounded in depth. */
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

/** Members that may hold a data URL, or its base64, in the words of others. */
const URLS: ReadonlySet<string> = new Set([
  ...['image_url', 'url', 'file_data', 'data', 'raw', 'value'],
])

const urlIn = ([name, value]: readonly [string, unknown]): number =>
  URLS.has(name) && typeof value === 'string' ? value.length : 0

export function parseJson(text: string): unknown {
  if (text.startsWith('\ufeff')) throw refuse('invalid_json', 'The body begins with a BOM.')
  const read = readJson(text, JSON_BOUNDS)
  if (!read.ok) throw unreadable(read.error)
  const { value } = read
  const misfit = misfitIn(text, value)
  if (misfit !== undefined) throw unkept(misfit)
  return value
}

/** In the words of every door. */
export const MISFITS: Readonly<Record<Misfit['kind'], string>> = {
  text: 'The text has a lone surrogate.',
  number: 'The number is larger than any that can be kept.',
}

const unkept = ({ kind, pointer }: Misfit) =>
  refuse('invalid_request', `${MISFITS[kind]} (${pointer})`, {
    errors: [{ pointer, message: MISFITS[kind] }],
  })

function unreadable({ message, pointer }: JsonFault) {
  const errors = pointer === undefined ? {} : { errors: [{ pointer, message }] }
  return refuse('invalid_json', message, errors)
}

/** The value as the schema reads it, or a problem that names every place that is wrong. */
export function parseWith<S extends z.ZodType>(
  schema: S,
  value: unknown,
  code: 'invalid_request' | 'invalid_query' = 'invalid_request',
): z.output<S> {
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  const errors = parsed.error.issues.flatMap(places).slice(0, 50)
  const first = errors[0]
  const where = first?.pointer ? ` (${first.pointer})` : ''
  throw refuse(code, `${first?.message ?? 'The request is not as it should be.'}${where}`, {
    errors,
  })
}

function places(issue: z.core.$ZodIssue): ProblemPlace[] {
  const pointer = issue.path.map((key) => `/${escapePointer(String(key))}`).join('')
  if (issue.code !== 'unrecognized_keys') return [{ pointer, message: issue.message }]
  return issue.keys.map((key) => ({
    pointer: `${pointer}/${escapePointer(key)}`,
    message: 'This key is not known here.',
  }))
}
