/**
 * Which tools a deployment really has, of all that are known by name. The table is derived: from
 * the built-ins as they are offered to models, and from the servers that a run's layers resolve to.
 * Nobody keeps it by hand, so that a tool that is built becomes available by being built.
 */

import { own } from '../../lib/own.ts'
import { brokenConfig } from '../config/layer/reasons.ts'
import type { Grant, Resolved } from '../config/types.ts'
import { BUILTINS, SKILL_TOOL, SPAWN_TOOL, SUBAGENTS_TOOL } from './builtin.ts'

/** The tools of ours that every host performs. */
export const OFFERED_TOOLS: ReadonlySet<string> = new Set([
  ...BUILTINS.map(({ name }) => name),
  SKILL_TOOL,
  SPAWN_TOOL,
  SUBAGENTS_TOOL.name,
])

/** Why, where more can be said than that there is none. */
const REASONS: Readonly<Record<string, string>> = {
  web_search: 'no search provider is configured',
  shell_execute: 'this host runs no shell commands',
}

/** Why there is no such tool of ours; undefined when there is one. */
export const builtinLack = (grant: Grant): string | undefined =>
  OFFERED_TOOLS.has(grant) || grant === '*' || grant.startsWith('mcp:')
    ? undefined
    : (own(REASONS, grant) ?? 'this host does not have it')

export type Servers = Pick<Resolved, 'servers' | 'unavailable'> & Partial<Pick<Resolved, 'records'>>

/** The server that a grant names. */
export function serverOf(grant: Grant): string | undefined {
  if (!grant.startsWith('mcp:')) return undefined
  return grant.slice('mcp:'.length, grant.indexOf('/'))
}

/** Why a grant gives nothing here; undefined when it may give something. */
export function lackOf(
  grant: Grant,
  { servers, unavailable, records = [] }: Servers,
): string | undefined {
  const name = serverOf(grant)
  if (name === undefined) return builtinLack(grant)
  const missing = unavailable.find((one) => one.name === name)
  if (missing !== undefined) return `the MCP server is unavailable: ${missing.message}`
  const server = servers.find((one) => one.name === name)
  if (server === undefined) {
    const broken = brokenConfig({ records })
    const none = 'no layer of this run has this MCP server'
    return broken === undefined ? none : `${none}; ${broken}`
  }
  return server.enabled ? undefined : 'the MCP server is switched off'
}
