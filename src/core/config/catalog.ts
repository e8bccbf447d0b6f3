/** What the engine asks of a resolved config: who may be started, and what an agent may call. */

import { covers } from './tools.ts'
import type { AgentEntry, Grant, Resolved } from './types.ts'

/** Agents that the model may see and start; `internal` ones start only by API, schedule or hook. */
export const spawnable = (resolved: Pick<Resolved, 'agents'>): readonly AgentEntry[] =>
  resolved.agents.filter((agent) => agent.visibility !== 'internal')

/** Whether one agent's tools allow it to start another (`Agent(a, b)`). Ids compare ignoring case. */
export const maySpawn = (agent: Pick<AgentEntry, 'spawns'>, target: string): boolean =>
  agent.spawns === undefined || agent.spawns.some((id) => id.toLowerCase() === target.toLowerCase())

export type ToolRef =
  | { readonly kind: 'builtin'; readonly name: string }
  | { readonly kind: 'mcp'; readonly server: string; readonly name: string }

export const grantOf = (tool: ToolRef): Grant =>
  tool.kind === 'builtin' ? tool.name : `mcp:${tool.server}/${tool.name}`

/** The agent's tools as a predicate: nothing said inherits everything, deny wins. */
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

/** The agent with this id; ids compare as they are written. */
export const findAgent = (resolved: Pick<Resolved, 'agents'>, id: string): AgentEntry | undefined =>
  resolved.agents.find((agent) => agent.id === id)
