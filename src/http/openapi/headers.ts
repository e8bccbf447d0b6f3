/**
 * Documents response headers in openapi.json. Most headers follow from a route's input: an
 * idempotency key allows a replayed response, and a conditional change requires an etag.
 */

import { ANSWER_HEADERS, type AnswerHeader } from '../request/names.ts'
import type { Route } from '../request/route.ts'

/** Returns all documented response headers as components. */
export const headerComponents = (): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(ANSWER_HEADERS).map(([name, description]) => [
      name,
      { description, schema: { type: 'string' } },
    ]),
  )

/** Returns the paths that have an operation with conditional changes. */
export const conditionalPaths = (routes: readonly Route[]): ReadonlySet<string> =>
  new Set(routes.filter((route) => takes(route, 'if-match')).map(({ path }) => path))

/** Reports whether the route reads the request header `name`. */
export const takes = ({ headers }: Route, name: string): boolean => name in (headers?.shape ?? {})

/** Returns the rate-limit headers in responses to requests with an API key. */
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
