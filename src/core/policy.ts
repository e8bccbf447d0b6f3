/**
 * The tenant's policy. Layers switch things on and off in both directions; only the policy narrows
 * for good.
 */

import { matchSegment } from '../lib/glob.ts'
import { nameKey } from '../lib/name.ts'
import type { ToolRule } from './config/types.ts'
import type { MemoryPolicy } from './memory/memory-config.ts'

export interface Price {
  /** US dollars per million tokens. */
  readonly input_per_million: number
  readonly output_per_million: number
  /** Input that the provider's cache held, and input that it took in; absent: like any other. */
  readonly cache_read_per_million?: number | undefined
  readonly cache_write_per_million?: number | undefined
}

export interface Policy {
  /** Globs over names; `*` matches any run of characters. */
  readonly deny: {
    readonly skills: readonly string[]
    readonly servers: readonly string[]
    /** Names as the model sees them: `web_fetch`, `mcp__github__*`. */
    readonly tools: readonly string[]
  }
  /** Tool glob → rule, or rules by arguments; of several that match the strictest counts. */
  readonly approvals: Readonly<Record<string, ToolRule>>
  /**
   * Tools that user-facing agents may have of those that their files grant; null: the built-in
   * list.
   */
  readonly user_facing_tools: readonly string[] | null
  /** Defaults of resolve, runs and fan-outs. */
  readonly strict: boolean
  readonly on_duplicate: 'shadow' | 'reject'
  /** When nothing that a run's lists name is available: refuse the run, or let it go without. */
  readonly on_missing_tools: 'refuse' | 'allow'
  /** Handling of a role without a layer: use the base layer with a warning, or refuse. */
  readonly on_invalid_role: 'base' | 'refuse'
  /** Folder of the base layer with older skills by role (`<folder>/<role>/<skill>/`). */
  readonly skills_role_dir: string
  /** Alias → model reference, looked up before the deployment's own aliases. */
  readonly model_aliases: Readonly<Record<string, string>>
  readonly prices: Readonly<Record<string, Price>>
  /** The domains that tools for the web may reach. */
  readonly web: WebPolicy
  /** How long a run waits out an outage of its model; null: as the deployment says. */
  readonly model_patience_seconds: number | null
  /** Origins of the deployment's list whose pages can read responses; null: all of them. */
  readonly cors_origins: readonly string[] | null
  /** Whose links webhooks of `approval.requested` carry; null: they carry none. */
  readonly approval_links: { readonly key_id: string } | null
  /** The memory of agents whose files say nothing of it. */
  readonly memory: MemoryPolicy
}

interface WebPolicy {
  /** Domains including subdomains; empty: all that are not denied. */
  readonly allowed_domains: readonly string[]
  readonly denied_domains: readonly string[]
  /** Whether pages are left alone that their `robots.txt` does not want read. */
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

/** Why the policy keeps a run from this host; undefined: it does not. */
export function domainRefused({ web }: Pick<Policy, 'web'>, host: string): string | undefined {
  const name = host.toLowerCase().replace(/\.$/, '')
  const within = (domain: string): boolean => name === domain || name.endsWith(`.${domain}`)
  const denies = web.denied_domains.find(within)
  if (denies !== undefined) return `the policy of the tenant denies the domain ${denies}`
  if (web.allowed_domains.length === 0 || web.allowed_domains.some(within)) return undefined
  return `the policy of the tenant does not allow the domain ${name}`
}

/** Whether one of the globs matches; names compare as the eye does, ignoring case and form. */
export const isDenied = (globs: readonly string[], name: string): boolean =>
  globs.some((glob) => matchSegment(nameKey(glob), nameKey(name)))

/** The rules whose glob matches the tool. */
export const approvalsOf = (policy: Policy, tool: string): (readonly [string, ToolRule])[] =>
  Object.entries(policy.approvals).filter(([glob]) => isDenied([glob], tool))

/** Model reference to resolve at the deployment. */
export const aliased = (policy: Policy, reference: string | undefined): string | undefined =>
  reference !== undefined && Object.hasOwn(policy.model_aliases, reference)
    ? policy.model_aliases[reference]
    : reference
