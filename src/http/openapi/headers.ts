/**
 * The headers of answers in openapi.json. Most follow from a route's input: a request with a key
 * may be answered by a replay, a resource that changes under a condition has an etag.
 */

import { ANSWER_HEADERS, type AnswerHeader } from '../request/names.ts'
import type { Route } from '../request/route.ts'

/** Every header that is documented, as components of the document. */
export const headerComponents = (): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(ANSWER_HEADERS).map(([name, description]) => [
      name,
      { description, schema: { type: 'string' } },
    ]),
  )

/** The paths on which something can be changed under a condition. */
export const conditionalPaths = (routes: readonly Route[]): ReadonlySet<string> =>
  new Set(routes.filter((route) => takes(route, 'if-match')).map(({ path }) => path))

/** Whether the route reads this header. */
export const takes = ({ headers }: Route, name: string): boolean => name in (headers?.shape ?? {})

/** An answer to a key says what is left of its limits. */
const rateHeaders = ({ scope }: Route): readonly AnswerHeader[] =>
  scope === null ? [] : ['RateLimit', 'RateLimit-Policy']

export function headersOf(
  route: Route,
  status: string,
  conditional: ReadonlySet<string>,
): Record<string, unknown> {
  const headers = route.answers[Number(status)]?.headers ?? []
  return headerRefs([
    'X-Request-Id',
    ...rateHeaders(route),
    ...headers,
    ...(takes(route, 'idempotency-key') ? (['Idempotency-Replayed'] as const) : []),
    ...(route.ignoresUnknown ? (['Strata-Ignored'] as const) : []),
    ...(takes(route, 'prefer') ? (['Preference-Applied'] as const) : []),
    ...(conditional.has(route.path) && status !== '204' ? (['ETag'] as const) : []),
  ])
}

export const headerRefs = (names: readonly AnswerHeader[]): Record<string, unknown> =>
  Object.fromEntries(
    [...new Set(names)].map((name) => [name, { $ref: `#/components/headers/${name}` }]),
  )
