/**
 * Turns the result of a tool call into text for a model. The call has already run, so readable
 * parts are kept, other parts are named, and the status stays unchanged.
 */

import { LIMITS } from '../../core/limits.ts'
import { type Media, markOf, mediaTypeOf } from '../../core/media.ts'
import { isMap } from '../../core/tools/schema-values.ts'
import { byteLength, cut } from '../../lib/bytes.ts'
import { canonical } from '../../lib/digest.ts'
import { parseWithTexts } from '../../lib/exact-json.ts'
import { exceeds } from '../../lib/shape.ts'
import { wellFormed, wellFormedIn } from '../../lib/well-formed.ts'
import type { ToolOutcome } from '../../ports/world.ts'
import { CUT_MARKER } from './string-cutter.ts'
import { kindOf, MOST_LEVELS } from './tool-judge.ts'

type Map = Readonly<Record<string, unknown>>

/** Converts a `result` as sent by the server; `mends` describes the repairs made to its JSON. */
export function toolOutcome(result: unknown, mends: readonly string[] = []): ToolOutcome {
  const { content, structuredContent, isError, is_error, _meta, resultType, ...members } = isMap(
    result,
  )
    ? result
    : ({ content: result } as Map)
  const media: Media[] = []
  const texts = partsOf(content).map((part) => shownPart(part, media))
  const text = texts.join('\n')
  // Older revisions and other protocols return the output of a tool in other members of the result.
  const isElsewhere = texts.length === 0 && Object.keys(members).length > 0
  const data = structuredContent ?? (isElsewhere ? members : undefined)
  const all = data == null || saysSame(texts, data) ? text : withData(text, data)
  return {
    text: truncateResult(mends.length === 0 ? all : `[mended JSON: ${mends.join('; ')}]\n${all}`),
    is_error: isYes(isError) || isYes(is_error),
    ...(media.length === 0 ? {} : { media }),
  }
}

const isYes = (value: unknown): boolean =>
  value === true ||
  value === 1 ||
  (typeof value === 'string' && /^\s*(?:true|yes|1)\s*$/i.test(value))

function partsOf(content: unknown): readonly unknown[] {
  if (content == null) return []
  return Array.isArray(content) ? content : [content]
}

/** Appends data to the text, with a separate size limit; data without text gets a text's limit. */
function withData(text: string, data: unknown): string {
  const json = typeof data === 'string' ? data : toJson(data)
  if (text === '') return json
  const most = LIMITS.structured_result_bytes
  return `${text}\n[structured result]\n${shortened(json, most)}`
}

/** Serializes the data of a server error, up to a size limit. */
export const shownData = (data: unknown): string =>
  shortened(typeof data === 'string' ? data : toJson(data), LIMITS.result_part_bytes)

const shortened = (text: string, most: number): string =>
  byteLength(text) <= most ? text : `${cut(text, most)}\n[cut from ${byteLength(text)} bytes]`

/**
 * Reports whether the text repeats the structured data: as JSON, as one text per item, or wrapped
 * as `result`.
 */
function saysSame(texts: readonly string[], data: unknown): boolean {
  const isComparable = !exceeds([texts, data], { depth: MOST_LEVELS, characters: COMPARED })
  if (texts.length === 0 || !isComparable) return false
  const inside = isMap(data) && Object.keys(data).length === 1 ? data.result : undefined
  const values = texts.map(readJson)
  const forms: readonly unknown[] = [...values, values, texts, readJson(texts.join('\n'))]
  const jsonForms = new Set(forms.filter(isShallow).map(canonical))
  const words = texts.join('\n').trim()
  const isWords = (value: unknown) => typeof value !== 'object' && String(value).trim() === words
  return [data, inside].some(
    (value) => value !== undefined && (jsonForms.has(canonical(value)) || isWords(value)),
  )
}

/** Maximum length of compared texts, in characters, so that the thread is not blocked. */
const COMPARED = 2 * LIMITS.tool_result_bytes

const isShallow = (value: unknown): boolean =>
  value !== undefined && !exceeds(value, { depth: MOST_LEVELS })

function readJson(text: string): unknown {
  try {
    return parseWithTexts(text)
  } catch {
    return undefined
  }
}

/**
 * Serializes structured data as JSON. Data nested too deeply can be neither written by the engine
 * nor read by a model.
 */
const toJson = (data: unknown): string =>
  exceeds(data, { depth: MOST_LEVELS })
    ? `[omitted: data nested deeper than ${MOST_LEVELS} levels]`
    : JSON.stringify(wellFormedIn(data))

