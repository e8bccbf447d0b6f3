/**
 * Which tools a run offers to its model, with their texts and how each is performed. The agent's
 * grants and the run's own lists narrow; nothing here widens.
 */

import { visible } from '../../lib/visible.ts'
import type { ToolRef } from '../config/layer/catalog.ts'
import { forModel } from '../config/layer/reasons.ts'
import type { AgentEntry, Resolved, SkillEntry } from '../config/types.ts'
import type { ToolSpec } from '../message.ts'
import { skillDescription, spawnDescription } from '../prompt.ts'
import type { Route } from '../run/pin.ts'
import { lackOf } from './available.ts'
import {
  BUILTINS,
  SKILL_SCHEMA,
  SKILL_TOOL,
  SPAWN_SCHEMA,
  SPAWN_TOOL,
  SUBAGENTS_TOOL,
} from './builtin.ts'
import { mcpToolName } from './mcp-name.ts'
import { usable } from './schema-lint.ts'

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
  /** Whether somebody denies it: it then does not come along with another tool either. */
  readonly denied: (tool: ToolRef) => boolean
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
  const usable = usableSkills(resolved)
  const skills = usable.filter(forModel)
  // Files of a skill that a person has opened are read by the tool, too.
  const wanted = usable.some((skill) => forModel(skill) || skill.files.length > 0)
  if (!wanted || !allowed({ kind: 'builtin', name: SKILL_TOOL })) return
  const description = skillDescription(skills)
  const spec = { name: SKILL_TOOL, description, input_schema: SKILL_SCHEMA }
  add(spec, { kind: 'builtin', tool: SKILL_TOOL, mode: 'repeatable' })
}

function addSpawn({ resolved, spawnable, allowed, denied }: ToolsetInput, add: Add): void {
  if (spawnable === null || !allowed({ kind: 'builtin', name: SPAWN_TOOL })) return
  const description = spawnDescription(spawnable, (grant) => lackOf(grant, resolved))
  add({ name: SPAWN_TOOL, description, input_schema: SPAWN_SCHEMA }, { kind: 'spawn' })
  const { name } = SUBAGENTS_TOOL
  if (denied({ kind: 'builtin', name })) return
  add(SUBAGENTS_TOOL, { kind: 'builtin', tool: name, mode: 'repeatable' })
}

function addRemote({ remote, allowed }: ToolsetInput, add: Add): void {
  for (const [server, list] of remote) {
    for (const { name, description, input_schema, repeatable } of list) {
      if (!allowed({ kind: 'mcp', server, name })) continue
      const shown = mended(visible(description).text, input_schema)
      const spec = { name: mcpToolName(server, name), ...shown }
      const mode = repeatable ? 'repeatable' : 'once'
      add(spec, { kind: 'mcp', server, tool: name, mode })
    }
  }
}

/** Texts of a schema that a model reads; names and values are what the server must be sent. */
const READ: ReadonlySet<string> = new Set(['description', 'title', '$comment'])

function readable(schema: ServerTool['input_schema']): ServerTool['input_schema'] {
  const text = JSON.stringify(schema)
  if (visible(text).hidden === undefined && !/\\(?:u00|b|f)/.test(text)) return schema
  return JSON.parse(text, (key, value) =>
    typeof value === 'string' && READ.has(key) ? visible(value).text : value,
  )
}

/** A schema that is wrong in places takes only those places, and says so beside the description. */
function mended(description: string, schema: ServerTool['input_schema']) {
  const { root, faults } = usable(schema)
  // Only what is within the bounds is walked.
  const input_schema = readable(root)
  if (faults.length === 0) return { description, input_schema }
  const shown = faults
    .slice(0, FAULTS_SHOWN)
    .map(
      ({ pointer, message }) =>
        `${JSON.stringify(visible(pointer.slice(0, POINTER_SHOWN)).text)} (${message})`,
    )
  const more = faults.length > shown.length ? ' and more places' : ''
  const note = `[Arguments are not checked by the parts of the schema at ${shown.join(', ')}${more}.]`
  return { description: description === '' ? note : `${description}\n${note}`, input_schema }
}

const FAULTS_SHOWN = 5
const POINTER_SHOWN = 100
