/** Pin of a starting run: its resolved layers, agent, and server tools, stored by digest. */

import { maySpawn, spawnable } from '../../../../core/config/layer/catalog.ts'
import { forModel } from '../../../../core/config/layer/reasons.ts'
import type { AgentEntry, Resolved } from '../../../../core/config/types.ts'
import type { ToolSpec } from '../../../../core/message.ts'
import type { ModelSettings } from '../../../../core/model-settings.ts'
import type { Policy } from '../../../../core/policy.ts'
import { inheritedNote, layerNote } from '../../../../core/prompt.ts'
import type { RunWarning } from '../../../../core/run/log/fact-parts.ts'
import type { RunSpec } from '../../../../core/run/log/facts.ts'
import type { Pin } from '../../../../core/run/log/pin.ts'
import { FINDINGS_SCHEMA } from '../../../../core/run/prompt/structured-output.ts'
import { boundedWarnings, fileWarnings, layerFindings } from '../../../../core/run/state/warning.ts'
import {
  type Deferred,
  deferredText,
  deferredWhy,
  foundIn,
  isDeferred,
  largeText,
} from '../../../../core/tools/deferred-tools.ts'
import { asGiven } from '../../../../core/tools/inheritance.ts'
import { pinnedRules } from '../../../../core/tools/rules.ts'
import { type Toolset, toolset, usableSkills } from '../../../../core/tools/toolset.ts'
import { withheld } from '../../../../core/tools/withheld-tools.ts'
import { canonical } from '../../../../lib/digest.ts'
import { visible } from '../../../../lib/invisible-characters.ts'
import { getOwn } from '../../../../lib/own-member.ts'
import { homeOfPins, homeOfRun } from '../../../partition/home.ts'
import { keepBlob, load } from '../../../tenant/blobs.ts'
import { memoryFor } from '../../memory.ts'
import type { Context } from '../context.ts'
import { rememberPin } from '../context.ts'
import { loadAll } from '../prompt/load.ts'
import { earlier } from '../prompt/request.ts'
import { grantsOf, handedDown, missingTools, remoteTools } from './toolset.ts'

/** Cache of pins by their inputs, except pins with remote tools, which may change. */
const cachedPins = new WeakMap<Resolved, Map<string, Pinned>>()

interface Pinning {
  readonly agent: AgentEntry
  readonly policy: Policy
  readonly began_at: number
  readonly settings: ModelSettings | undefined
  /** Smallest context window of the run's models, in tokens. */
  readonly window: number
}

interface Pinned {
  readonly digest: string
  readonly warnings: readonly RunWarning[]
}

export async function pinDigest(
  context: Context,
  resolved: Resolved,
  { agent, policy, began_at, settings, window }: Pinning,
): Promise<Pinned> {
  const { world } = context
  const home = homeOfPins(context.tenant, began_at)
  const spec = context.state.spec!
  const local = resolved.servers.length === 0
  const pins = cachedPins.get(resolved) ?? new Map<string, Pinned>()
  const { tools, disallowed_tools, depth, limits } = spec
  const memory = memoryFor(spec, agent, policy)
  const keyParts = [
    home,
    agent.id,
    agent.body_digest,
    tools,
    disallowed_tools,
    spec.above,
    spec.missing,
    depth,
    limits.max_depth,
    policy.deny.tools,
    memory,
    spec.output_schema,
    settings,
    spec.instructions,
    spec.caller_tools,
  ]
  const key = JSON.stringify(keyParts)
  const cached = local && spec.agent_entry === null ? pins.get(key) : undefined
  if (cached !== undefined) return cached
  const { pin, warnings } = await makePin(context, resolved, { agent, policy, settings, window })
  const text = canonical(pin)
  const pinned = { digest: await keepBlob(world, home, text), warnings }
  rememberPin(world, pinned.digest, pin, text.length)
  if (local && spec.agent_entry === null) cachedPins.set(resolved, pins.set(key, pinned))
  return pinned
}

