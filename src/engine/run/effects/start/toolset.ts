/** Tools offered to a run when it starts, and notes about unavailable servers and tools. */

import { warning } from '../../../../core/config/diagnostic.ts'
import { grants, type ToolRef } from '../../../../core/config/layer/catalog.ts'
import type { AgentEntry, Grant, Resolved, ServerEntry } from '../../../../core/config/types.ts'
import { isManaging } from '../../../../core/manage/registry.ts'
import { isDenied, type Policy } from '../../../../core/policy.ts'
import { serverNote, toolNote } from '../../../../core/prompt.ts'
import type { Inherited, RunSpec, RunWarning } from '../../../../core/run/log/facts.ts'
import type { MissingServer } from '../../../../core/run/log/pin.ts'
import { WARNINGS } from '../../../../core/run/state/warning.ts'
import { serverOf } from '../../../../core/tools/available.ts'
import { mcpToolName } from '../../../../core/tools/mcp-name.ts'
import { deniedWords, inOurWords, promised } from '../../../../core/tools/missing-tools.ts'
import { agentArguments } from '../../../../core/tools/rules.ts'
import { textsIn, toolFindings } from '../../../../core/tools/tool-findings.ts'
import type { ServerTool } from '../../../../core/tools/toolset.ts'
import { describeHidden, hiddenIn, quoteText } from '../../../../lib/invisible-characters.ts'
import {
  AUTHORIZATION_FAILED,
  AUTHORIZATION_REQUIRED,
  type ListFinding,
  TLS_FAILED,
} from '../../../../ports/world.ts'
import type { Context } from '../context.ts'
import { listInTime } from './time.ts'

/** Notices about missing tools and servers: notes for the model, and warnings for people. */
interface ToolNotices {
  readonly notes: readonly string[]
  readonly warnings: readonly RunWarning[]
}

/** Returns tools that the agent or the caller lists but the run does not have. */
export function missingTools(
  agent: AgentEntry,
  spec: RunSpec,
  resolved: Resolved,
): ToolNotices & { readonly tools: readonly { readonly tool: string; readonly why: string }[] } {
  const { missing } = promised(agent, spec, resolved)
  // The model gets a separate note about each unavailable server, so its tools are not listed.
  const downServers = new Set(
    resolved.unavailable.filter(({ code }) => code !== 'disabled').map(({ name }) => name),
  )
  const unreported = missing.filter(({ grant }) => !downServers.has(serverOf(grant) ?? ''))
  return {
    tools: missing.map(({ grant, why: reason }) => ({ tool: grant, why: reason })),
    notes: unreported.slice(0, WARNINGS).map(({ grant, why: reason }) => toolNote(grant, reason)),
    warnings: missing
      .slice(0, WARNINGS)
      .map(({ grant, why: reason }) => warned('tool_unavailable', `Tool ${grant}: ${reason}`)),
  }
}

/** Functions that decide by tool whether calls are permitted. */
export interface Grants {
  readonly allowed: (tool: ToolRef) => boolean
  /** Returns whether the policy, the caller, the agent file, or an ancestor denies a tool. */
  readonly denied: (tool: ToolRef) => boolean
  /** Whether neither the agent file nor the request lists tools. */
  readonly inherited: boolean
}

/** Intersects the caller's tool lists with the agent's grants. A denial at any level wins. */
export function grantsOf(agent: AgentEntry, spec: RunSpec, policy: Policy): Grants {
  const disallowed_tools = [
    ...agent.disallowed_tools,
    ...spec.disallowed_tools.flatMap(deniedWords),
    ...(spec.above?.denied ?? []),
  ]
  const undenied = grants({ tools: null, disallowed_tools })
  const granted = grants({ tools: agent.tools, disallowed_tools })
  const requested = grants({ tools: spec.tools?.flatMap(inOurWords) ?? null, disallowed_tools: [] })
  const isRefused = (tool: ToolRef) => isDenied(policy.deny.tools, nameOf(tool)) || !undenied(tool)
  return {
    inherited: agent.tools === null && spec.tools === null,
    denied: isRefused,
    allowed: (tool) => {
      if (isRefused(tool)) return false
      // An agent without a tool list inherits all tools, but a subagent never inherits management
      // tools.
      const inherited = spec.depth > 0 && agent.tools === null
      if (inherited && tool.kind === 'builtin' && isManaging(tool.name)) return false
      return granted(tool) && requested(tool)
    },
  }
}

/** Returns the tool rules that subagents inherit. The agent's tool list is not inherited. */
export function handedDown(agent: AgentEntry, { above }: RunSpec): Inherited | undefined {
  const denials = [...(above?.denied ?? []), ...(agent.hands_down ?? agent.disallowed_tools)]
  const asks = (agent.asks ?? []).map((tool) => ({ tool, agent: agent.id }))
  const all = [...(above?.asks ?? []), ...asks]
  const rules = [...(above?.argument_rules ?? []), ...agentArguments(agent, 'handed down')]
  if (denials.length + all.length + rules.length === 0) return undefined
  const first = all.filter((ask, at) => all.findIndex(({ tool }) => tool === ask.tool) === at)
  const byArguments = rules.length === 0 ? {} : { argument_rules: rules }
  return { denied: [...new Set(denials)], asks: first, ...byArguments }
}

