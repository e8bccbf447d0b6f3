/**
 * Queries a resolved configuration: which agents may be started, and which tools an agent may call.
 */

import { nameKey } from '../../../lib/name.ts'
import { getOwn } from '../../../lib/own-member.ts'
import { covers } from '../agent/grants.ts'
import type { AgentEntry, Grant, Resolved } from '../types.ts'

/**
 * Returns the agents that a model may see and start. An `internal` agent is started only by API,
 * schedule, or inbound hook.
 */
export const spawnable = (resolved: Pick<Resolved, 'agents'>): readonly AgentEntry[] =>
  resolved.agents.filter((agent) => agent.visibility !== 'internal')

/**
 * Built-in agents of Claude Code and the equivalent built-in agents of Strata. A file with the same
 * name takes precedence.
 */
const STOCK: Readonly<Record<string, string>> = {
  'general-purpose': 'general',
  plan: 'explore',
  'claude-code-guide': 'research-assistant',
  'statusline-setup': 'general',
  'output-style-setup': 'general',
}
const keyOf = (id: string): string => nameKey(id.trim())

/**
 * Whether an agent's tools allow it to start another agent (`Agent(a, b)`), by ID or built-in name.
 */
export const maySpawn = (
  { spawns }: Pick<AgentEntry, 'spawns'>,
  target: string,
  agents: readonly { readonly id: string }[] = [],
): boolean =>
  spawns === undefined ||
  spawns.some((id) => {
    if (keyOf(id) === keyOf(target)) return true
    const spawnable = findAgent({ agents }, id)
    return spawnable !== undefined && keyOf(spawnable.id) === keyOf(target)
  })

export type ToolRef =
  | { readonly kind: 'builtin'; readonly name: string }
  | { readonly kind: 'mcp'; readonly server: string; readonly name: string }

export const grantOf = (tool: ToolRef): Grant =>
  tool.kind === 'builtin' ? tool.name : `mcp:${tool.server}/${tool.name}`

/**
 * Returns a predicate that accepts the agent's tools. An absent list inherits everything, and
 * denials take precedence.
 */
export function grants(
  agent: Pick<AgentEntry, 'tools' | 'disallowed_tools'>,
): (tool: ToolRef) => boolean {
  const { tools, disallowed_tools } = agent
  return (tool) => {
    const grant = grantOf(tool)
    if (disallowed_tools.some((deny) => covers(deny, grant))) return false
    return tools === null || tools.some((allow) => covers(allow, grant))
  }
}

/** Finds an agent by its ID, trimmed and ignoring case, or by a built-in name. */
export function findAgent<A extends { readonly id: string }>(
  { agents }: { readonly agents: readonly A[] },
  id: string,
): A | undefined {
  const key = keyOf(id)
  const exact = agents.find((agent) => agent.id === id) ?? byKey(agents, key)
  const stock = getOwn(STOCK, key)
  return exact ?? (stock === undefined ? undefined : byKey(agents, stock))
}

const byKey = <A extends { readonly id: string }>(agents: readonly A[], key: string) =>
  agents.find((agent) => nameKey(agent.id) === key)
