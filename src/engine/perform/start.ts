/**
 * The start of a run: layers are resolved now, not at acceptance, so every run that starts after an
 * edit sees it; what was found is pinned by digest, so no running one does.
 */

import { findAgent, grants, maySpawn, spawnable, type ToolRef } from '../../core/config/catalog.ts'
import { translate } from '../../core/config/tools.ts'
import type { AgentEntry, Grant, Resolved, ServerEntry } from '../../core/config/types.ts'
import { LIMITS } from '../../core/limits.ts'
import { isOperation } from '../../core/manage/operations.ts'
import { preview } from '../../core/message.ts'
import { denied, type Policy } from '../../core/policy.ts'
import type { Priced } from '../../core/run/budget.ts'
import type { RunFact, RunSpec } from '../../core/run/facts.ts'
import type { Pin } from '../../core/run/pin.ts'
import { FINDINGS_SCHEMA } from '../../core/run/structured.ts'
import { activationOf, activationText } from '../../core/skill.ts'
import { mcpToolName } from '../../core/tools/mcp-name.ts'
import { pinnedRules } from '../../core/tools/rules.ts'
import type { ServerTool } from '../../core/tools/toolset.ts'
import { toolset, usableSkills } from '../../core/tools/toolset.ts'
import { canonical } from '../../lib/digest.ts'
import { getBlob, keepBlob, load, spill } from '../blob.ts'
import type { Yield } from '../inflight.ts'
import { findModel, readPolicy } from '../policy.ts'
import { resolveLayers } from '../resolve.ts'
import { keepSummary } from '../summary.ts'
import type { Context } from './context.ts'
import { rememberPin } from './context.ts'

export async function performStart(context: Context): Promise<Yield> {
  const { world, tenant, state } = context
  const spec = state.spec!
  const began_at = world.clock.now()
  const resolved = await resolveLayers(world, tenant, selectionOf(spec))
  if (!resolved.ok) return failed(resolved.error.code, resolved.error.detail)
  const agent = await agentOf(context, resolved.value)
  if (!agent) return failed('unknown_agent', `There is no agent ${JSON.stringify(spec.agent)}.`)
  const { policy } = await readPolicy(world, tenant)
  const model = findModel(world, policy, modelReference(spec, agent))
  if (!model.ok) return failed('model_not_configured', model.error.message)
  const [digest] = await Promise.all([
    pinDigest(context, resolved.value, agent, policy),
    keepSummary(world, tenant, resolved.value),
  ])
  return {
    facts: [
      {
        type: 'run.started',
        agent: agent.id,
        model: model.value.id,
        window: model.value.window,
        config_digest: resolved.value.digest,
        pin: digest,
        ...priced(policy, model.value.id),
        max_steps: spec.limits.max_steps ?? agent.max_steps ?? LIMITS.steps_default,
        timeout_seconds:
          spec.limits.timeout_seconds ??
          agent.timeout_seconds ??
          LIMITS.run_timeout_seconds_default,
        began_at,
      },
      ...(await activated(context, resolved.value)),
    ],
  }
}

/** A skill that the input names by hand: its text enters the transcript as it is now. */
async function activated(context: Context, resolved: Resolved): Promise<RunFact[]> {
  const { world, tenant, state } = context
  const last = state.spec!.input.at(-1)
  if (last === undefined || state.spec!.depth > 0 || !/^\s*\/|^Context:/.test(preview(last.text))) {
    return []
  }
  const skills = usableSkills(resolved)
  const found = activationOf(await load(world, tenant, last.text), skills)
  const skill = skills.find(({ id }) => id === found?.skill)
  if (!found || !skill) return []
  const { file_digest } = skill
  const text = await spill(world, tenant, activationText(skill, found.args))
  return [{ type: 'skill.activated', ...found, by: 'user', file_digest, call: null, text }]
}

/** What the tenant's list says of the model. */
const priced = ({ prices }: Policy, model: string): Priced =>
  Object.hasOwn(prices, model) ? { price: prices[model]! } : {}

export const selectionOf = (spec: RunSpec) => ({
  role: spec.role ?? undefined,
  repo_dir: spec.repo_dir ?? undefined,
  base_dir: spec.base_dir ?? undefined,
  mcp_config_path: spec.mcp_config_path ?? undefined,
  mcp_servers: spec.mcp_servers ?? undefined,
  strict: spec.strict,
  on_duplicate: spec.on_duplicate,
})

function failed(code: string, message: string): Yield {
  return { facts: [{ type: 'run.failed', stop_reason: 'error', error: { code, message } }] }
}

async function agentOf(context: Context, resolved: Resolved): Promise<AgentEntry | undefined> {
  const { world, tenant, state } = context
  const spec = state.spec!
  if (spec.agent_entry === null) return findAgent(resolved, spec.agent)
  const text = await getBlob(world, tenant, spec.agent_entry)
  return text === undefined ? undefined : (JSON.parse(text) as AgentEntry)
}

/** The run's own word, then the file's, then the role's alias; undefined is the default. */
function modelReference(spec: RunSpec, agent: AgentEntry): string | undefined {
  const own = spec.model ?? (agent.model === 'inherit' ? null : agent.model)
  return own ?? agent.model_role ?? spec.inherited_model ?? undefined
}

/** Pins by what they are made of. Lists of remote tools may change, so those are made each time. */
const digests = new WeakMap<Resolved, Map<string, string>>()

