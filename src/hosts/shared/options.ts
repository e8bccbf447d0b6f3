/** Options of every deployment, read once from its environment. The README lists the variables. */

import { LIMITS } from '../../core/limits.ts'
import { DEFAULT_RATES, type RateLimits } from '../../core/rate-limits.ts'
import type { Lane, Settings } from '../../ports/world.ts'
import { type ModelConfig, type ModelHome, modelConfigFromEnv } from '../models/config.ts'
import { type SearchConfig, searchConfigFromEnv } from '../search/search.ts'
import { type TracesConfig, tracesConfigFromEnv } from '../traces/config.ts'
import { issuersFromEnv } from './issuers.ts'
import { LOG_LEVELS, type LogThreshold } from './log.ts'

export type Environment = Readonly<Record<string, string | undefined>>

export interface CommonOptions {
  /** Maximum number of concurrent partitions per lane. */
  readonly widths: Readonly<Record<Lane | 'resume' | 'delivery', number>>
  readonly limits: Pick<
    Settings,
    | 'maxLiveChildren'
    | 'maxDepth'
    | 'modelPatienceSeconds'
    | 'retentionMs'
    | 'auditRetentionMs'
    | 'allowStdioMcp'
    | 'allowLoopback'
    | 'paused'
    | 'publicUrl'
    | 'hosts'
    | 'corsOrigins'
    | 'rateLimits'
    | 'trustedProxies'
    | 'issuers'
  >
  /**
   * Addresses of this service and its storage; outbound requests to these addresses are rejected.
   */
  readonly ownHosts: readonly string[]
  /** True if shell commands run in a sandbox of the machine. */
  readonly allowShell: boolean
  /** Lowest log level that is printed. */
  readonly logLevel: LogThreshold
  readonly model: ModelConfig
  /** Web search configuration; if absent, web search is disabled. */
  readonly search?: SearchConfig | undefined
  /** Trace export configuration; if absent, traces are not exported. */
  readonly traces?: TracesConfig | undefined
  readonly env: Environment
}

const DAY_MS = 86_400_000
/**
 * Maximum lane width, enough for a thousand runs per second with model calls of 16 seconds. On AWS,
 * the stack sets the limit.
 */
const WIDEST = 16_000

/**
 * Reads the options from the environment; throws a one-line error if a variable is invalid. `home`
 * lists the platform's capabilities.
 */
export function commonOptions(env: Environment, home: ModelHome = {}): CommonOptions {
  return {
    widths: {
      main: wholeNumber(env, 'LANE_MAIN', [64, 1, WIDEST]),
      subagent: wholeNumber(env, 'LANE_SUBAGENT', [128, 1, WIDEST]),
      background: wholeNumber(env, 'LANE_BACKGROUND', [16, 1, WIDEST]),
      resume: wholeNumber(env, 'LANE_RESUME', [128, 1, 1_000]),
      delivery: wholeNumber(env, 'LANE_DELIVERY', [16, 1, 1_000]),
    },
    limits: {
      maxLiveChildren: wholeNumber(env, 'MAX_LIVE_CHILDREN', [LIMITS.live_children, 1, 1_000]),
      maxDepth: wholeNumber(env, 'MAX_DEPTH', [LIMITS.depth, 0, 2]),
      modelPatienceSeconds: wholeNumber(env, 'MODEL_PATIENCE_SECONDS', [
        LIMITS.model_patience_seconds_default,
        0,
        LIMITS.model_patience_seconds_max,
      ]),
      retentionMs: wholeNumber(env, 'RETENTION_DAYS', [30, 0, 36_500]) * DAY_MS || null,
      auditRetentionMs: wholeNumber(env, 'AUDIT_RETENTION_DAYS', [0, 0, 36_500]) * DAY_MS || null,
      allowStdioMcp: flag(env, 'ALLOW_STDIO_MCP'),
      allowLoopback: flag(env, 'ALLOW_LOOPBACK'),
      paused: flag(env, 'STRATA_PAUSED'),
      publicUrl: origin(env, 'STRATA_PUBLIC_URL'),
      corsOrigins: origins(env, 'STRATA_CORS_ORIGINS'),
      rateLimits: { key: rateLimits(env, 'KEY'), tenant: rateLimits(env, 'TENANT') },
      issuers: issuersFromEnv(env),
      trustedProxies: wholeNumber(env, 'TRUSTED_PROXIES', [0, 0, 10]),
    },
    allowShell: flag(env, 'ALLOW_SHELL'),
    logLevel: choice(env, 'LOG_LEVEL', LOG_LEVELS),
    ownHosts: words(env, 'STRATA_OWN_HOSTS'),
    model: modelConfigFromEnv(env, home),
    search: searchConfigFromEnv(env),
    traces: tracesConfigFromEnv(env),
    env,
  }
}

