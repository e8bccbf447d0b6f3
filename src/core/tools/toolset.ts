/**
 * Which tools a run offers to its model, with their texts and how each is performed. The agent's
 * grants and the run's own lists narrow; nothing here widens. DESIGN section 7.
 */

import type { ToolRef } from '../config/catalog.ts'
import type { AgentEntry, Resolved, SkillEntry } from '../config/types.ts'
import type { ToolSpec } from '../message.ts'
import { skillDescription, spawnDescription } from '../prompt.ts'
import type { Route } from '../run/pin.ts'
import {
  BUILTINS,
  SKILL_SCHEMA,
  SKILL_TOOL,
  SPAWN_SCHEMA,
  SPAWN_TOOL,
  SUBAGENTS_TOOL,
} from './builtin.ts'
import { mcpToolName } from './mcp-name.ts'

/** A tool of an MCP server, as listed. */
export interface ServerTool {
  readonly name: string
  readonly description: string
  readonly input_schema: Readonly<Record<string, unknown>>
  readonly repeatable: boolean
}

export interface ToolsetInput {
  readonly resolved: Resolved
  /** Whether agent and run allow the tool. */
  readonly allowed: (tool: ToolRef) => boolean
  readonly remote: ReadonlyMap<string, readonly ServerTool[]>
  /** Empty at the depth limit: the spawn tool is then absent. */
  readonly spawnable: readonly AgentEntry[] | null
}

export interface Toolset {
  readonly tools: readonly ToolSpec[]
  readonly routes: Readonly<Record<string, Route>>
}

export function toolset(input: ToolsetInput): Toolset {
  const tools: ToolSpec[] = []
  const routes: Record<string, Route> = Object.create(null)
  const add = (spec: ToolSpec, route: Route): void => {
    if (spec.name in routes) return
    tools.push(spec)
    routes[spec.name] = route
  }
  for (const { mode, ...spec } of BUILTINS) {
    if (!input.allowed({ kind: 'builtin', name: spec.name })) continue
    add(spec, { kind: 'builtin', tool: spec.name, mode })
  }
  addSkill(input, add)
  addSpawn(input, add)
  addRemote(input, add)
  return { tools, routes }
}

type Add = (spec: ToolSpec, route: Route) => void

export const usableSkills = (resolved: Resolved): SkillEntry[] =>
  resolved.skills.filter((skill) => skill.enabled && skill.available)

function addSkill({ resolved, allowed }: ToolsetInput, add: Add): void {
  const skills = usableSkills(resolved)
  if (skills.length === 0 || !allowed({ kind: 'builtin', name: SKILL_TOOL })) return
  const description = skillDescription(skills)
  const spec = { name: SKILL_TOOL, description, input_schema: SKILL_SCHEMA }
  add(spec, { kind: 'builtin', tool: SKILL_TOOL, mode: 'repeatable' })
}

function addSpawn({ spawnable, allowed }: ToolsetInput, add: Add): void {
  if (spawnable === null || !allowed({ kind: 'builtin', name: SPAWN_TOOL })) return
  const description = spawnDescription(spawnable)
  add({ name: SPAWN_TOOL, description, input_schema: SPAWN_SCHEMA }, { kind: 'spawn' })
  const { name } = SUBAGENTS_TOOL
  add(SUBAGENTS_TOOL, { kind: 'builtin', tool: name, mode: 'repeatable' })
}

function addRemote({ remote, allowed }: ToolsetInput, add: Add): void {
  for (const [server, list] of remote) {
    for (const { name, description, input_schema, repeatable } of list) {
      if (!allowed({ kind: 'mcp', server, name })) continue
      const spec = { name: mcpToolName(server, name), description, input_schema }
      const mode = repeatable ? 'repeatable' : 'once'
      add(spec, { kind: 'mcp', server, tool: name, mode })
    }
  }
}
