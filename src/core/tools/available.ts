/**
 * Tools that a deployment supports, among all known tool names. The table is derived from the
 * built-in tools and from the servers in a run's layers, so a new tool becomes available once
 * implemented.
 */

import { getOwn } from '../../lib/own-member.ts'
import { brokenConfig } from '../config/layer/reasons.ts'
import type { Grant, Resolved } from '../config/types.ts'
import { ABSENT, NOT_HERE } from './builtin/absent.ts'
import { BUILTINS } from './builtin/index.ts'

/** Names of the built-in tools. A deployment may not support some of them (`Resolved.lacks`). */
export const OFFERED_TOOLS: ReadonlySet<string> = new Set(BUILTINS.map(({ name }) => name))

const LACKS: ReadonlyMap<string, string> = new Map(ABSENT.map(({ name, lack }) => [name, lack]))

/** Explains why a grant's built-in tool does not exist; returns undefined if it exists. */
export const builtinLack = (grant: Grant): string | undefined =>
  OFFERED_TOOLS.has(grant) || grant === '*' || grant.startsWith('mcp:')
    ? undefined
    : (LACKS.get(grant) ?? NOT_HERE)

export type Servers = Pick<Resolved, 'servers' | 'unavailable'> &
  Partial<Pick<Resolved, 'records' | 'lacks'>>

/** Returns the name of the MCP server in a grant. */
export function serverOf(grant: Grant): string | undefined {
  if (!grant.startsWith('mcp:')) return undefined
  return grant.slice('mcp:'.length, grant.indexOf('/'))
}

/**
 * Explains why a grant has no effect in this deployment and these layers; returns undefined if it
 * may have one.
 */
export function lackOf(
  grant: Grant,
  { servers, unavailable, records = [], lacks = {} }: Servers,
): string | undefined {
  const name = serverOf(grant)
  if (name === undefined) return getOwn(lacks, grant) ?? builtinLack(grant)
  const missing = unavailable.find((entry) => entry.name === name)
  if (missing !== undefined) return `the MCP server is unavailable: ${missing.message}`
  const server = servers.find((entry) => entry.name === name)
  if (server === undefined) {
    const configFault = brokenConfig({ records })
    const none = "this run's layers lack this MCP server"
    return configFault === undefined ? none : `${none}; ${configFault}`
  }
  return server.enabled ? undefined : 'the MCP server is disabled'
}
