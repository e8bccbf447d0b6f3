/**
 * Which headers an answer may carry, for openapi.json. Most follow from what a route takes: who
 * sends a key may be told of a replay, what can be changed under a condition has an etag.
 */

import type { Route } from '../route.ts'

const HEADERS = {
  'X-Request-Id': 'Names this request in our log; problems hold it too',
  'Retry-After': 'Seconds after which the same request may succeed',
  'WWW-Authenticate': 'With 401: which scheme is wanted',
  Allow: 'With 405: the methods that there are',
  Location: 'Where the thing that was made can be looked at',
  ETag: 'For `If-Match` and `If-None-Match`',
  'Idempotency-Replayed': '`true` when an earlier request with this key had done it',
  'Preference-Applied': 'The wait that counted',
} as const

export type AnswerHeader = keyof typeof HEADERS

/** Every header that is told of, as components of the document. */
export const headerComponents = (): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(HEADERS).map(([name, description]) => [
      name,
      { description, schema: { type: 'string' } },
    ]),
  )

/** The paths on which something can be changed under a condition. */
export const conditionalPaths = (routes: readonly Route[]): ReadonlySet<string> =>
  new Set(routes.filter((route) => takes(route, 'if-match')).map(({ path }) => path))

const takes = ({ headers }: Route, name: string): boolean => name in (headers?.shape ?? {})

export function headersOf(
  route: Route,
  status: string,
  conditional: ReadonlySet<string>,
): Record<string, unknown> {
  const named = route.answers[Number(status)]?.headers ?? []
  return headerRefs([
    'X-Request-Id',
    ...named,
    ...(takes(route, 'idempotency-key') ? (['Idempotency-Replayed'] as const) : []),
    ...(takes(route, 'prefer') ? (['Preference-Applied'] as const) : []),
    ...(conditional.has(route.path) && status !== '204' ? (['ETag'] as const) : []),
  ])
}

export const headerRefs = (names: readonly AnswerHeader[]): Record<string, unknown> =>
  Object.fromEntries(
    [...new Set(names)].map((name) => [name, { $ref: `#/components/headers/${name}` }]),
  )
