/** Refusals on the wire: `application/problem+json` (RFC 9457) for every 4xx and 5xx. */

import type { Context } from 'hono'
import type { ProblemCode, Refusal } from '../core/problem.ts'
import { PROBLEMS, refusal } from '../core/problem.ts'

/** Thrown by handlers and parsers; the app's error handler answers it. */
export class Refused extends Error {
  override readonly name = 'Refused'
  readonly refusal: Refusal
  readonly headers: Readonly<Record<string, string>>

  constructor(refused: Refusal, headers: Readonly<Record<string, string>> = {}) {
    super(refused.detail)
    this.refusal = refused
    this.headers = headers
  }
}

export const refuse = (
  code: ProblemCode,
  detail: string,
  more: Parameters<typeof refusal>[2] = {},
): Refused => new Refused(refusal(code, detail, more))

/** The problem document as a response. The type URI names the code and locates nothing. */
export function problemResponse(
  c: Context,
  refused: Refusal,
  headers: Readonly<Record<string, string>> = {},
): Response {
  const [status, title] = PROBLEMS[refused.code]
  const body = {
    type: `urn:strata:problem:${refused.code}`,
    title,
    status,
    detail: refused.detail,
    instance: c.req.path,
    code: refused.code,
    request_id: c.get('requestId') as string,
    ...(refused.errors ? { errors: refused.errors } : {}),
    ...refused.extra,
  }
  return new Response(JSON.stringify(body), {
    status,
    headers: { 'content-type': 'application/problem+json', ...headers },
  })
}
