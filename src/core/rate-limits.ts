/**
 * Rate limits as token buckets: a bucket has a capacity and refills at a steady rate. While at
 * least one token is left, any request is admitted; if it costs more than the remaining tokens,
 * later requests wait longer. Large requests are therefore always possible.
 */

import { LIMITS } from './limits.ts'

export const RATE_KINDS = ['requests', 'run_starts', 'body_bytes'] as const
export type RateKind = (typeof RATE_KINDS)[number]

/** Rate limits of an API key or a tenant. */
export interface RateLimits {
  readonly requests_per_second: number
  readonly run_starts_per_minute: number
  readonly body_bytes_per_second: number
}

/** Rate limits set for one API key; absent members use the default. */
export type KeyRateLimits = { readonly [K in keyof RateLimits]?: number | undefined }

/** Default rate limits, for deployments that set none. */
export const DEFAULT_RATES: { readonly key: RateLimits; readonly tenant: RateLimits } = {
  key: {
    requests_per_second: LIMITS.key_requests_per_second,
    run_starts_per_minute: LIMITS.key_run_starts_per_minute,
    body_bytes_per_second: LIMITS.key_body_bytes_per_second,
  },
  tenant: {
    requests_per_second: LIMITS.tenant_requests_per_second,
    run_starts_per_minute: LIMITS.tenant_run_starts_per_minute,
    body_bytes_per_second: LIMITS.tenant_body_bytes_per_second,
  },
}

export const RATE_NAMES = Object.keys(DEFAULT_RATES.key) as readonly (keyof RateLimits)[]

export interface Rate {
  readonly perSecond: number
  /** Capacity of the bucket in tokens, at least 1. */
  readonly burst: number
  /** Time in seconds in which an empty bucket becomes full. */
  readonly window: number
}

const WINDOWS = { requests: 2, run_starts: 60, body_bytes: 10 } as const

export function rateOf(limits: RateLimits, kind: RateKind): Rate {
  const perSecond = {
    requests: limits.requests_per_second,
    run_starts: limits.run_starts_per_minute / 60,
    body_bytes: limits.body_bytes_per_second,
  }[kind]
  const window = WINDOWS[kind]
  return { perSecond, window, burst: Math.max(1, Math.round(perSecond * window)) }
}

/** Number of tokens in a bucket at the time `at`, in milliseconds. */
export interface Level {
  readonly tokens: number
  readonly at: number
}

/**
 * Returns the level of a bucket at a later time. Clock differences between servers never remove
 * tokens.
 */
export function refilled({ tokens, at }: Level, rate: Rate, now: number): Level {
  const passed = Math.max(0, now - at)
  const next = Math.min(rate.burst, tokens + (passed / 1_000) * rate.perSecond)
  return { tokens: next, at: Math.max(at, now) }
}

/** Returns the number of seconds until a token is available, rounded up and at least 1. */
export const secondsUntil = (tokens: number, { perSecond }: Rate): number =>
  Math.max(1, Math.ceil((1 - tokens) / perSecond))
