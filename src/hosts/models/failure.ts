/**
 * Converts a failed model call to a failure value. Failures have many shapes: an HTTP status, a
 * plain `Error` on a lost connection in workerd, an object inside a stream, or an error of a
 * package. The classification uses all their texts.
 */

import { cut } from '../../lib/bytes.ts'
import { hiding } from '../../lib/hide.ts'
import { retryAfterMs } from '../../lib/retry-after.ts'
import type { ModelFailure } from '../../ports/world.ts'
import { Ended } from '../outbound/deadline.ts'
import { causes, refusedIn } from '../outbound/fetch.ts'
import { EXHAUSTED } from '../outbound/read-budget.ts'
import { oversizedIn } from '../outbound/response-limit.ts'
import { saidIn } from './error-texts.ts'
import { refusalOf } from './refusals.ts'
import { ProviderError } from './wire/provider-error.ts'

const MESSAGE_BYTES = 500

/** Failure of a stream that ended before the model finished; a partial answer is no message. */
export const CUT: ModelFailure = {
  code: 'unavailable',
  message: 'the answer was cut off before it was complete',
  retryable: true,
}

export const ABORTED: ModelFailure = {
  code: 'aborted',
  message: 'the call was aborted',
  retryable: false,
}

/** Returns the failure of a call that exceeded one of the engine's limits on time or size. */
export function endedFailure(error: unknown): ModelFailure | undefined {
  const oversized = oversizedIn(error)
  // Not retryable: the same request would probably produce an equally long answer at the same cost.
  if (oversized && oversized.message !== EXHAUSTED) {
    return { code: 'rejected', message: oversized.message, retryable: false }
  }
  const knownCause =
    oversized ?? refusedIn(error) ?? causes(error).find((cause) => cause instanceof Ended)
  if (knownCause === undefined) return undefined
  return { code: 'unavailable', message: sentenceOf(knownCause), retryable: true }
}

const sentenceOf = (error: Error): string =>
  error instanceof Ended && error.code !== 'too_much'
    ? `the model did not respond in time: ${error.message}`
    : error.message

export interface FailureContext {
  readonly provider: string
  /** Secrets that must never appear in a failure message. */
  readonly secrets: readonly string[]
  /** Current time in milliseconds since 1970, used for `Retry-After` dates. */
  readonly now: number
}

/** Converts a thrown value, or an error inside a stream, to a failure. Never throws. */
export function modelFailure(error: unknown, context: FailureContext): ModelFailure {
  if (OURS.has(text(member(error, 'name')))) {
    return {
      code: 'rejected',
      message: clean(text(member(error, 'message')), context),
      retryable: false,
    }
  }
  const { status, body, header } = answerOf(error)
  const details = saidIn(body)
  // If a response has a success status and an error in the body, the status named in that error is
  // used.
  const effectiveStatus =
    status !== undefined && status >= 300 ? status : (details.status ?? status)
  const code = codeOf(effectiveStatus, details.words)
  const words = clean(details.message, context)
  const wait = retryAfter(header, details.words, context.now)
  return {
    code,
    message: sentence(code, effectiveStatus, words, context),
    retryable: code === 'unavailable' || code === 'rate_limited',
    ...(wait === undefined ? {} : { retryAfterMs: wait }),
  }
}

/** Names of SDK errors for requests that cannot be made; a retry cannot succeed. */
const OURS: ReadonlySet<string> = new Set([
  'AI_InvalidPromptError',
  'AI_InvalidArgumentError',
  'AI_UnsupportedFunctionalityError',
  'AI_NoSuchModelError',
])

/**
 * HTTP statuses of temporary failures: a broken connection, a time-out, or a conflict. Amazon uses
 * 424 for a failed model.
 */
const PASSING: ReadonlySet<number> = new Set([408, 409, 424, 425])

/** Failure codes that a 403 response can mean, apart from a key without permission. */
const FORBIDDEN: ReadonlySet<ModelFailure['code']> = new Set([
  ...(['rejected', 'payment_required', 'rate_limited'] as const),
])

