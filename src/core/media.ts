/**
 * Images, audio, and files that accompany the text of messages. The text names each file at its
 * position, so that a model without support for the media type still sees a mention.
 */

import { quoteText } from '../lib/invisible-characters.ts'

/** Types of content that a message to a model may contain. */
export type Modality = 'text' | 'image' | 'pdf' | 'audio'

/**
 * Reference to a media object in a log. The bytes are stored by SHA-256 with the object that
 * contains the reference.
 */
export interface MediaRef {
  readonly digest: string
  readonly bytes: number
  /** Media type of the object, a key of `MEDIA_TYPES`. */
  readonly media_type: MediaType
  /** Name of the file, if known. */
  readonly name?: string
}

/** Media object with its bytes. */
export interface Media {
  readonly media_type: MediaType
  readonly name?: string
  readonly data: Uint8Array
}

/** Media types that models accept, each with its modality. */
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
 * File signatures of the media types, in hexadecimal; a dot matches any digit (WHATWG MIME
 * Sniffing, sections 6.1 and 6.2; RFC 8118).
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

/**
 * Returns the media type detected from a file's first bytes; the type declared by the sender is
 * ignored.
 */
export function mediaTypeOf(bytes: Uint8Array): MediaType | undefined {
  const start = Buffer.from(bytes.subarray(0, SIGNATURE_BYTES)).toString('hex')
  return SIGNATURES.find(([pattern]) => pattern.test(start))?.[1]
}

const NAME_BYTES = 200

/**
 * Returns the mark that represents a media object in text: `[image "chart.png", image/png, 3412
 * bytes]`.
 */
export function mediaMark(of: Pick<MediaRef, 'media_type' | 'name' | 'bytes'>): string {
  const kind = modalityOf(of.media_type)
  const label = of.name === undefined ? '' : ` ${quoteText(of.name, NAME_BYTES)}`
  return `[${kind}${label}, ${of.media_type}, ${of.bytes} bytes]`
}

export const markOf = ({ data, ...media }: Media): string =>
  mediaMark({ ...media, bytes: data.length })

/**
 * Approximate cost of a media object in a model's context window, in bytes of text. Vendors count
 * up to 1,600 tokens per image, several thousand per PDF page, and 32 per second of audio.
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
