/**
 * Refusals in the contract. Those that follow from the kind of input an operation takes, and
 * failures of the server, mean the same everywhere: they are one response, the `default` of every
 * operation. It also covers answers that a host or a proxy gives before the route is called. An
 * operation lists the other statuses: those about the state of its resource, and those that its
 * route declares.
 */

import { PROBLEMS } from '../../core/problem.ts'
import { type AnswerHeader, REFUSAL_NAMES, type RefusalStatus } from '../request/names.ts'
import type { Route } from '../request/route.ts'
import { headerRefs, takes } from './headers.ts'

const GENERIC = 'Refusal'

/** Headers that refusals with some statuses carry. */
const HEADERS = {
  401: ['WWW-Authenticate'],
  405: ['Allow'],
  429: ['Retry-After'],
  503: ['Retry-After'],
} as const satisfies Partial<Record<RefusalStatus, unknown>>

/** Headers of a refusal with this status, besides the one of every answer. */
export const refusalHeaders = (status: RefusalStatus): readonly AnswerHeader[] =>
  HEADERS[status as keyof typeof HEADERS] ?? []

/** Every refusal that an operation names, for `components/responses`; `problem`: its body. */
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
    [GENERIC]: response(`Any other refusal or failure, by status:\n${meanings}`, headers),
  }
}

/** Every code of the status with its title. */
const describeStatus = (status: number): string =>
  Object.entries(PROBLEMS)
    .filter(([, [codeStatus]]) => codeStatus === status)
    .map(([code, [, title]]) => `\`${code}\`: ${title}`)
    .join('. ')

/** The refusals of an operation: references to the named ones by status, and to the generic one. */
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

/** The statuses that an operation lists, which its `default` does not cover. */
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

/** Statuses that the `default` of an operation covers, which follow from its input. */
export const genericRefusals = (route: Route): RefusalStatus[] => [
  400,
  500,
  503,
  ...(route.scope === null ? [] : ([401, 403, 429] as const)),
  ...(route.body || route.rawBody ? ([408, 413, 415] as const) : []),
  ...(route.body || takes(route, 'idempotency-key') ? ([422] as const) : []),
]