/** Value that disables a limit, because no deployment reaches it. */
const UNLIMITED = 1_000_000_000

const rateLimits = (env: Environment, whose: 'KEY' | 'TENANT'): RateLimits => {
  const of = DEFAULT_RATES[whose === 'KEY' ? 'key' : 'tenant']
  const rate = (name: string, fallback: number) =>
    wholeNumber(env, `${whose}_${name}`, [fallback, 1, UNLIMITED])
  return {
    requests_per_second: rate('REQUESTS_PER_SECOND', of.requests_per_second),
    run_starts_per_minute: rate('RUN_STARTS_PER_MINUTE', of.run_starts_per_minute),
    body_bytes_per_second: rate('BODY_BYTES_PER_SECOND', of.body_bytes_per_second),
  }
}

/** Reads an integer variable within limits; the first of the three numbers is the default. */
export function wholeNumber(
  env: Environment,
  name: string,
  [fallback, least, most]: readonly [number, number, number],
): number {
  const text = env[name]?.trim()
  if (text === undefined || text === '') return fallback
  const value = Number(text)
  if (Number.isInteger(value) && value >= least && value <= most) return value
  throw new Error(`${name} must be a whole number from ${least} to ${most}, not ${text}`)
}

/** Returns the scheme, host, and port of a URL variable; undefined if the variable is not set. */
function origin(env: Environment, name: string): string | undefined {
  const text = env[name]?.trim()
  if (!text) return undefined
  const url = URL.parse(text)
  const isPlain = url?.pathname === '/' && url.search === '' && url.hash === '' && !url.username
  if (isPlain && /^https?:$/.test(url.protocol)) return url.origin
  throw new Error(`${name} must be an origin such as https://agents.example.com`)
}

/** Splits an environment variable at commas or spaces. */
export const words = (env: Environment, name: string): string[] =>
  (env[name] ?? '').split(/[\s,]+/).filter((word) => word !== '')

/** Reads a list of exact origins, because a wildcard or a path would allow more than intended. */
function origins(env: Environment, name: string): readonly string[] {
  const entries = words(env, name)
  for (const origin of entries) {
    if (URL.parse(origin)?.origin === origin && !origin.includes('*')) continue
    const form = 'origins such as https://app.example.com, without a path or a wildcard'
    throw new Error(`${name} must be ${form}, not ${origin}`)
  }
  return entries
}

/**
 * Reads a permission variable: only `true` grants it, and a value other than `true` or `false` is
 * an error.
 */
const flag = (env: Environment, name: string): boolean =>
  choice(env, name, ['false', 'true']) === 'true'

/** Returns the value of a required environment variable; throws if the variable is not set. */
export function required(env: Environment, name: string): string {
  const value = env[name]?.trim()
  if (value) return value
  throw new Error(`${name} is not set`)
}

/** Reads a variable that selects an entry of a list; the first entry is the default. */
export function choice<T extends string>(
  env: Environment,
  name: string,
  words: readonly [T, ...T[]],
): T {
  const text = env[name]?.trim().toLowerCase() || words[0]
  const match = words.find((word) => word === text)
  if (match !== undefined) return match
  throw new Error(`${name} must be one of ${words.join(', ')}, not ${text}`)
}

/**
 * Settings for cloud platforms, where each commit costs money. Results that are not awaited are
 * committed with the model's answer, so a simple run needs two commits. A body above a few KB is
 * cheaper in object storage.
 */
export const CLOUD_SETTINGS = { singleProcess: false, spillBytes: 4_096, flushMs: 5_000 } as const
