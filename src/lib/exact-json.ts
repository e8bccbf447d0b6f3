/**
 * Numbers in JSON that a double cannot hold: IDs and amounts with more digits than it keeps. Their
 * digits are kept as they were written: as texts, or as raw JSON that is written out again.
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

/** False: a JSON text has no such number. */
export const mayRound = (text: string): boolean => CANDIDATE.test(text)

/** Parses JSON; numbers that would be rounded become what `replace` makes of their digits. */
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

/** The digits without zeros around them, and the place of the last one. */
function digitsOf(number: string): string {
  const [, sign, integer = '', fraction = '', power = '0'] = NUMBER.exec(number) ?? [number]
  const all = `${integer}${fraction}`
  const digits = all.replace(/^0+/, '').replace(/0+$/, '')
  const zeros = all.length - all.replace(/0+$/, '').length
  return digits === '' ? '0' : `${sign}${digits}e${Number(power) - fraction.length + zeros}`
}

const NUMBER = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/

/** Parses JSON; numbers that would be rounded are texts of their digits. Calls `onText` for each. */
export const parseWithTexts = (text: string, onText: () => void = () => {}): unknown =>
  parsed(text, (digits) => {
    onText()
    return digits
  })

/** Parses JSON; numbers that would be rounded are written out again as they were. */
export const parseWithRaw = (text: string): unknown => parsed(text, sources.rawJSON)

/** The digits of the numbers that would be rounded, by their pointer: `#/items/0/id`. */
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

/** The value with the digits in place of the numbers that they were rounded to. */
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
