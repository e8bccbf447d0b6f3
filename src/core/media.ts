/**
 * Pictures, sound and files beside the texts of messages. The text names each at its place, so who
 * cannot take one still reads what was there.
 */

import { quoteText } from '../lib/invisible-characters.ts'

/** Kinds of content that a message to a model may hold. */
export type Modality = 'text' | 'image' | 'pdf' | 'audio'

/** The name of one in a log: its bytes lie by their SHA-256 in the home of what names them. */
export interface MediaRef {
  readonly digest: string
  readonly bytes: number
  /** A key of `MEDIA_TYPES`. */
  readonly media_type: MediaType
  /** The file's name, where it has one. */
  readonly name?: string
}

/** A media part with its bytes. */
export interface Media {
  readonly media_type: MediaType
  readonly name?: string
  readonly data: Uint8Array
}

/** Types that models take, and the kind of content that each is. */
export const MEDIA_TYPES = {
  'image/png': 'image',
  'image/jpeg': 'image',
  'image/gif': 'image',
  'image/webp': 'image',
  'application/pdf': 'pdf',
  'audio/wav': 'audio',
  'audio/mpeg': 'audio',
} as const satisfies Readonly<Record<string, Modality>>
export type MediaType = keyof typeof MEDIA_TYPES

export const modalityOf = (type: MediaType): Exclude<Modality, 'text'> => MEDIA_TYPES[type]

/**
 * How files of these types begin, in hexadecimal; a dot is any digit (WHATWG MIME Sniffing,
 * sections 6.1 and 6.2; RFC 8118).
 */
const SIGNATURES: readonly (readonly [RegExp, MediaType])[] = [
  [/^89504e470d0a1a0a/, 'image/png'],
  [/^ffd8ff/, 'image/jpeg'],
  [/^474946383[79]61/, 'image/gif'],
  [/^52494646.{8}574542505650/, 'image/webp'],
  [/^255044462d/, 'application/pdf'],
  [/^52494646.{8}57415645/, 'audio/wav'],
  [/^(?:494433|fff[b32])/, 'audio/mpeg'],
]
const SIGNATURE_BYTES = 16

/** The type that these bytes begin like; what their sender says of them counts for nothing. */
export function mediaTypeOf(bytes: Uint8Array): MediaType | undefined {
  const start = Buffer.from(bytes.subarray(0, SIGNATURE_BYTES)).toString('hex')
  return SIGNATURES.find(([pattern]) => pattern.test(start))?.[1]
}

const NAME_BYTES = 200

/** How a text names one: `[image "chart.png", image/png, 3412 bytes]`. */
export function mediaMark(of: Pick<MediaRef, 'media_type' | 'name' | 'bytes'>): string {
  const kind = modalityOf(of.media_type)
  const label = of.name === undefined ? '' : ` ${quoteText(of.name, NAME_BYTES)}`
  return `[${kind}${label}, ${of.media_type}, ${of.bytes} bytes]`
}

export const markOf = ({ data, ...media }: Media): string =>
  mediaMark({ ...media, bytes: data.length })

/**
 * About what one costs in a model's window, as bytes of text: vendors count up to 1,600 tokens for
 * a picture, some thousands for a page of a PDF file, 32 for a second of sound.
 */
const SHOWN_BYTES: Readonly<Record<Exclude<Modality, 'text'>, (bytes: number) => number>> = {
  image: () => 6_400,
  pdf: (bytes) => Math.min(Math.max(12_000, bytes / 4), 400_000),
  audio: (bytes) => Math.max(1_000, bytes / 125),
}

export const shownBytes = (all: readonly Pick<MediaRef, 'media_type' | 'bytes'>[] = []): number =>
  all.reduce(
    (sum, { media_type, bytes }) => sum + Math.round(SHOWN_BYTES[modalityOf(media_type)](bytes)),
    0,
  )
