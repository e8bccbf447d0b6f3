/**
 * Tenant policy. Layers can enable and disable features; only the policy restricts them
 * permanently.
 */

import { matchSegment } from '../lib/glob.ts'
import { nameKey } from '../lib/name.ts'
import type { ToolRule } from './config/types.ts'
import type { MemoryPolicy } from './memory/memory-config.ts'

export interface Price {
  /** Price in US dollars per million input tokens. */
  readonly input_per_million: number
  readonly output_per_million: number
  /**
   * Prices in US dollars per million input tokens read from, and written to, the provider's cache;
   * if absent, the regular price applies.
   */
  readonly cache_read_per_million?: number | undefined
  readonly cache_write_per_million?: number | undefined
}

export interface Policy {
  /**
   * Globs that deny tools, servers, and other entries by name; `*` matches any sequence of
   * characters.
   */
  readonly deny: {
    readonly skills: readonly string[]
    readonly servers: readonly string[]
    /** Globs over tool names as the model sees them: `web_fetch`, `mcp__github__*`. */
    readonly tools: readonly string[]
  }
  /**
   * Approval rules by tool glob, each a rule or rules by arguments; if several globs match, the
   * strictest rule applies.
   */
  readonly approvals: Readonly<Record<string, ToolRule>>
  /**
   * Tools that user-facing agents may use if their files grant them; null for the built-in tools.
   */
  readonly user_facing_tools: readonly string[] | null
  /** Default of strict mode for resolutions, runs, and fan-outs. */
  readonly strict: boolean
  readonly on_duplicate: 'shadow' | 'reject'
  /** Whether a run is rejected or started if none of its agent's listed tools is available. */
  readonly on_missing_tools: 'refuse' | 'allow'
  /** Whether a role without a layer uses the base layer with a warning, or is rejected. */
  readonly on_invalid_role: 'base' | 'refuse'
  /** Folder of the base layer that contains legacy skills by role (`<folder>/<role>/<skill>/`). */
  readonly skills_role_dir: string
  /** Model references by alias; they take precedence over the deployment's aliases. */
  readonly model_aliases: Readonly<Record<string, string>>
  readonly prices: Readonly<Record<string, Price>>
  /** Rules for the domains that web tools may access. */
  readonly web: WebPolicy
  /**
   * Maximum time in seconds that a run waits during a model outage; null for the deployment's
   * default.
   */
  readonly model_patience_seconds: number | null
  /**
   * Origins, from the deployment's list, whose pages may read responses; null for all origins in
   * the list.
   */
  readonly cors_origins: readonly string[] | null
  /** API key that signs the links in `approval.requested` webhooks; null to send no links. */
  readonly approval_links: { readonly key_id: string } | null
  /** Memory settings for agents whose files have no `memory` settings. */
  readonly memory: MemoryPolicy
}

interface WebPolicy {
  /** Allowed domains, including their subdomains; if empty, all domains that are not denied. */
  readonly allowed_domains: readonly string[]
  readonly denied_domains: readonly string[]
  /** Whether web tools obey `robots.txt`. */
  readonly robots: 'respect' | 'ignore'
}

export const DEFAULT_POLICY: Policy = {
  deny: { skills: [], servers: [], tools: [] },
  approvals: {},
  user_facing_tools: null,
  strict: false,
  on_duplicate: 'shadow',
  on_missing_tools: 'refuse',
  on_invalid_role: 'base',
  skills_role_dir: 'skills',
  model_aliases: {},
  prices: {},
  web: { allowed_domains: [], denied_domains: [], robots: 'respect' },
  model_patience_seconds: null,
  cors_origins: null,
  approval_links: null,
  memory: { scope: null, start: true },
}

/** Explains why the policy blocks a host; returns undefined if the host is allowed. */
export function domainRefused({ web }: Pick<Policy, 'web'>, host: string): string | undefined {
  const name = host.toLowerCase().replace(/\.$/, '')
  const within = (domain: string): boolean => name === domain || name.endsWith(`.${domain}`)
  const denies = web.denied_domains.find(within)
  if (denies !== undefined) return `the tenant's policy denies the domain ${denies}`
  if (web.allowed_domains.length === 0 || web.allowed_domains.some(within)) return undefined
  return `the tenant's policy does not allow the domain ${name}`
}

/** Whether any of the globs matches a name. Case and Unicode form are ignored. */
export const isDenied = (globs: readonly string[], name: string): boolean =>
  globs.some((glob) => matchSegment(nameKey(glob), nameKey(name)))

/** Returns the approval rules whose glob matches a tool. */
export const approvalsOf = (policy: Policy, tool: string): (readonly [string, ToolRule])[] =>
  Object.entries(policy.approvals).filter(([glob]) => isDenied([glob], tool))

/** Replaces an alias of the tenant's policy with the model reference it stands for. */
export const aliased = (policy: Policy, reference: string | undefined): string | undefined =>
  reference !== undefined && Object.hasOwn(policy.model_aliases, reference)
    ? policy.model_aliases[reference]
    : reference
