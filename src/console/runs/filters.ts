/**
 * Filters of the run list in the page's URL. Names and values are those of `GET /v1/runs`; `since`
 * is a time range that ends now.
 */

export const STATUSES = [
  ...(['queued', 'running', 'waiting', 'completed', 'failed', 'cancelled', 'timed_out'] as const),
]
export const KINDS = ['main', 'schedule', 'hook'] as const
export const WAITS = [
  ...(['approval', 'input', 'subagents', 'function', 'session', 'model'] as const),
]
export const RANGES = { hour: 3_600_000, day: 86_400_000, week: 604_800_000 } as const
export type Range = keyof typeof RANGES

const NAMES = [
  ...(['q', 'status', 'agent', 'kind', 'since', 'created[gte]', 'created[lt]'] as const),
  ...(['model', 'waiting_on'] as const),
] as const
export type FilterName = (typeof NAMES)[number]
export type MetadataName = `metadata.${string}`

const PREFIX = 'metadata.'
/** Names with a prefix have no runtime type, so unknown names are also removed at run time. */
export type Filters = Readonly<Partial<Record<FilterName | MetadataName, string>>>

const isName = (name: string): boolean =>
  (NAMES as readonly string[]).includes(name) ||
  (name.startsWith(PREFIX) && name.length > PREFIX.length)

export const isRange = (text: string | undefined): text is Range =>
  text !== undefined && Object.hasOwn(RANGES, text)

/** Returns the filters in a URL, whose values may be numbers; ignores other members. */
export function filtersOf(search: object): Filters {
  const pairs = Object.entries(search)
    .filter(
      ([name, value]) => isName(name) && ['string', 'number', 'boolean'].includes(typeof value),
    )
    .map(([name, value]) => [name, String(value).trim()] as const)
    .filter(([name, text]) => text !== '' && (name !== 'since' || isRange(text)))
  const order = (name: string): number => {
    const at = (NAMES as readonly string[]).indexOf(name)
    return at < 0 ? NAMES.length : at
  }
  return Object.fromEntries(pairs.toSorted(([a], [b]) => order(a) - order(b) || (a < b ? -1 : 1)))
}

/** Changes filters; an empty value removes one. A range and exact times replace each other. */
export function withFilters(filters: Filters, changes: Filters): Filters {
  const { since, ...rest } = changes
  const exact = Object.keys(rest).some((name) => name.startsWith('created[') && rest[name as never])
  const times = since ? { 'created[gte]': '', 'created[lt]': '' } : exact ? { since: '' } : {}
  return filtersOf({ ...filters, ...times, ...changes })
}

/** Returns the query of `GET /v1/runs`. `now` is the time at which the filters were chosen. */
export function queryOf(
  { since, ...filters }: Filters,
  now: number,
): Readonly<Record<string, string>> {
  const from = isRange(since) ? new Date(now - RANGES[since]).toISOString() : undefined
  return { ...(filters as Record<string, string>), ...(from && { 'created[gte]': from }) }
}

/** Returns the values of a filter that is a list separated by commas. */
export const listOf = (text: string | undefined): readonly string[] =>
  (text ?? '').split(',').filter((value) => value !== '')

/** Adds a value to such a list, or removes it. */
export function toggled(text: string | undefined, value: string): string {
  const values = listOf(text)
  const isIn = values.includes(value)
  return (isIn ? values.filter((other) => other !== value) : [...values, value]).join(',')
}

/** Returns the metadata filters as `[key, value]` pairs. */
export const metadataOf = (filters: Filters): readonly (readonly [string, string])[] =>
  Object.entries(filters).flatMap(([name, value]) =>
    name.startsWith(PREFIX) && value ? [[name.slice(PREFIX.length), value] as const] : [],
  )

/**
 * Returns the metadata filters of a text with one `key=value` per line; undefined if a line has
 * another form.
 */
export function metadataIn(text: string): Filters | undefined {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  const pairs = lines.map((line) => {
    const at = line.indexOf('=')
    return [line.slice(0, Math.max(0, at)).trim(), line.slice(at + 1).trim()] as const
  })
  if (pairs.some(([key, value]) => key === '' || value === '')) return undefined
  return Object.fromEntries(pairs.map(([key, value]) => [`${PREFIX}${key}`, value]))
}
