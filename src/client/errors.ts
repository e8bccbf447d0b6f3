/** Errors that a request can fail with. */

import type { components } from './contract.ts'

/** Problem document of a failed request (RFC 9457). */
export type Problem = components['schemas']['Problem']
export type ProblemCode = Problem['code']

/** Base class of all errors of this client. */
export class StrataError extends Error {
  override name = 'StrataError'
}

/** Error response of the server to a rejected or failed request. Distinguish cases by `code`. */
export class ProblemError extends StrataError {
  override name = 'ProblemError'
  readonly status: number
  /** Problem code; absent if the response did not come from Strata, for example from a proxy. */
  readonly code: ProblemCode | undefined
  /** Invalid parts of the request, each with a JSON pointer. */
  readonly errors: NonNullable<Problem['errors']>
  /** ID of the request in the server's logs. */
  readonly requestId: string | undefined
  readonly problem: Problem | undefined
  /** Time in milliseconds to wait before a retry, if the server sent one. */
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

/**
 * The connection failed or the response was cut off; the server may still have processed the
 * request.
 */
export class ConnectionError extends StrataError {
  override name = 'ConnectionError'
}

/** No response arrived before the time-out; the server may still have processed the request. */
export class TimeoutError extends ConnectionError {
  override name = 'TimeoutError'
}

const MOST_TEXT = 2_000

/** Whether the problem's detail already contains the message of its only error. */
const hasSentence = (detail: string, message: string): boolean =>
  detail.toLowerCase().includes(message.toLowerCase().replace(/\.$/, ''))

/** Parses a problem document. Other response bodies, such as those of a proxy, are ignored. */
function objectOf(text: string): Partial<Problem> | undefined {
  try {
    const value = JSON.parse(text) as Partial<Problem> | null
    return typeof value?.detail === 'string' ? value : undefined
  } catch {
    return undefined
  }
}

/** Converts a `Retry-After` value (seconds or a date) to milliseconds from now. */
function retryAfter(value: string | null): number | undefined {
  if (value === null) return undefined
  const seconds = Number(value)
  const ms = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(value) - Date.now()
  return Number.isFinite(ms) ? Math.max(0, ms) : undefined
}
