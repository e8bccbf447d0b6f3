/**
 * Documents the headers of responses in openapi.json. Most headers follow from a route's input: an
 * idempotency key allows a replayed response, and a conditional change requires an etag.
 */

import { ANSWER_HEADERS, type AnswerHeader } from '../request/names.ts'
import type { Route } from '../request/route.ts'

/** Returns all documented headers as components. */
export const headerComponents = (): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(ANSWER_HEADERS).map(([name, description]) => [
      name,
      { description, schema: { type: 'string' } },
    ]),
  )

/** Returns the paths with an operation that supports conditional changes. */
export const conditionalPaths = (routes: readonly Route[]): ReadonlySet<string> =>
  new Set(routes.filter((route) => takes(route, 'if-match')).map(({ path }) => path))

/** Checks whether the route reads this header. */
export const takes = ({ headers }: Route, name: string): boolean => name in (headers?.shape ?? {})

/** Returns the rate-limit headers of responses to requests with a key. */
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
