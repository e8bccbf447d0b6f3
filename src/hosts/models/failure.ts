/**
 * A failed model call as a value. Providers throw many shapes (an API error with a status, a plain
 * `Error` when workerd loses its connection, an object inside a stream); this file knows them all
 * by their members, so that no provider package need be loaded to judge an error.
 */

import { cut } from '../../lib/bytes.ts'
import { hiding } from '../../lib/hide.ts'
import { retryAfterMs } from '../../lib/retry-after.ts'
import type { ModelFailure } from '../../ports/world.ts'
import { oversizedIn } from '../outbound/bounded.ts'
import { Ended } from '../outbound/deadline.ts'
import { causes, refusedIn } from '../outbound/fetch.ts'

const MESSAGE_BYTES = 500

/** The stream ended before the model said that it had finished: what came is not a message. */
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
  const found =
    oversizedIn(error) ?? refusedIn(error) ?? causes(error).find((one) => one instanceof Ended)
  if (found === undefined) return undefined
  return { code: 'unavailable', message: sentenceOf(found), retryable: true }
}

const sentenceOf = (error: Error): string =>
  error instanceof Ended && error.code !== 'too_much'
    ? `the model did not answer in time: ${error.message}`
    : error.message

export interface FailureContext {
  readonly provider: string
  /** Texts that must never appear in a message. */
  readonly secrets: readonly string[]
  /** Milliseconds since 1970, to read a `Retry-After` date against. */
  readonly now: number
}

/** Any thrown value, or the `error` part of a stream, as a failure. Never throws. */
export function modelFailure(error: unknown, context: FailureContext): ModelFailure {
  const status = member(error, 'statusCode')
  const message = clean(describe(error), context)
  if (typeof status === 'number') {
    return byStatus(status, message, retryAfter(error, context.now), context)
  }
  const kind = `${text(member(error, 'type'))} ${text(member(error, 'code'))}`.toLowerCase()
  if (/rate_?limit|quota/.test(kind)) return { code: 'rate_limited', message, retryable: true }
  if (/authentication|permission|invalid_api_key/.test(kind)) return refusedKey(context)
  if (TOO_LONG.test(`${kind} ${message}`)) return tooLong(message)
  if (/invalid_request|not_found|content_policy/.test(kind)) {
    return { code: 'rejected', message, retryable: false }
  }
  if (OURS.has(text(member(error, 'name')))) return { code: 'rejected', message, retryable: false }
  return { code: 'unavailable', message, retryable: true }
}

/** How vendors say that a request is more than the window takes. */
const TOO_LONG =
  /context.?(length|window|size|limit)|(prompt|input) is too long|too many (input )?tokens|maximum number of tokens/i

const tooLong = (message: string): ModelFailure => ({
  code: 'too_long',
  message,
  retryable: false,
})

/** Errors of the SDK that say the request itself cannot be made; trying again cannot help. */
const OURS: ReadonlySet<string> = new Set([
  'AI_InvalidPromptError',
  'AI_InvalidArgumentError',
  'AI_UnsupportedFunctionalityError',
  'AI_NoSuchModelError',
])

function byStatus(
  status: number,
  message: string,
  retryAfterMs: number | undefined,
  context: FailureContext,
): ModelFailure {
  if (status === 401 || status === 403) return refusedKey(context)
  const said = `${context.provider} answered ${status}: ${message}`
  if (status === 429) return { code: 'rate_limited', message: said, retryable: true, retryAfterMs }
  // A success with a body that cannot be read is a broken answer, not a refusal. 424: Amazon's word
  // for a model that broke.
  if (status < 300 || [408, 409, 424].includes(status) || status >= 500) {
    return { code: 'unavailable', message: said, retryable: true, retryAfterMs }
  }
  if (status === 413 || (status === 400 && TOO_LONG.test(message))) return tooLong(said)
  return { code: 'rejected', message: said, retryable: false }
}

/** Providers like to quote (parts of) the key they refuse, so their sentence is not passed on. */
const refusedKey = (context: FailureContext): ModelFailure => ({
  code: 'unauthorized',
  message: `${context.provider} refused the API key`,
  retryable: false,
})

/** Milliseconds: `retry-after-ms`, which some vendors send, or `retry-after`. Junk is ignored. */
function retryAfter(error: unknown, now: number): number | undefined {
  const headers = member(error, 'responseHeaders')
  const exact = text(member(headers, 'retry-after-ms'))
  if (/^\d{1,9}(\.\d+)?$/.test(exact)) return Math.ceil(Number(exact))
  return retryAfterMs(text(member(headers, 'retry-after')), now)
}

function describe(error: unknown): string {
  if (typeof error === 'string') return error
  const message = text(member(error, 'message'))
  const nested = text(member(member(error, 'error'), 'message'))
  return message || nested || 'the provider reported an error'
}

function clean(message: string, context: FailureContext): string {
  let out = hiding(context.secrets)(message)
  // Vendors' keys and credentials inside URLs, in case a proxy quotes one that is not ours.
  out = out.replace(/\b(sk|pk|key)-[\w-]{8,}/g, '[redacted]').replace(/\/\/[^\s/@]*@/g, '//')
  return cut(out, MESSAGE_BYTES)
}

function member(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined
  return (value as Readonly<Record<string, unknown>>)[name]
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '')
