/**
 * The tools that a deployment has, of all that are known by name. The table is derived from the
 * built-ins as they are offered to models, and from the servers that a run's layers resolve to, so
 * a new tool becomes available by being built.
 */

import { getOwn } from '../../lib/own-member.ts'
import { brokenConfig } from '../config/layer/reasons.ts'
import type { Grant, Resolved } from '../config/types.ts'
import { ABSENT, NOT_HERE } from './builtin/absent.ts'
import { BUILTINS } from './builtin/index.ts'

/** The tools of ours; a deployment may lack some (`Resolved.lacks`). */
export const OFFERED_TOOLS: ReadonlySet<string> = new Set(BUILTINS.map(({ name }) => name))

const LACKS: ReadonlyMap<string, string> = new Map(ABSENT.map(({ name, lack }) => [name, lack]))

/** Why there is no such tool of ours; undefined when there is one. */
export const builtinLack = (grant: Grant): string | undefined =>
  OFFERED_TOOLS.has(grant) || grant === '*' || grant.startsWith('mcp:')
    ? undefined
    : (LACKS.get(grant) ?? NOT_HERE)

export type Servers = Pick<Resolved, 'servers' | 'unavailable'> &
  Partial<Pick<Resolved, 'records' | 'lacks'>>

/** The server that a grant names. */
export function serverOf(grant: Grant): string | undefined {
  if (!grant.startsWith('mcp:')) return undefined
  return grant.slice('mcp:'.length, grant.indexOf('/'))
}

/** Why a grant gives nothing here; undefined when it may give something. */
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
    const none = 'no layer of this run has this MCP server'
    return configFault === undefined ? none : `${none}; ${configFault}`
  }
  return server.enabled ? undefined : 'the MCP server is disabled'
}
