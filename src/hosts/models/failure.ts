/**
 * A failed model call as a value. Failures have many shapes (an answer with a status, a plain
 * `Error` when workerd loses its connection, an object inside a stream, an error of a package); all
 * are judged by everything that they say.
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

/** The stream ended before the model finished, so the received part is no message. */
export const CUT: ModelFailure = {
  code: 'unavailable',
  message: 'the answer was cut off before it was finished',
  retryable: true,
}

export const ABORTED: ModelFailure = {
  code: 'aborted',
  message: 'the call was aborted',
  retryable: false,
}

/** Calls that our own limits have ended: too long, or too much. */
export function endedFailure(error: unknown): ModelFailure | undefined {
  const oversized = oversizedIn(error)
  // The same request is likely to be answered at the same length, at the same cost.
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
  /** Texts that must never appear in a message. */
  readonly secrets: readonly string[]
  /** Milliseconds since 1970, to read a `Retry-After` date against. */
  readonly now: number
}

/** Any thrown value, or an error inside a stream, as a failure. Never throws. */
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
  // A success with an error in it has the status that the error names.
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

/** Errors of the SDK that say the request itself cannot be made; trying again cannot help. */
const OURS: ReadonlySet<string> = new Set([
  'AI_InvalidPromptError',
  'AI_InvalidArgumentError',
  'AI_UnsupportedFunctionalityError',
  'AI_NoSuchModelError',
])

/** A broken connection, a timeout, a conflict; 424: Amazon's word for a model that broke. */
const PASSING: ReadonlySet<number> = new Set([408, 409, 424, 425])

/** Other meanings of a 403 than a key that may not. */
const FORBIDDEN: ReadonlySet<ModelFailure['code']> = new Set([
  ...(['rejected', 'payment_required', 'rate_limited'] as const),
])

/** The words count first: servers send the right words with the wrong status. */
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
      // More than fits the limit of a minute is refused in every minute.
      if (/request too large for/.test(words)) return 'too_long'
      return refusal === 'payment_required' ? refusal : 'rate_limited'
  }
  if (status === undefined || status < 300) return refusal ?? unknownCode(words)
  if (status >= 500) return refusal === 'too_long' ? refusal : 'unavailable'
  if (PASSING.has(status)) return 'unavailable'
  return refusal ?? 'rejected'
}

/** An error without a status: one of the request is not made good by another attempt. */
const unknownCode = (words: string): ModelFailure['code'] =>
  /invalid_request|invalid_argument|bad_request|validation/.test(words) ? 'rejected' : 'unavailable'

/** The status and body of an answer, wherever the error has them. */
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
    return `${provider} refused the API key${words ? `: ${words}` : ''}`
  return status === undefined ? text : `${provider} responded with ${status}: ${text}`
}

/**
 * Milliseconds: `retry-after-ms`, which some vendors send, `retry-after`, or a time that the
 * sentence names ("try again in 20s"). Junk is ignored.
 */
function retryAfter(
  header: (name: string) => string,
  words: string,
  now: number,
): number | undefined {
  const exact = header('retry-after-ms')
  const inMs = /^\d{1,9}(\.\d+)?$/.test(exact) ? Math.ceil(Number(exact)) : undefined
  // Zero next to a number of seconds is meaningless.
  if (inMs) return inMs
  const inSeconds = retryAfterMs(header('retry-after'), now) ?? inMs
  if (inSeconds !== undefined) return inSeconds
  const [, number, unit = ''] =
    /(?:try again|retry) in (\d{1,6}(?:\.\d+)?)\s?(ms|s|m)/.exec(words) ?? []
  return number === undefined ? undefined : Math.ceil(Number(number) * UNITS[unit]!)
}

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000 }

/** The vendor's words without secrets, also without the pieces of a key that vendors quote. */
function clean(message: string, context: FailureContext): string {
  const out = cut(hiding(context.secrets)(message.toWellFormed()), READ_BYTES)
    // Keys of vendors and credentials inside URLs, in case a proxy quotes one that is not ours.
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
/** Limits the sentence, because expressions for parts of keys are quadratic. */
const READ_BYTES = 1_000

function member(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined
  return (value as Readonly<Record<string, unknown>>)[name]
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '')
