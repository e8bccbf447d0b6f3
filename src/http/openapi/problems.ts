/**
 * Documents error responses in the contract. Errors that follow from an operation's input, and
 * server failures, share one response: the `default` of every operation. The `default` also covers
 * responses of a platform or a proxy. An operation lists only other statuses: those about its
 * resource's state, and those declared by its route.
 */

import { PROBLEMS } from '../../core/problem.ts'
import { type AnswerHeader, REFUSAL_NAMES, type RefusalStatus } from '../request/names.ts'
import type { Route } from '../request/route.ts'
import { headerRefs, takes } from './headers.ts'

const GENERIC = 'Refusal'

/** Headers of error responses by status. */
const HEADERS = {
  401: ['WWW-Authenticate'],
  405: ['Allow'],
  429: ['Retry-After'],
  503: ['Retry-After'],
} as const satisfies Partial<Record<RefusalStatus, unknown>>

/** Returns the headers of an error response with this status, in addition to the common header. */
export const refusalHeaders = (status: RefusalStatus): readonly AnswerHeader[] =>
  HEADERS[status as keyof typeof HEADERS] ?? []

/**
 * Returns all named error responses for `components/responses`; `problem` is the schema of their
 * body.
 */
export function problemResponses(
  routes: readonly Route[],
  problem: unknown,
): Record<string, unknown> {
  const response = (description: string, headers: readonly AnswerHeader[]) => ({
    description,
    headers: headerRefs(['X-Request-Id', 'RateLimit', 'RateLimit-Policy', ...headers]),
    content: { 'application/problem+json': { schema: problem } },
  })
  const special = sorted(routes.flatMap(specialRefusals)).map((status) => [
    REFUSAL_NAMES[status],
    response(describeStatus(status), refusalHeaders(status)),
  ])
  const generic = sorted(routes.flatMap(genericRefusals))
  const meanings = generic.map((status) => `\n- ${status}: ${describeStatus(status)}`).join('')
  const headers = [...generic.flatMap(refusalHeaders), 'Allow'] as const
  return {
    ...Object.fromEntries(special),
    [GENERIC]: response(`All other errors, by status:\n${meanings}`, headers),
  }
}

/** Returns all problem codes of a status with their titles, as a description. */
const describeStatus = (status: number): string =>
  Object.entries(PROBLEMS)
    .filter(([, [codeStatus]]) => codeStatus === status)
    .map(([code, [, title]]) => `\`${code}\`: ${title}`)
    .join('. ')

/**
 * Returns the error responses of an operation: references to named responses by status, and to the
 * generic response.
 */
export function refusalsOf(route: Route): Record<string, unknown> {
  const special = specialRefusals(route).map((status) => [
    status,
    responseRef(REFUSAL_NAMES[status]),
  ])
  return { ...Object.fromEntries(special), default: responseRef(GENERIC) }
}

const responseRef = (response: string) => ({ $ref: `#/components/responses/${response}` })

const sorted = (statuses: readonly RefusalStatus[]): RefusalStatus[] =>
  [...new Set(statuses)].sort((a, b) => a - b)

/** Returns the error statuses of an operation that its `default` response does not cover. */
function specialRefusals(route: Route): RefusalStatus[] {
  const generic = genericRefusals(route)
  const all: RefusalStatus[] = [
    ...(route.path.includes('{') ? ([404] as const) : []),
    ...(takes(route, 'idempotency-key') ? ([409, 410] as const) : []),
    ...(takes(route, 'if-match') ? ([409, 412] as const) : []),
    ...(route.refusals ?? []),
  ]
  return sorted(all.filter((status) => !generic.includes(status)))
}

/**
 * Returns the error statuses that an operation's `default` response covers, which follow from the
 * operation's input.
 */
export const genericRefusals = (route: Route): RefusalStatus[] => [
  400,
  500,
  503,
  ...(route.scope === null ? [] : ([401, 403, 429] as const)),
  ...(route.body || route.rawBody ? ([408, 413, 415] as const) : []),
  ...(route.body || takes(route, 'idempotency-key') ? ([422] as const) : []),
]