async function pinDigest(
  context: Context,
  resolved: Resolved,
  agent: AgentEntry,
  policy: Policy,
): Promise<string> {
  const { world, tenant } = context
  const spec = context.state.spec!
  const local = resolved.servers.length === 0
  const known = digests.get(resolved) ?? new Map<string, string>()
  const { tools, disallowed_tools, depth, limits } = spec
  const made = [
    tenant,
    agent.id,
    agent.body_digest,
    tools,
    disallowed_tools,
    depth,
    limits.max_depth,
    policy.deny.tools,
    spec.output_schema,
  ]
  const key = JSON.stringify(made)
  const digest = local && spec.agent_entry === null ? known.get(key) : undefined
  if (digest !== undefined) return digest
  const pin = await makePin(context, resolved, agent, policy)
  const stored = await keepBlob(world, tenant, canonical(pin))
  rememberPin(world, stored, pin)
  if (local && spec.agent_entry === null) digests.set(resolved, known.set(key, stored))
  return stored
}

async function makePin(
  context: Context,
  resolved: Resolved,
  agent: AgentEntry,
  policy: Policy,
): Promise<Pin> {
  const spec = context.state.spec!
  const allowed = allowedBy(agent, spec, policy)
  const { remote, notes } = await remoteTools(context, resolved)
  const mayNest = spec.depth < spec.limits.max_depth
  const startable = spawnable(resolved).filter(({ id }) => maySpawn(agent, id))
  const set = toolset({
    resolved,
    allowed,
    remote,
    spawnable: mayNest ? startable : null,
  })
  const used = new Set(
    Object.values(set.routes).flatMap((route) => (route.kind === 'mcp' ? [route.server] : [])),
  )
  const servers = resolved.servers.filter(({ name }) => used.has(name))
  return {
    system: agent.system_prompt,
    notes,
    tools: set.tools,
    routes: set.routes,
    servers: Object.fromEntries(servers.map((server) => [server.name, server])),
    skills: usableSkills(resolved).map(({ id, description, origin, file_digest, files }) => ({
      id,
      description,
      key: origin.key,
      file_digest,
      files: files.map(({ path, etag }) => ({ path, etag })),
    })),
    ...shapeOf(spec, agent),
    rules: pinnedRules(set.routes, { agent, skills: usableSkills(resolved), servers }),
    agents: mayNest ? startable.map(({ id, body_digest }) => ({ id, body_digest })) : [],
    ...(agent.spawns === undefined ? {} : { spawns: agent.spawns }),
  }
}

/** What the answer must look like: the caller's word, else the agent's. */
function shapeOf(spec: RunSpec, agent: AgentEntry): Pick<Pin, 'output_schema'> {
  if (spec.output_schema !== undefined) return { output_schema: spec.output_schema }
  return agent.emit_structured_findings ? { output_schema: FINDINGS_SCHEMA } : {}
}

/** The run's lists intersect what the agent grants; a denial always wins. */
function allowedBy(agent: AgentEntry, spec: RunSpec, policy: Policy): (tool: ToolRef) => boolean {
  const granted = grants(agent)
  const own = grants({
    tools: spec.tools === null ? null : spec.tools.flatMap(inOurWords),
    disallowed_tools: spec.disallowed_tools.flatMap((name) => inOurWords(withoutSpecifier(name))),
  })
  return (tool) => {
    if (denied(policy.deny.tools, nameOf(tool))) return false
    // An agent that says nothing about tools inherits those for work; a subagent manages nothing.
    const inherited = spec.depth > 0 && agent.tools === null && spec.tools === null
    if (inherited && tool.kind === 'builtin' && isOperation(tool.name)) return false
    return granted(tool) && own(tool)
  }
}

/** Callers may use the words of any product (`Read`, `mcp__x__y`), as agent files do. */
const inOurWords = (name: string): readonly Grant[] => translate(name) ?? [name]

/** A denial of some uses (`Bash(rm *)`) cannot be told apart here: it denies the tool. */
const withoutSpecifier = (name: string): string => name.replace(/\(.*\)$/s, '').trim()

/** As the model sees it. */
const nameOf = (tool: ToolRef): string =>
  tool.kind === 'builtin' ? tool.name : mcpToolName(tool.server, tool.name)

/** All servers are asked at once, each within its own start-up time; a broken one is a note. */
async function remoteTools(context: Context, resolved: Resolved) {
  const { world, tenant } = context
  const notes = resolved.unavailable
    .filter(({ code }) => code !== 'disabled')
    .map(({ name, message }) => `MCP server ${name}: ${message}`)
  const down = new Set(resolved.unavailable.map(({ name }) => name))
  const usable = resolved.servers.filter((server) => server.enabled && !down.has(server.name))
  const lists = await Promise.all(
    usable.map(async (server) => ({ server, list: await world.tools.list(tenant, server) })),
  )
  const remote = new Map<string, readonly ServerTool[]>()
  for (const { server, list } of lists) {
    if (list.ok) remote.set(server.name, list.value)
    else notes.push(`MCP server ${server.name}: ${unreachable(server)}`)
  }
  return { remote, notes }
}

/** Our own words: what a server answered must not reach the system role. */
const unreachable = (server: ServerEntry): string =>
  `it did not answer within ${server.startup_timeout_sec} s, or not as an MCP server.`