function shownPart(part: unknown, media: Media[]): string {
  if (typeof part === 'string') return part
  if (!isMap(part)) return `[a part that is ${kindOf(part)}]`
  switch (typeOf(part)) {
    case 'text':
      return textIn(part)
    case 'image':
    case 'audio':
      return shownMedia(part, media)
    case 'resource_link':
      return `[resource: ${placeOf(part)}${wordsOf(part.description)}]`
    case 'resource':
      return shownResource(part, media)
    default:
      return unknownPart(part)
  }
}

/** Infers the type of a content part from its members if the type is missing. */
function typeOf(part: Map): unknown {
  if (typeof part.type === 'string') return part.type
  if (typeof part.text === 'string') return 'text'
  if (typeof part.data === 'string') return 'image'
  if (isMap(part.resource)) return 'resource'
  return typeof part.uri === 'string' ? 'resource_link' : undefined
}

function textIn({ type: _, text, annotations, _meta, ...members }: Map): string {
  if (typeof text === 'string') return text
  if (text != null) return typeof text === 'object' ? toJson(text) : String(text)
  return Object.keys(members).length === 0 ? '[a text part without text]' : unknownPart(members)
}

function shownMedia(part: Map, media: Media[]): string {
  const { type, data, mimeType } = part
  const kind = typeof type === 'string' ? type : 'file'
  if (typeof data !== 'string') return `[${kind}: data is ${kindOf(data)}]`
  const base64 = data.replace(DATA_URL, '')
  const mediaType = typeof mimeType === 'string' ? mimeType : UNKNOWN_TYPE
  return takeMedia(base64, {}, media) ?? `[${kind}: ${about(mediaType, base64)}]`
}

const DATA_URL = /^data:[^,]{0,200};base64,/
const UNKNOWN_TYPE = 'unknown type'

function shownResource(part: Map, media: Media[]): string {
  const { resource } = part
  if (!isMap(resource)) return unknownPart(part)
  const uri = placeOf(resource)
  const { text, blob, mimeType } = resource
  if (text != null) return `[resource: ${uri}]\n${textIn(resource)}`
  if (typeof blob !== 'string') return `[resource: ${uri}, without text or data]`
  const name = uri.slice(uri.lastIndexOf('/') + 1)
  const mediaType = typeof mimeType === 'string' ? mimeType : UNKNOWN_TYPE
  return takeMedia(blob, { name }, media) ?? `[resource: ${uri}, ${about(mediaType, blob)}]`
}

const placeOf = ({ uri, name, title }: Map): string =>
  wellFormed([uri, name, title].find((field) => typeof field === 'string') ?? 'without a URI')

const wordsOf = (value: unknown): string => (typeof value === 'string' && value ? `, ${value}` : '')

/** Serializes those members of an unknown content part that are useful to a model. */
function unknownPart(part: Map): string {
  const kind = typeof part.type === 'string' ? `the type ${JSON.stringify(part.type)}` : 'no type'
  return `[a part of ${kind}]\n${shortened(toJson(part), LIMITS.result_part_bytes)}`
}

/** Keeps and names media that models support; returns undefined for other or oversized data. */
function takeMedia(
  base64: string,
  about: { readonly name?: string },
  media: Media[],
): string | undefined {
  if (CUT_MARKER.test(base64) || media.length >= LIMITS.media_parts) return undefined
  const room = media.reduce((remaining, { data }) => remaining - data.length, LIMITS.media_bytes)
  if (base64Bytes(base64) > room) return undefined
  const data = new Uint8Array(Buffer.from(base64, 'base64'))
  const media_type = mediaTypeOf(data)
  if (media_type === undefined) return undefined
  const part = { media_type, ...about, data }
  media.push(part)
  return markOf(part)
}

/** Describes a part's omitted bytes; a text cut while reading counts with its full size. */
function about(type: string, base64: string): string {
  const [, totalSize] = CUT_MARKER.exec(base64) ?? []
  const bytes =
    totalSize === undefined ? base64Bytes(base64) : Math.floor((Number(totalSize) * 3) / 4)
  return `${type}, ${bytes} bytes, not shown`
}

function base64Bytes(data: string): number {
  const padding = data.endsWith('==') ? 2 : data.endsWith('=') ? 1 : 0
  return Math.floor(((data.length - padding) * 3) / 4)
}

/**
 * Truncates a text to `LIMITS.tool_result_bytes`, including the truncation marker. Removes NUL,
 * which stores reject, and never splits a character.
 */
export function truncateResult(text: string): string {
  const clean = wellFormed(text).replaceAll('\u0000', '\ufffd')
  const size = byteLength(clean)
  if (size <= LIMITS.tool_result_bytes) return clean
  const [, totalSize = size] = CUT_MARKER.exec(clean) ?? []
  const marker = `\n[result cut from ${totalSize} bytes]`
  return cut(clean, LIMITS.tool_result_bytes - byteLength(marker)) + marker
}