/** Returns the name under which the model sees a tool. */
const nameOf = (tool: ToolRef): string =>
  tool.kind === 'builtin' ? tool.name : mcpToolName(tool.server, tool.name)

/** Tool that a server lists but that cannot be used. */
interface LeftOut {
  readonly tool: Grant
  readonly why: string
}

/** Loads remote tools. A failed server or tool adds a note and does not affect the others. */
export async function remoteTools(context: Context, resolved: Resolved, agent: AgentEntry) {
  const notes: string[] = []
  const warnings: RunWarning[] = []
  const servers: MissingServer[] = []
  const down = new Map<string, string>()
  const missing = (name: string, code: string, reason: string): void => {
    servers.push({ name, code, why: reason })
    notes.push(serverNote(name, code, reason))
    warnings.push(warned(code, `MCP server ${name}: ${reason}`))
  }
  for (const { name, code, message } of resolved.unavailable) {
    if (code === 'disabled') servers.push({ name, code, why: message })
    else missing(name, code, message)
  }
  const unusable = new Set(resolved.unavailable.map(({ name }) => name))
  const usable = resolved.servers.filter(({ enabled, name }) => enabled && !unusable.has(name))
  const lists = await listInTime(context, usable, agent)
  const remote = new Map<string, readonly ServerTool[]>()
  const leftOut: LeftOut[] = []
  for (const [at, list] of lists.entries()) {
    const server = usable[at]!
    if (list.ok) {
      const { findings = [] } = list
      remote.set(server.name, list.value)
      warnings.push(...listWarnings(server, findings), ...hiddenTools(server, list.value))
      warnings.push(...oddTools(server, list.value))
      const messages = findings
        .filter((finding) => !isMended(finding))
        .map(({ message }) => message)
      if (messages.length > 0) notes.push(serverNote(server.name, 'tool_list', messages.join('; ')))
      for (const { tool, left_out, message } of findings) {
        if (!left_out || tool === null) continue
        leftOut.push({ tool: `mcp:${server.name}/${tool}`, why: message })
      }
    } else {
      const [code, reason] = lackOf(list.error)
      missing(server.name, code, reason)
      down.set(server.name, reason.replace(/\.$/, ''))
    }
  }
  return { remote, notes, warnings, servers, down, leftOut }
}

const isMended = ({ tool, left_out }: ListFinding): boolean => tool !== null && !left_out

/**
 * Returns warnings about a server's tool list: one per omitted tool and per finding, and one for
 * all corrected tools.
 */
function listWarnings({ name }: ServerEntry, findings: readonly ListFinding[]): RunWarning[] {
  const of = (code: string, message: string) => warned(code, `MCP server ${name}: ${message}`)
  const repairs = findings.filter(isMended).map(({ message }) => message)
  return [
    ...findings
      .filter((finding) => !isMended(finding))
      .map(({ left_out, message }) => of(left_out ? 'tool_left_out' : 'tool_list', message)),
    ...(repairs.length === 0 ? [] : [of('tool_mended', repairs.join('; '))]),
  ]
}

/** Formats a warning like a diagnostic: on one line, with bounded length. */
function warned(code: string, text: string): RunWarning {
  const { message } = warning(code, text)
  return { code, message }
}

/** Reports a server's tools with hidden text, which is escaped for the model. */
function hiddenTools({ name }: ServerEntry, tools: readonly ServerTool[]): RunWarning[] {
  return tools.flatMap((tool) => {
    const hidden = hiddenIn(`${tool.name}\n${tool.description}\n${textsIn(tool.input_schema)}`)
    if (!hidden) return []
    const message = `MCP server ${name}: the tool ${quoteText(tool.name, 80)} has ${describeHidden(hidden)}`
    return [warned('hidden_characters', message)]
  })
}

/** Reports a server's tools that give the model orders, or whose schemas were adapted. */
function oddTools({ name }: ServerEntry, tools: readonly ServerTool[]): RunWarning[] {
  return toolFindings(tools).map(({ code, message }) =>
    warned(code, `MCP server ${name}: ${message}`),
  )
}

function lackOf(error: string): readonly [code: string, why: string] {
  if (error.startsWith(AUTHORIZATION_REQUIRED)) return ['authorization_required', error]
  // The error message is a fixed sentence with an OAuth error code.
  if (error.startsWith(AUTHORIZATION_FAILED)) return ['authorization_failed', `${error}.`]
  if (error.startsWith(TLS_FAILED)) return ['tls_error', error]
  // The reason equals that of a server test, which is a fixed description of the failure.
  return ['unreachable', error]
}
