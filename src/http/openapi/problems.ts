/**
 * Refusals in the contract: one named response a status, and which of them an operation may give.
 * Most follow from its input; a route names the others. The ranges `4XX` and `5XX` stay beside
 * them, for answers that a host or a proxy gives before the route is called.
 */

import { PROBLEMS } from '../../core/problem.ts'
import type { Route } from '../route.ts'
import { headerRefs } from './headers.ts'
import { REFUSAL_NAMES, type RefusalStatus } from './names.ts'

/** Any other status of the range, which nothing here gives. */
const RANGES = {
  '4XX': ['ClientError', 'Refused: the caller can mend it', ['Retry-After', 'Allow']],
  '5XX': ['ServerError', 'Failed: nothing to mend in the request', ['Retry-After']],
} as const

/** Those that the answers of some statuses carry. */
const HEADERS = {
  401: ['WWW-Authenticate'],
  405: ['Allow'],
  429: ['Retry-After'],
  503: ['Retry-After'],
} as const satisfies Partial<Record<RefusalStatus, unknown>>

/** Every refusal that a route names, for `components/responses`; `problem`: what its body is. */
export function problemResponses(
  routes: readonly Route[],
  problem: unknown,
): Record<string, unknown> {
  const response = (description: string, headers: Parameters<typeof headerRefs>[0]) => ({
    description,
    headers: headerRefs(['X-Request-Id', 'RateLimit-Policy', 'RateLimit', ...headers]),
    content: { 'application/problem+json': { schema: problem } },
  })
  const used = [...new Set(routes.flatMap(statusesOf))].sort((a, b) => a - b)
  const statuses = used.map((status) => [
    REFUSAL_NAMES[status],
    response(meaning(status), HEADERS[status as keyof typeof HEADERS] ?? []),
  ])
  const ranges = Object.values(RANGES).map(([name, description, headers]) => [
    name,
    response(description, headers),
  ])
  return Object.fromEntries([...statuses, ...ranges])
}

/** Every code of the status, and what it says. */
const meaning = (status: number): string =>
  Object.entries(PROBLEMS)
    .filter(([, [one]]) => one === status)
    .map(([code, [, title]]) => `\`${code}\`: ${title}`)
    .join('. ')

/** The refusals of an operation, by status: references to the named ones. */
export function refusalsOf(route: Route): Record<string, unknown> {
  const statuses = statusesOf(route).map((status) => [status, REFUSAL_NAMES[status]] as const)
  const ranges = Object.entries(RANGES).map(([range, [name]]) => [range, name] as const)
  return Object.fromEntries(
    [...statuses, ...ranges].map(([status, name]) => [
      status,
      { $ref: `#/components/responses/${name}` },
    ]),
  )
}

const statusesOf = (route: Route): RefusalStatus[] =>
  [...new Set([...following(route), ...(route.refusals ?? [])])].sort((a, b) => a - b)

/** Refusals that follow from the route's input. */
function following(route: Route): RefusalStatus[] {
  const { scope, path, headers, body, rawBody } = route
  const takes = (name: string): boolean => name in (headers?.shape ?? {})
  return [
    400,
    500,
    503,
    ...(scope === null ? [] : ([401, 403, 429] as const)),
    ...(path.includes('{') ? ([404] as const) : []),
    ...(body || rawBody ? ([408, 413, 415] as const) : []),
    ...(body ? ([422] as const) : []),
    ...(takes('idempotency-key') ? ([409, 410, 422] as const) : []),
    ...(takes('if-match') ? ([409, 412] as const) : []),
  ]
}
