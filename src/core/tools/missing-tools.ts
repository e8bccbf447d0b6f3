/**
 * Missing tools: tools that a run's agent or caller names but that this deployment does not have.
 * An agent that inherits all tools names none.
 */

import { covers, translate, translateDenied } from '../config/agent/grants.ts'
import type { AgentEntry, Grant } from '../config/types.ts'
import type { Policy } from '../policy.ts'
import { lackOf, type Servers } from './available.ts'

interface MissingTool {
  readonly grant: Grant
  readonly why: string
}
export interface Promised {
  readonly missing: readonly MissingTool[]
  /** Whether tools are listed but all of them are missing. */
  readonly nothing: boolean
}

export interface CallerLists {
  readonly tools: readonly string[] | null
  readonly disallowed_tools: readonly string[]
}

/**
 * Translates a tool name to Strata's grants. Callers may use any product's vocabulary (`Read`,
 * `mcp__x__y`), as in agent files.
 */
export const inOurWords = (name: string): readonly Grant[] => translate(name.trim()) ?? [name]

/**
 * Returns the grants that a denial covers. A denial of some uses (`Bash(rm *)`) denies the entire
 * tool, because uses cannot be distinguished here.
 */
export const deniedWords = (name: string): readonly Grant[] =>
  translateDenied(withoutSpecifier(name)) ?? [name]

export function withoutSpecifier(name: string): string {
  const at = name.indexOf('(')
  return (at !== -1 && name.endsWith(')') ? name.slice(0, at) : name).trim()
}

export function promised(
  agent: Pick<AgentEntry, 'tools' | 'asked_tools' | 'guessed'>,
  caller: CallerLists,
  resolved: Servers,
): Promised {
  const listedGrants = intersect(listOf(agent), caller.tools?.flatMap(inOurWords) ?? null)
  if (listedGrants === null) return { missing: [], nothing: false }
  const denials = caller.disallowed_tools.flatMap(deniedWords)
  const requested = listedGrants.filter((grant) => !denials.some((deny) => covers(deny, grant)))
  const missing = requested.flatMap((grant) => {
    const reason = lackOf(grant, resolved)
    return reason === undefined ? [] : [{ grant, why: reason }]
  })
  const lacksAll = missing.length > 0 && missing.length === requested.length
  // A name that may mean tools of several servers is not reported, because one of these servers may
  // exist.
  return {
    missing: missing.filter(({ grant }) => !agent.guessed?.includes(grant)),
    nothing: lacksAll,
  }
}

/** Returns the tools that an agent names; a user-facing file without a tool list names none. */
const listOf = ({ tools, asked_tools }: Pick<AgentEntry, 'tools' | 'asked_tools'>) =>
  asked_tools === null ? null : tools

/** Returns the tools that both lists allow; null if neither list is present. */
function intersect(left: readonly Grant[] | null, right: readonly Grant[] | null) {
  if (left === null || right === null) return left ?? right
  const within = (some: readonly Grant[], allowed: readonly Grant[]) =>
    some.filter((grant) => allowed.some((wide) => covers(wide, grant)))
  return [...new Set([...within(left, right), ...within(right, left)])]
}

/** Describes missing tools for people and models, up to a maximum number. */
const missingText = (missing: readonly MissingTool[]): string =>
  missing
    .slice(0, MAX_SHOWN)
    .map(({ grant, why: reason }) => `${JSON.stringify(grant.slice(0, 200))} (${reason})`)
    .join(', ') + (missing.length > MAX_SHOWN ? ` and ${missing.length - MAX_SHOWN} more` : '')

const MAX_SHOWN = 10

/**
 * Explains why missing tools prevent a run of this agent; returns undefined if the run may start.
 */
export function missingRefused(
  agent: Pick<AgentEntry, 'id' | 'tools' | 'asked_tools' | 'guessed'>,
  caller: CallerLists,
  resolved: Servers,
  { strict, on_missing_tools }: Pick<Policy, 'strict' | 'on_missing_tools'>,
): { readonly code: 'strict' | 'tool_unavailable'; readonly detail: string } | undefined {
  const { missing, nothing: lacksAll } = promised(agent, caller, resolved)
  const who = `the agent ${JSON.stringify(agent.id)}`
  if (strict && missing.length > 0) {
    const detail = `Strict mode rejects tools that are unavailable for ${who}: ${missingText(missing)}.`
    return { code: 'strict', detail }
  }
  if (!lacksAll || on_missing_tools === 'allow') return undefined
  const which = missing.length === 0 ? 'no server has them' : missingText(missing)
  return { code: 'tool_unavailable', detail: `No tools available for ${who}: ${which}.` }
}
