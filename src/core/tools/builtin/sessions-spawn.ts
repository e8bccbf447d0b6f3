/**
 * `sessions_spawn`: starts a subagent. Models often use the tool names and parameters of other
 * products. The description lists the agents that may be started.
 */

import { byteLength } from '../../../lib/bytes.ts'
import { getOwn } from '../../../lib/own-member.ts'
import type { AgentEntry, Grant } from '../../config/types.ts'
import { LIMITS } from '../../limits.ts'
import { DESCRIPTION_BYTES, inLine, NAME_BYTES } from '../../prompt.ts'
import { type BuiltinTool, object, text } from './tool.ts'

/** Names that models use for the spawn tool without having been shown them. */
const SPAWN_NAMES: ReadonlySet<string> = new Set(['Agent', 'Task', 'spawn_agent'])
/** Tool names that, in their products, return the subagent's result. */
const AWAITED: ReadonlySet<string> = new Set(['Agent', 'Task'])

const PROPERTIES = {
  task: text('The complete task of the subagent, which does not see this conversation'),
  agent: text('ID of the agent; default: general'),
  label: { ...text('Short display name'), maxLength: 200 },
  context: text(
    "What it would otherwise have to rediscover: workspace details, the user's wider " +
      "goal, known facts. Do not repeat the agent's instructions.",
  ),
  role: text('The role layer to use'),
  repo_dir: text('The repository prefix to work on, e.g. `repos/app`'),
  model: text('A model alias or `provider/model`'),
  run_timeout_seconds: { type: 'number', description: 'Time limit of the subagent, in seconds' },
  mcp_config_path: text(
    "A configuration file (under .agents/): the subagent's only source of servers",
  ),
  fork_context: {
    type: 'boolean',
    description: 'Whether it starts with this conversation up to this answer',
  },
  wait: {
    type: 'boolean',
    description:
      'Whether this call returns its result: for answers that you need to continue. Other ' +
      'calls in the same answer run meanwhile, but you continue only after all have ended.',
  },
  output_schema: { type: 'object', description: 'JSON Schema of its answer' },
  output_schema_required: {
    type: 'boolean',
    description: 'Whether it fails when its answer does not conform to the output_schema',
  },
} as const

export const sessionsSpawn = {
  name: 'sessions_spawn',
  mode: 'spawn',
  foreign: `${[...SPAWN_NAMES].join(' ')} runSubagent custom-agent agent/runSubagent`,
  description: 'Starts a subagent; its description lists the agents.',
  offered: {
    text: ({ spawnable, lacks }) =>
      spawnable === null ? undefined : spawnDescription(spawnable, lacks),
  },
  input_schema: object(PROPERTIES, ['task']),
} as const satisfies BuiltinTool

export const NESTED_SPAWN = 'Nested spawn is not allowed'

/** Other products' parameter names, mapped to Strata's names. */
const PARAMETERS: Readonly<Record<string, string>> = {
  prompt: 'task',
  description: 'label',
  subagent_type: 'agent',
  agent_type: 'agent',
  agent_id: 'agent',
  agentId: 'agent',
  name: 'label',
}

export const isSpawn = (tool: string): boolean =>
  tool === sessionsSpawn.name || SPAWN_NAMES.has(tool)

/** Returns the name under which a called tool is stored in the pin. */
export const pinnedName = (tool: string): string => (isSpawn(tool) ? sessionsSpawn.name : tool)

/**
 * Returns the spawn parameters under Strata's names. A model that uses another product's tool name
 * also uses its parameters.
 */
export function spawnParameters(
  tool: string,
  args: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  if (!SPAWN_NAMES.has(tool)) return args
  const out: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(args)) {
    const ours = getOwn(PARAMETERS, key) ?? key
    if (Object.hasOwn(PROPERTIES, ours)) out[ours] ??= value
  }
  // The other product's parameter has the opposite meaning.
  if (args.run_in_background === true) out.wait ??= false
  return out
}

/**
 * Whether the subagent's outcome answers the spawn call; the parameters are under Strata's names.
 */
export const waitsForEnd = (tool: string, { wait }: { readonly wait?: unknown }): boolean =>
  typeof wait === 'boolean' ? wait : AWAITED.has(tool)

const SPAWN_HEAD = `Starts a subagent that works on a task in parallel and returns {run_id, session_id, lane} at once. Its result arrives as a message; do not wait or ask for it. With \`wait: true\` the call returns that result instead. Start independent tasks in one answer. The subagent sees only its task and context, neither this conversation nor your role and repository unless you pass them.

Use \`context\` for workspace details, the user's wider goal, and facts it would otherwise have to rediscover; do not repeat the agent's instructions.`

/** Returns the spawn tool's description for the model, with the agents that it may start. */
export function spawnDescription(
  agents: readonly AgentEntry[],
  lacks: Lacks = () => undefined,
): string {
  if (agents.length === 0) return `${SPAWN_HEAD}\n\nNo subagents are available.`
  const full = agents.map((agent) => agentLine(agent, lacks))
  const example = exampleCall(agents)
  const text = [SPAWN_HEAD, 'Agents:', ...full, example].join('\n\n')
  if (byteLength(text) <= LIMITS.agent_catalog_bytes) return text
  const names = agents.map((agent) => inLine(agent.id, NAME_BYTES)).join(', ')
  return [SPAWN_HEAD, `Agents: ${names}`, example].join('\n\n')
}

/** Function that explains why a tool is missing; returns undefined if available. */
type Lacks = (grant: Grant) => string | undefined

function agentLine(agent: AgentEntry, lacks: Lacks): string {
  const labels = agent.tools?.map((grant) =>
    lacks(grant) === undefined ? grant : `${grant} (unavailable)`,
  )
  const toolNames = labels === undefined ? 'all' : labels.join(', ') || 'none'
  const tools = inLine(toolNames, TOOLS_BYTES)
  const time = agent.timeout_seconds === null ? '' : `; timeout: ${agent.timeout_seconds} s`
  const description = inLine(agent.description, DESCRIPTION_BYTES)
  return `- ${inLine(agent.id, NAME_BYTES)}: ${description}\n  tools: ${tools}${time}`
}

function exampleCall(agents: readonly AgentEntry[]): string {
  const agent = agents.find(({ id }) => id === 'explore') ?? agents[0]!
  const call = {
    agent: agent.id,
    task: 'Find where requests are authenticated and list the files involved.',
    context: 'The user wants to add a second kind of key. The code is TypeScript under src/.',
  }
  return `Example: ${JSON.stringify(call)}`
}

const TOOLS_BYTES = 8_192
