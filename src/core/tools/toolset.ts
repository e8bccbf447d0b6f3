/**
 * Tools that a run offers to its model, with their descriptions and routes. The agent's grants and
 * the run's own lists only restrict the set and never add tools.
 */

import { visible } from '../../lib/invisible-characters.ts'
import type { ToolRef } from '../config/layer/catalog.ts'
import type { AgentEntry, Resolved, SkillEntry } from '../config/types.ts'
import type { RunMemory } from '../memory/settings.ts'
import type { ToolSpec } from '../message.ts'
import type { Pin, Route } from '../run/log/pin.ts'
import { lackOf } from './available.ts'
import { BUILTINS } from './builtin/index.ts'
import { SEVERAL_SERVERS, shellStart } from './builtin/shell-start.ts'
import type { BuiltinTool, OfferedTo } from './builtin/tool.ts'
import { searchText, toolSearch } from './builtin/tool-search.ts'
import { deferredOf } from './deferred-tools.ts'
import { mcpToolName } from './mcp-name.ts'
import { usable } from './schema-lint.ts'
import { uncheckedBy } from './tool-findings.ts'

/** Tool of an MCP server, as the server lists it. */
export interface ServerTool {
  readonly name: string
  readonly description: string
  readonly input_schema: Readonly<Record<string, unknown>>
  readonly repeatable: boolean
}

export interface ToolsetInput {
  readonly resolved: Resolved
  /** Whether the agent and the run allow a tool. */
  readonly allowed: (tool: ToolRef) => boolean
  /** Whether a rule denies a tool. A denied tool is not included with another tool either. */
  readonly denied: (tool: ToolRef) => boolean
  readonly remote: ReadonlyMap<string, readonly ServerTool[]>
  /** Whether the run inherits all tools, because neither agent file nor caller names any. */
  readonly inherited?: boolean
  readonly subagent?: boolean
  /** Agents that the run may start; null at the depth limit, where the spawn tool is omitted. */
  readonly spawnable: readonly AgentEntry[] | null
  readonly memory?: RunMemory | undefined
  /** Functions that the caller performs. Their names are unique. */
  readonly caller?: readonly ToolSpec[]
  /** Window of the run's models, in tokens; absent if unknown. */
  readonly window?: number
}

export type Toolset = Pick<Pin, 'tools' | 'routes' | 'deferred' | 'deferred_operations'>

export function toolset(input: ToolsetInput): Toolset {
  const tools: ToolSpec[] = []
  const routes: Record<string, Route> = Object.create(null)
  const add = (spec: ToolSpec, route: Route): void => {
    if (spec.name in routes) return
    tools.push(spec)
    routes[spec.name] = route
  }
  const run: OfferedTo = {
    skills: usableSkills(input.resolved),
    spawnable: input.spawnable,
    memory: input.memory,
    subagent: input.subagent === true,
    machine: [undefined, SEVERAL_SERVERS].includes(lackOf(shellStart.name, input.resolved)),
    lacks: (grant) => lackOf(grant, input.resolved),
  }
  for (const tool of BUILTINS) {
    if (!mayHave(tool, input, routes)) continue
    const description = tool.offered?.text ? tool.offered.text(run) : tool.description
    if (description === undefined) continue
    add({ name: tool.name, description, input_schema: tool.input_schema }, routeOf(tool))
  }
  for (const tool of input.caller ?? []) add(tool, { kind: 'caller' })
  const ownCount = tools.length
  addRemote(input, add)
  const bytes = { of: tools.slice(ownCount), window: input.window }
  const deferred = deferredOf(routes, input.inherited === true, bytes)
  if (Object.keys(deferred).length === 0 || !maySearch(input)) return { tools, routes }
  const { name, input_schema } = toolSearch
  add({ name, description: searchText(deferred), input_schema }, routeOf(toolSearch))
  const remote = tools.slice(ownCount, -1)
  return {
    tools: [...tools.slice(0, ownCount), ...tools.slice(-1), ...remote],
    routes,
    ...deferred,
  }
}

type Add = (spec: ToolSpec, route: Route) => void

export const usableSkills = (resolved: Resolved): SkillEntry[] =>
  resolved.skills.filter((skill) => skill.enabled && skill.available)

/**
 * Whether tool search is allowed. Without it, no tools are deferred, because the model could not
 * find them.
 */
const maySearch = ({ denied: isDenied }: ToolsetInput): boolean =>
  !isDenied({ kind: 'builtin', name: toolSearch.name })

function mayHave({ name, offered }: BuiltinTool, input: ToolsetInput, routes: object): boolean {
  if (Object.hasOwn(input.resolved.lacks ?? {}, name)) return false
  const ref: ToolRef = { kind: 'builtin', name }
  if (offered?.deferring) return false
  return offered?.with === undefined
    ? input.allowed(ref)
    : offered.with in routes && !input.denied(ref)
}

const routeOf = ({ name, mode }: BuiltinTool): Route =>
  mode === 'spawn' ? { kind: 'spawn' } : { kind: 'builtin', tool: name, mode }

function addRemote({ remote, allowed }: ToolsetInput, add: Add): void {
  for (const [server, list] of remote) {
    for (const { name, description, input_schema, repeatable } of list) {
      if (!allowed({ kind: 'mcp', server, name })) continue
      const presented = readableTool(visible(description).text, input_schema)
      const spec = { name: mcpToolName(server, name), ...presented }
      const mode = repeatable ? 'repeatable' : 'once'
      add(spec, { kind: 'mcp', server, tool: name, mode })
    }
  }
}

/** Schema members that the model reads; names and values are sent to the server unchanged. */
const READ: ReadonlySet<string> = new Set(['description', 'title', '$comment'])

function readable(schema: ServerTool['input_schema']): ServerTool['input_schema'] {
  const text = JSON.stringify(schema)
  if (visible(text).hidden === undefined && !/\\(?:u00|b|f)/.test(text)) return schema
  return JSON.parse(text, (key, value) =>
    typeof value === 'string' && READ.has(key) ? visible(value).text : value,
  )
}

/**
 * Returns a tool's description and usable schema. Broken schema parts are removed and mentioned in
 * the description.
 */
function readableTool(description: string, schema: ServerTool['input_schema']) {
  const { root, faults } = usable(schema)
  // Only a schema within the size limits is traversed.
  const input_schema = readable(root)
  if (faults.length === 0) return { description, input_schema }
  const words = uncheckedBy(faults)
  const note = `[${words[0]!.toUpperCase()}${words.slice(1)}.]`
  return { description: description === '' ? note : `${description}\n${note}`, input_schema }
}
