/**
 * Handles JSON numbers that a double cannot represent, such as long IDs and amounts. Their digits
 * are preserved, as strings or as raw JSON that is serialized unchanged.
 * https://tc39.es/proposal-json-parse-with-source/ (read 2026-11-28).
 */

interface SourceJson {
  parse(
    text: string,
    reviver: (key: string, value: unknown, context: { readonly source?: string }) => unknown,
  ): unknown
  rawJSON(text: string): object
  isRawJSON(value: unknown): value is { readonly rawJSON: string }
}

const sources = JSON as unknown as SourceJson

const CANDIDATE = /\d(?:\.?\d){15}|\d[eE][+-]?\d/

/** Reports whether JSON text may contain a number that a double cannot represent. */
export const mayRound = (text: string): boolean => CANDIDATE.test(text)

/** Parses JSON; `replace` converts the digits of numbers that would be rounded. */
function parsed(text: string, replace: (digits: string) => unknown): unknown {
  if (!mayRound(text)) return JSON.parse(text)
  return sources.parse(text, (_key, value, { source }) =>
    typeof value === 'number' && source !== undefined && !isExact(source, value)
      ? replace(source)
      : value,
  )
}

const isExact = (source: string, value: number): boolean =>
  Object.is(value, -0) || digitsOf(source) === digitsOf(String(value))

/**
 * Returns a number's significant digits with a decimal exponent, so that equal numbers have equal
 * texts.
 */
function digitsOf(number: string): string {
  const [, sign, integer = '', fraction = '', power = '0'] = NUMBER.exec(number) ?? [number]
  const all = `${integer}${fraction}`
  const digits = all.replace(/^0+/, '').replace(/0+$/, '')
  const zeros = all.length - all.replace(/0+$/, '').length
  return digits === '' ? '0' : `${sign}${digits}e${Number(power) - fraction.length + zeros}`
}

const NUMBER = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/

/** Parses JSON; numbers that would be rounded become strings, and `onText` is called for each. */
export const parseWithTexts = (text: string, onText: () => void = () => {}): unknown =>
  parsed(text, (digits) => {
    onText()
    return digits
  })

/** Parses JSON so that numbers that would be rounded are later serialized unchanged. */
export const parseWithRaw = (text: string): unknown => parsed(text, sources.rawJSON)

/**
 * Returns the original digits of numbers that would be rounded, by JSON pointer: `#/items/0/id`.
 */
export function roundedNumbers(text: string): ReadonlyMap<string, string> {
  const places = new Map<string, string>()
  if (!mayRound(text)) return places
  const walk = (value: unknown, at: string): void => {
    if (sources.isRawJSON(value)) places.set(at, value.rawJSON)
    else if (typeof value === 'object' && value !== null)
      for (const [name, inner] of Object.entries(value)) walk(inner, `${at}/${escaped(name)}`)
  }
  walk(parseWithRaw(text), '#')
  return places
}

const escaped = (name: string): string => name.replaceAll('~', '~0').replaceAll('/', '~1')

/** Replaces rounded numbers in a value with their original digits. */
export function withDigits<T>(value: T, places: ReadonlyMap<string, string>): T {
  if (places.size === 0) return value
  const walk = (inner: unknown, at: string): unknown => {
    const digits = places.get(at)
    if (typeof inner === 'number' && digits !== undefined && Number(digits) === inner)
      return sources.rawJSON(digits)
    if (Array.isArray(inner)) return inner.map((item, index) => walk(item, `${at}/${index}`))
    if (typeof inner !== 'object' || inner === null) return inner
    return Object.fromEntries(
      Object.entries(inner).map(([name, member]) => [name, walk(member, `${at}/${escaped(name)}`)]),
    )
  }
  return walk(value, '#') as T
}
