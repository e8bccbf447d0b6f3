/** The filters of the list as they stand in the address, and as the API is asked. */

import type { Schemas } from '../../app/api.ts'

type Run = Schemas['Run']

export const STATUSES = [
  ...(['queued', 'running', 'waiting', 'completed', 'failed', 'cancelled', 'timed_out'] as const),
] satisfies readonly Run['status'][]
export const KINDS = ['main', 'schedule', 'hook'] as const
export const SPANS = { hour: 3_600_000, day: 86_400_000, week: 604_800_000 } as const

const NAMES = [
  ...(['q', 'status', 'kind', 'agent', 'session_id', 'label', 'metadata'] as const),
  ...(['since', 'from', 'until'] as const),
]
export type FilterName = (typeof NAMES)[number]
/** `metadata`: `key=value`. `since`: one of `SPANS`. `from`, `until`: RFC 3339. */
export type Filters = Readonly<Partial<Record<FilterName, string>>>

/** An address may say a number where a text is meant. */
export function filtersOf(search: object): Filters {
  const given = search as Readonly<Record<string, unknown>>
  return Object.fromEntries(
    NAMES.flatMap((name) => {
      const text = String(given[name] ?? '').trim()
      return text === '' ? [] : [[name, text]]
    }),
  )
}

/** The pair, at the first `=`; undefined: it is none. */
export function pairOf(text: string): readonly [key: string, value: string] | undefined {
  const at = text.indexOf('=')
  const key = text.slice(0, Math.max(0, at)).trim()
  return key === '' ? undefined : [key, text.slice(at + 1).trim()]
}

export const isSpan = (text: string | undefined): text is keyof typeof SPANS =>
  text !== undefined && Object.hasOwn(SPANS, text)

/** Nothing can lie between. */
export const isNever = ({ from, until }: Filters): boolean =>
  from !== undefined && until !== undefined && Date.parse(from) >= Date.parse(until)

/** `now`: when the filters were chosen. Pages that follow one another ask the same. */
export function queryOf({ since, from, until, metadata, ...rest }: Filters, now: number): object {
  const pair = metadata === undefined ? undefined : pairOf(metadata)
  const first = isSpan(since) ? new Date(now - SPANS[since]).toISOString() : from
  return {
    ...rest,
    ...(first && { 'created[gte]': first }),
    ...(until && { 'created[lt]': until }),
    ...(pair && { [`metadata.${pair[0]}`]: pair[1] }),
  }
}
