/** Everything that a request can end with, besides its answer. */

import type { components } from './contract.ts'

/** The document of a refusal (RFC 9457). */
export type Problem = components['schemas']['Problem']
export type ProblemCode = Problem['code']

/** Base of all errors of this client. */
export class StrataError extends Error {
  override name = 'StrataError'
}

/** The server refused the request, or failed at it. Decide by `code`. */
export class ProblemError extends StrataError {
  override name = 'ProblemError'
  readonly status: number
  /** Absent: what answered is no Strata, a proxy for example. */
  readonly code: ProblemCode | undefined
  /** The places of the request that are wrong, as JSON pointers. */
  readonly errors: NonNullable<Problem['errors']>
  /** Names the request in the server's log. */
  readonly requestId: string | undefined
  readonly problem: Problem | undefined
  /** Milliseconds, where the server said when to come again. */
  readonly retryAfterMs: number | undefined

  constructor(response: Response, text: string) {
    const payload = objectOf(text)
    const problem = typeof payload?.code === 'string' ? (payload as Problem) : undefined
    const detail = payload?.detail ?? text.slice(0, MOST_TEXT)
    const places = (problem?.errors ?? [])
      .filter(({ message }) => !hasSentence(detail, message))
      .map(({ pointer, message }) => `${pointer}: ${message}`)
    const sentence = [detail, ...places].join(' ')
    super(`${response.status}: ${sentence.slice(0, MOST_TEXT)}`)
    this.status = response.status
    this.problem = problem
    this.code = problem?.code
    this.errors = problem?.errors ?? []
    this.requestId = response.headers.get('x-request-id') ?? undefined
    this.retryAfterMs = retryAfter(response.headers.get('retry-after'))
  }
}

/** Nothing answered, or the answer broke off: the request may have been taken all the same. */
export class ConnectionError extends StrataError {
  override name = 'ConnectionError'
}

/** No answer in time: the request may have been taken all the same. */
export class TimeoutError extends ConnectionError {
  override name = 'TimeoutError'
}

const MOST_TEXT = 2_000

/** The detail of a request with one fault may already say it. */
const hasSentence = (detail: string, message: string): boolean =>
  detail.toLowerCase().includes(message.toLowerCase().replace(/\.$/, ''))

/** A proxy may answer too: only what looks like a problem is taken for one. */
function objectOf(text: string): Partial<Problem> | undefined {
  try {
    const value = JSON.parse(text) as Partial<Problem> | null
    return typeof value?.detail === 'string' ? value : undefined
  } catch {
    return undefined
  }
}

/** Seconds or a date, as milliseconds from now. */
function retryAfter(value: string | null): number | undefined {
  if (value === null) return undefined
  const seconds = Number(value)
  const ms = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(value) - Date.now()
  return Number.isFinite(ms) ? Math.max(0, ms) : undefined
}
