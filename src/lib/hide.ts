/**
 * Redacts known secrets in third-party text: verbatim, in parts, by line, and in base64, URL, JSON,
 * or hex encoding, also with separators or line breaks. Values below eight characters resemble
 * ordinary words and are not redacted.
 */

const LEAST = 8
/**
 * Minimum number of letters and digits in a secret that is also redacted when separators split it.
 */
const LEAST_APART = 12
/**
 * Minimum length of redacted words in a multi-word secret, such as a key with spaces instead of
 * line breaks.
 */
const LEAST_WORD = 16
const HIDDEN = '[redacted]'

export type Hide = (text: string) => string

const hideNothing: Hide = (text) => text

/**
 * Returns a function that redacts the given values; text without these values is returned
 * unchanged.
 */
export function hiding(values: Iterable<string>): Hide {
  const secrets = [...new Set(values)].filter((value) => value.trim().length >= LEAST)
  if (secrets.length === 0) return hideNothing
  const entire = needlesOf(secrets)
  const parts = needlesOf(secrets.flatMap(partsOf))
  const compacted = [...new Set(secrets.flatMap(wrappedAs).map(compact))].filter(
    (value) => value.length >= LEAST_APART,
  )
  // Parts are last, because a value without one of its parts is not found.
  return (text) => without(withoutApart(without(text, entire), compacted), parts)
}

const needlesOf = (values: readonly string[]): readonly string[] =>
  [...new Set(values.flatMap(writtenAs))].sort((a, b) => b.length - a.length)

function without(text: string, needles: readonly string[]): string {
  let out = text
  for (const needle of needles) {
    if (out.includes(needle)) out = out.replaceAll(needle, HIDDEN)
  }
  return out
}

/** Redacts every string in a JSON value, including member names. */
export function hideIn<T>(value: T, hide: Hide): T {
  if (hide === hideNothing) return value
  if (typeof value === 'string') return hide(value) as T
  if (typeof value !== 'object' || value === null) return value
  if (value instanceof Uint8Array) return bytesWithout(value, hide) as T
  if (Array.isArray(value)) return value.map((item) => hideIn(item, hide)) as T
  const entries = Object.entries(value).map(([key, member]) => [hide(key), hideIn(member, hide)])
  return Object.fromEntries(entries) as T
}

/** Drops bytes that contain a secret value, because bytes cannot be redacted in part. */
function bytesWithout(bytes: Uint8Array, hide: Hide): Uint8Array {
  const text = Buffer.from(bytes).toString('latin1')
  return hide(text) === text ? bytes : new Uint8Array()
}

/**
 * Returns a secret value and its parts: lines, long words, and dot-separated parts, as in a JWT.
 */
function partsOf(value: string): string[] {
  const lines = value.split(/[\r\n]+/).map((line) => line.trim())
  const words = value.split(/\s+/).filter((word) => word.length >= LEAST_WORD)
  const dotted = value.split('.')
  const all = [value, value.trim(), ...lines, ...words, ...(dotted.length > 2 ? dotted : [])]
  return all.filter((part) => part.length >= LEAST && (part === value || !part.startsWith('-----')))
}

function writtenAs(value: string): string[] {
  const url = percent(value)
  const json = JSON.stringify(value).slice(1, -1)
  const bytes = Buffer.from(value)
  const hex = bytes.toString('hex')
  const variants = [
    value,
    ...[url, url.replaceAll('%20', '+')].flatMap((form) => [form, form.replace(/%../g, lower)]),
    json,
    json.replaceAll('/', '\\/'),
    JSON.stringify(json).slice(1, -1),
    hex,
    hex.toUpperCase(),
    ...base64(bytes),
  ]
  return variants.filter((variant) => variant.length >= LEAST)
}

/** Returns the forms of a value that programs divide into lines or groups. */
function wrappedAs(value: string): string[] {
  const bytes = Buffer.from(value)
  const hex = bytes.toString('hex')
  return [value, hex, hex.toUpperCase(), ...base64(bytes)]
}

const lower = (hex: string): string => hex.toLowerCase()

function percent(value: string): string {
  try {
    return encodeURIComponent(value)
  } catch {
    // A value with a lone surrogate cannot be URL-encoded.
    return value
  }
}

/**
 * Encodes a secret in base64 at each of the three alignments within a longer text, in both
 * alphabets.
 */
function base64(bytes: Buffer): string[] {
  return [0, 1, 2].flatMap((shift) => {
    const all = Buffer.concat([Buffer.alloc(shift), bytes])
    const text = all.toString('base64').replace(/=+$/, '')
    const first = Math.ceil((shift * 8) / 6)
    // The last base64 character contains bits of the following byte.
    const core = text.slice(first, all.length % 3 === 0 ? undefined : -1)
    return [core, core.replaceAll('+', '-').replaceAll('/', '_')]
  })
}

const SEPARATOR = /[^A-Za-z0-9]/
const compact = (value: string): string => value.replace(/[^A-Za-z0-9]+/g, '')

/** Redacts secret values by comparing only letters and digits, so that separators hide no value. */
function withoutApart(text: string, values: readonly string[]): string {
  if (values.length === 0 || text.length < LEAST_APART) return text
  const bare = compact(text)
  const present = values.filter((value) => bare.includes(value))
  if (present.length === 0) return text
  const places = new Uint32Array(bare.length)
  let count = 0
  for (let at = 0; at < text.length; at += 1) {
    if (!SEPARATOR.test(text[at]!)) places[count++] = at
  }
  const ranges: (readonly [number, number])[] = []
  for (const value of present) {
    for (let at = bare.indexOf(value); at >= 0; at = bare.indexOf(value, at + value.length)) {
      ranges.push([places[at]!, places[at + value.length - 1]! + 1])
    }
  }
  ranges.sort(([left], [right]) => left - right)
  let out = ''
  let from = 0
  for (const [start, end] of ranges) {
    if (start < from) continue
    out += text.slice(from, start) + HIDDEN
    from = end
  }
  return out + text.slice(from)
}
