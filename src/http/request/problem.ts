/** Sends error responses: `application/problem+json` (RFC 9457) for every 4xx and 5xx status. */

import type { Context } from 'hono'
import type { ProblemCode, Refusal } from '../../core/problem.ts'
import { PROBLEMS, refusal } from '../../core/problem.ts'
import { withoutToken } from '../../core/token.ts'
import type { Outcome } from '../../lib/outcome.ts'
import { errorOf, inWordsOf, isOpenAi, statusFor } from '../protocols/openai/error.ts'
import type { Path } from './ignored-members.ts'
import { countingLeftOut, moved } from './refusal-pointer.ts'

/**
 * Error thrown by handlers and parsers to reject a request; the app's error handler sends the
 * response.
 */
export class RequestRefused extends Error {
  override readonly name = 'Refused'
  readonly refusal: Refusal
  readonly headers: Readonly<Record<string, string>>

  constructor(problem: Refusal, headers: Readonly<Record<string, string>> = {}) {
    super(problem.detail)
    this.refusal = problem
    this.headers = headers
  }
}

export const refuse = (
  code: ProblemCode,
  detail: string,
  more: Parameters<typeof refusal>[2] = {},
): RequestRefused => new RequestRefused(refusal(code, detail, more))

/** Returns the result of a successful operation; throws its rejection otherwise. */
export function granted<T>(outcome: Outcome<T, Refusal>): T {
  if (outcome.ok) return outcome.value
  throw new RequestRefused(outcome.error)
}

/** Returns the problem document as a response. The document's type URI only identifies the code. */
export function problemResponse(
  c: Context,
  problem: Refusal,
  headers: Readonly<Record<string, string>> = {},
): Response {
  const { pathname } = new URL(c.req.url)
  const status = statusFor(pathname, PROBLEMS[problem.code][0])
  // The instance is a URI reference, so it contains the path as sent; the router decodes paths.
  const place = { instance: pathname, request_id: c.get('requestId') as string }
  // A 401 response names the required authentication scheme (RFC 9110).
  const challenge = problem.code === 'invalid_signature' ? 'Signature' : 'Bearer'
  const scheme = status === 401 ? { 'www-authenticate': challenge } : {}
  const leftOut: readonly Path[] = c.get('leftOut') ?? []
  const sent = moved(inWordsOf(pathname, problem), (pointer) => countingLeftOut(pointer, leftOut))
  const error = isOpenAi(pathname) ? { error: errorOf(sent, status) } : {}
  const seconds = problem.extra?.retry_after
  const retry = typeof seconds === 'number' ? { 'retry-after': String(seconds) } : {}
  const document = { ...problemDocument(sent, place), status, ...error }
  return new Response(JSON.stringify(document), {
    status,
    headers: { 'content-type': PROBLEM_TYPE, ...scheme, ...retry, ...headers },
  })
}

export const PROBLEM_TYPE = 'application/problem+json'

/**
 * Builds the problem document with members in a fixed order. Platforms also use it for requests
 * that never reach the app.
 */
export function problemDocument(
  { code, detail, errors, extra }: Refusal,
  { instance: path, request_id }: { readonly instance: string; readonly request_id: string },
) {
  const instance = withoutToken(path)
  const [status, title] = PROBLEMS[code]
  const type = `urn:strata:problem:${code}`
  const places = errors ? { errors } : {}
  return { type, title, status, detail, instance, code, request_id, ...places, ...extra }
}