/** Classifies by text first, because some servers send the right text with the wrong status. */
function codeOf(status: number | undefined, words: string): ModelFailure['code'] {
  const refusal = refusalOf(words)
  switch (status) {
    case 401:
      return 'unauthorized'
    case 402:
      return 'payment_required'
    case 403:
      return refusal !== undefined && FORBIDDEN.has(refusal) ? refusal : 'unauthorized'
    case 404:
      return refusal === 'too_long' ? refusal : 'model_not_found'
    case 410:
      return 'model_not_found'
    case 413:
      return 'too_long'
    case 429:
      // A request above the per-minute limit would be rejected in every minute.
      if (/request too large for/.test(words)) return 'too_long'
      return refusal === 'payment_required' ? refusal : 'rate_limited'
  }
  if (status === undefined || status < 300) return refusal ?? unknownCode(words)
  if (status >= 500) return refusal === 'too_long' ? refusal : 'unavailable'
  if (PASSING.has(status)) return 'unavailable'
  return refusal ?? 'rejected'
}

/** Classifies an error that has no status; a retry cannot repair an invalid request. */
const unknownCode = (words: string): ModelFailure['code'] =>
  /invalid_request|invalid_argument|bad_request|validation/.test(words) ? 'rejected' : 'unavailable'

/** Extracts the status and body of the HTTP response from an error. */
function answerOf(error: unknown): {
  readonly status: number | undefined
  readonly body: unknown
  readonly header: (name: string) => string
} {
  if (error instanceof ProviderError) {
    const { status, headers, body } = error.answer
    return { status, body, header: (name) => headers?.get(name) ?? '' }
  }
  const status = member(error, 'statusCode')
  const headers = member(error, 'responseHeaders')
  const raw = member(error, 'responseBody')
  return {
    status: typeof status === 'number' ? status : undefined,
    body: text(raw) === '' ? (error instanceof Error ? { message: error.message } : error) : raw,
    header: (name) => text(member(headers, name)),
  }
}

function sentence(
  code: ModelFailure['code'],
  status: number | undefined,
  words: string,
  { provider }: FailureContext,
): string {
  const text = words || 'the provider reported an error'
  if (code === 'unauthorized' && (status === 401 || status === undefined))
    return `${provider} rejected the API key${words ? `: ${words}` : ''}`
  return status === undefined ? text : `${provider} responded with ${status}: ${text}`
}

/**
 * Returns the retry delay in milliseconds from `retry-after-ms` (sent by some vendors),
 * `retry-after`, or the text ("try again in 20s"). Invalid values are ignored.
 */
function retryAfter(
  header: (name: string) => string,
  words: string,
  now: number,
): number | undefined {
  const exact = header('retry-after-ms')
  const inMs = /^\d{1,9}(\.\d+)?$/.test(exact) ? Math.ceil(Number(exact)) : undefined
  // A `retry-after-ms` of zero is ignored if `retry-after` is also present.
  if (inMs) return inMs
  const inSeconds = retryAfterMs(header('retry-after'), now) ?? inMs
  if (inSeconds !== undefined) return inSeconds
  const [, number, unit = ''] =
    /(?:try again|retry) in (\d{1,6}(?:\.\d+)?)\s?(ms|s|m)/.exec(words) ?? []
  return number === undefined ? undefined : Math.ceil(Number(number) * UNITS[unit]!)
}

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000 }

/** Removes secrets from the vendor's message, including parts of a key that a vendor quotes. */
function clean(message: string, context: FailureContext): string {
  const out = cut(hiding(context.secrets)(message.toWellFormed()), READ_BYTES)
    // Removes vendor keys and credentials in URLs, in case a proxy quotes a key that is unknown
    // here.
    .replace(/\b(sk|pk|key|gsk|xai|AIza)[-_][\w-]{8,}/g, HIDDEN)
    .replace(/\/\/[^\s/@]*@/g, '//')
    .replace(/[\w-]*\*{3,}[\w*-]*/g, HIDDEN)
    .replace(/[\w-]{4,}(?:\.{3}|…)[\w-]{2,}/g, HIDDEN)
    .replace(/[\w-]{8,}/g, (word) =>
      context.secrets.some((secret) => secret.includes(word)) ? HIDDEN : word,
    )
  return cut(out.replace(/\s+/g, ' ').trim(), MESSAGE_BYTES)
}

const HIDDEN = '[redacted]'
/** Maximum length of a message in bytes, because the patterns for key parts are quadratic. */
const READ_BYTES = 1_000

function member(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined
  return (value as Readonly<Record<string, unknown>>)[name]
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '')