async function makePin(
  context: Context,
  resolved: Resolved,
  { agent, policy, settings, window }: Omit<Pinning, 'began_at'>,
): Promise<{ readonly pin: Pin; readonly warnings: readonly RunWarning[] }> {
  const spec = context.state.spec!
  const granted = grantsOf(agent, spec, policy)
  const memory = memoryFor(spec, agent, policy)
  const { remote, down, leftOut, ...remoteNotices } = await remoteTools(context, resolved, agent)
  const missing = missingTools(agent, spec, resolved)
  const mayNest = spec.depth < spec.limits.max_depth
  const inherited = mayNest ? handedDown(agent, spec) : undefined
  const startable = spawnable(resolved).filter(({ id }) => maySpawn(agent, id, resolved.agents))
  const callerParts = await givenBy(context)
  const set = toolset({
    resolved,
    ...(callerParts.tools ? { caller: callerParts.tools } : {}),
    ...granted,
    remote,
    spawnable: mayNest ? startable : null,
    subagent: spec.parent !== null,
    window,
    memory,
  })
  const { tools: _tools, routes: _routes, ...deferred } = set
  const used = new Set(
    Object.values(set.routes).flatMap((route) => (route.kind === 'mcp' ? [route.server] : [])),
  )
  const servers = resolved.servers.filter(({ name }) => used.has(name))
  const pin: Pin = {
    system: visible(agent.system_prompt + callerParts.system).text,
    layers: resolved.layers,
    agent: {
      ...{ id: agent.id, body_digest: agent.body_digest },
      ...{ layer: agent.origin.layer, path: agent.origin.key },
    },
    missing: { tools: [...missing.tools, ...leftOut], servers: remoteNotices.servers },
    notes: [
      ...layerFindings(resolved).map(({ code, message }) => layerNote(code, message)),
      ...remoteNotices.notes,
      ...missing.notes,
      ...(spec.missing ?? []).map(inheritedNote),
    ],
    tools: set.tools,
    routes: set.routes,
    ...deferred,
    ...(deferred.deferred ? await foundBefore(context, set) : {}),
    servers: Object.fromEntries(servers.map((server) => [server.name, server])),
    skills: usableSkills(resolved).map(
      ({ id, description, origin, file_digest, files, ...skill }) => ({
        id,
        description,
        key: origin.key,
        file_digest,
        files: files.map(({ path, etag }) => ({ path, etag })),
        ...(forModel(skill) ? {} : { by_people: true as const }),
      }),
    ),
    ...(memory ? { memory } : {}),
    ...shapeOf(spec, agent),
    ...(settings ? { settings } : {}),
    ...withheld({ agent, spec, policy, resolved, remote, leftOut, down, offered: set.routes }),
    ...pinnedRules(set.routes, {
      agent,
      above: spec.above ?? {},
      skills: usableSkills(resolved),
      servers,
    }),
    agents: mayNest ? startable.map(({ id, body_digest }) => ({ id, body_digest })) : [],
    ...(agent.spawns === undefined ? {} : { spawns: agent.spawns }),
    ...(inherited ? { hands_down: inherited } : {}),
    ...(mayNest && spec.mcp_config_path !== null ? { run_servers: asGiven(resolved.servers) } : {}),
  }
  const warnings = [
    ...fileWarnings(resolved, agent, spec.model !== null),
    ...remoteNotices.warnings,
    ...missing.warnings,
    ...(set.deferred ? [deferredWarning(set.deferred, window)] : largeWarning(set, window)),
  ]
  return { pin, warnings: boundedWarnings(warnings) }
}

function largeWarning({ tools, routes }: Toolset, window: number): RunWarning[] {
  const remote = tools.filter(({ name }) => getOwn(routes, name)?.kind === 'mcp')
  const message = largeText(remote, window)
  return message === undefined ? [] : [{ code: 'tools_large', message }]
}

const deferredWarning = (deferred: Deferred, window: number): RunWarning => ({
  code: 'tools_deferred',
  message: `${deferredText(deferred)} (${deferredWhy(window)})`,
})

/** Returns the caller's additions to the agent: instructions and caller tools. */
async function givenBy({ world, tenant, state }: Context) {
  const { instructions, caller_tools } = state.spec!
  const home = homeOfRun(tenant, state.spec)
  const words = instructions && (await load(world, home, instructions))
  const tools = caller_tools && (await load(world, home, caller_tools))
  return {
    system: words ? `\n\n${INSTRUCTIONS}\n\n${words}` : '',
    tools: tools ? (JSON.parse(tools) as readonly ToolSpec[]) : undefined,
  }
}

const INSTRUCTIONS = '# Instructions for this run from its caller'

/** Returns the names of deferred tools found earlier in the conversation. */
async function foundBefore(context: Context, set: Toolset): Promise<Pick<Pin, 'found'>> {
  const { world, tenant, state } = context
  const history = await loadAll(
    { world, home: homeOfRun(tenant, state.spec) },
    await earlier(context),
  )
  const toolNames = foundIn(history).filter((name) => isDeferred(name, set))
  return toolNames.length === 0 ? {} : { found: toolNames }
}

/** Returns the schema that the answer must match: the caller's, otherwise the agent's. */
export function shapeOf(spec: RunSpec, agent: AgentEntry): Pick<Pin, 'output_schema'> {
  if (spec.output_schema !== undefined) return { output_schema: spec.output_schema }
  return agent.emit_structured_findings ? { output_schema: FINDINGS_SCHEMA } : {}
}
