/**
 * Tools and skills that exist but are withheld from a run, each with its reason. A model that
 * requests one gets the reason instead of "unknown tool".
 */

import { covers } from '../config/agent/grants.ts'
import { OUR_TOOLS } from '../config/agent/tool-names.ts'
import { unusableSkills } from '../config/layer/reasons.ts'
import type { AgentEntry, Grant, Resolved } from '../config/types.ts'
import { isDenied, type Policy } from '../policy.ts'
import type { Withheld } from '../run/log/pin.ts'
import type { RunSpec } from '../run/log/spec.ts'
import { lackOf, serverOf } from './available.ts'
import { BUILTINS } from './builtin/index.ts'
import { mcpToolName } from './mcp-name.ts'
import { deniedWords, inOurWords } from './missing-tools.ts'
import type { ServerTool } from './toolset.ts'

/**
 * Maximum number of withheld tools, and of withheld skills, listed. The model sees all others as
 * unknown.
 */
const MOST = 500

export interface WithheldInput {
  readonly agent: Pick<AgentEntry, 'id' | 'tools' | 'disallowed_tools'>
  readonly spec: Pick<RunSpec, 'tools' | 'disallowed_tools' | 'above'>
  readonly policy: Policy
  readonly resolved: Resolved
  /** Tools offered to the model, by name. */
  readonly offered: Readonly<Record<string, unknown>>
  readonly remote: ReadonlyMap<string, readonly ServerTool[]>
  /** Tools that a server lists but the model cannot use, each with a reason. */
  readonly leftOut?: readonly { readonly tool: Grant; readonly why: string }[]
  /** Servers that do not answer, by name, each with the reason. */
  readonly down: ReadonlyMap<string, string>
}

/** Returns the `withheld` member of a pin, or an empty object if no tool is withheld. */
export function withheld(input: WithheldInput): { readonly withheld?: Withheld } {
  const tools = Object.fromEntries([...ofServers(input), ...ofOurs(input)].slice(0, MOST))
  const skills = unusableSkills(input.resolved, MOST)
  const isEmpty = Object.keys(tools).length === 0 && Object.keys(skills).length === 0
  return isEmpty ? {} : { withheld: { tools, skills } }
}

const OTHERWISE: ReadonlyMap<string, string | undefined> = new Map(
  BUILTINS.map(({ name, offered }) => [name, offered?.otherwise]),
)

type Reason = readonly [name: string, why: string]

function ofOurs(input: WithheldInput): Reason[] {
  return OUR_TOOLS.filter((name) => !Object.hasOwn(input.offered, name)).map((name) => [
    name,
    denial(input, name, name) ??
      lackOf(name, input.resolved) ??
      notGranted(input, name) ??
      OTHERWISE.get(name) ??
      'not offered in this run',
  ])
}

function ofServers(input: WithheldInput): Reason[] {
  const { resolved, remote, down, offered, leftOut = [] } = input
  const serverReasons = new Map<string, string>(down)
  for (const { name, enabled } of resolved.servers)
    if (!enabled) serverReasons.set(name, 'the MCP server is disabled')
  for (const { name, message } of resolved.unavailable)
    serverReasons.set(name, `the MCP server is not available: ${message}`)
  const servers = [...serverReasons].map(([name, reason]): Reason => [`mcp__${name}__`, reason])
  const hidden = resolved.servers.flatMap(({ name, disabled_tools }) =>
    disabled_tools.map(
      (tool): Reason => [mcpToolName(name, tool), "its MCP server's disabled_tools hides it"],
    ),
  )
  const remoteReasons = [...remote].flatMap(([server, list]) =>
    list.flatMap((tool): Reason[] => {
      const toolName = mcpToolName(server, tool.name)
      if (Object.hasOwn(offered, toolName)) return []
      const grant = `mcp:${server}/${tool.name}`
      const reason = denial(input, toolName, grant) ?? notGranted(input, grant)
      return reason === undefined ? [] : [[toolName, reason]]
    }),
  )
  const odd = leftOut.map(
    ({ tool, why: reason }): Reason => [shownName(tool), `skipped: ${reason}`],
  )
  return [...servers, ...hidden, ...odd, ...remoteReasons]
}

/** Returns the name under which the model sees an MCP server's tool. */
function shownName(grant: Grant): string {
  const server = serverOf(grant) ?? ''
  return mcpToolName(server, grant.slice(`mcp:${server}/`.length))
}

/**
 * Returns the source of a tool's denial, the policy first. Names are omitted, because users of an
 * agent may read the text.
 */
function denial({ agent, spec, policy }: WithheldInput, name: string, grant: Grant) {
  const by = (list: readonly Grant[]) => list.some((deny) => covers(deny, grant))
  if (isDenied(policy.deny.tools, name)) return "denied by the tenant's policy"
  if (by(agent.disallowed_tools)) return 'the running agent denies it (disallowedTools)'
  if (by(spec.disallowed_tools.flatMap(deniedWords))) return 'the caller of this run denies it'
  return by(spec.above?.denied ?? []) ? 'an ancestor agent denies it' : undefined
}

function notGranted({ agent, spec }: WithheldInput, grant: Grant): string | undefined {
  const within = (list: readonly Grant[]) => list.some((allow) => covers(allow, grant))
  if (agent.tools !== null && !within(agent.tools))
    return "the running agent's tools do not include it"
  if (spec.tools !== null && !within(spec.tools.flatMap(inOurWords)))
    return "the tools requested by this run's caller do not include it"
  return undefined
}
