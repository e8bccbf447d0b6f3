/**
 * Performs a spawn call. Reads the child first, and validates the call only if the child is absent.
 * A spawn repeated after a crash must never be reported as failed (PROTOCOL.md rule 2).
 */

import { parseRole } from '../../../../core/config/agent/role.ts'
import { findAgent, maySpawn, spawnable } from '../../../../core/config/layer/catalog.ts'
import { whyNoAgent } from '../../../../core/config/layer/reasons.ts'
import type { AgentEntry, Resolved } from '../../../../core/config/types.ts'
import { shownTask } from '../../../../core/prompt.ts'
import { childId, childSpec, type SpawnRequest } from '../../../../core/run/decide/child.ts'
import { effectiveArguments } from '../../../../core/run/human-input/approval.ts'
import type { RunFact, RunSpec } from '../../../../core/run/log/facts.ts'
import type { Pin } from '../../../../core/run/log/pin.ts'
import { REQUIRES_NOTHING, requiresNothing } from '../../../../core/run/prompt/structured-output.ts'
import { allotmentOf, allotted, isNothing } from '../../../../core/run/state/budget.ts'
import type { Call } from '../../../../core/run/state/state.ts'
import { layerWarnings, warned } from '../../../../core/run/state/warning.ts'
import {
  sessionsSpawn,
  spawnParameters,
  waitsForEnd,
} from '../../../../core/tools/builtin/sessions-spawn.ts'
import { givenOf } from '../../../../core/tools/builtin-arguments.ts'
import { missingBelow } from '../../../../core/tools/inheritance.ts'
import { missingRefused, promised } from '../../../../core/tools/missing-tools.ts'
import { parseArguments } from '../../../../core/tools/plan.ts'
import { unusable } from '../../../../core/tools/schema-lint.ts'
import { assert } from '../../../../lib/assert.ts'
import { canonical } from '../../../../lib/digest.ts'
import { keyPrefix } from '../../../../lib/key.ts'
import { boundedCache } from '../../../../lib/lru-cache.ts'
import { fail, type Outcome, ok } from '../../../../lib/outcome.ts'
import { expectLayers, recentLayers } from '../../../layers/recent-layers.ts'
import { resolveLayers } from '../../../layers/resolve.ts'
import { createRun, readRun } from '../../../logs/run.ts'
import { homeOfRun } from '../../../partition/home.ts'
import { runPartition } from '../../../partition/keys.ts'
import type { EffectResult } from '../../../partition/log-type.ts'
import { processMemory } from '../../../partition/process.ts'
import { load, putBlob, spillMessage } from '../../../tenant/blobs.ts'
import { findModel, readPolicy } from '../../../tenant/policy.ts'
import { isReserved } from '../../../tools/paths.ts'
import { forkAt } from '../../fork.ts'
import { childRefusal } from '../../quota.ts'
import { type Context, pinOf } from '../context.ts'
import { rulingNow } from '../ruling.ts'
import { selectionOf } from '../start/start.ts'
import { tombstone } from './tombstone.ts'

/** Prefetches the layers of subagents that will be created after the answer is committed. */
export function expectSpawns(context: Context): void {
  if (context.world.settings.singleProcess) return
  const ownLayers = selectionOf(context.state.spec!)
  expectLayers(context, { ...ownLayers, role: undefined, repo_dir: undefined })
}

export async function performSpawn(context: Context, callId: string): Promise<EffectResult> {
  const { world, tenant, state } = context
  const call = state.calls.get(callId)
  assert(call && state.spec, `call ${callId} not found`)
  const partition = runPartition(tenant, childId(state.spec, call))
  if (!(await isThere(context, call, partition))) {
    const pin = await pinOf(context)
    const denial = await rulingNow(context, pin, { ...call, tool: sessionsSpawn.name })
    if (denial !== undefined) return refuse(context, call, denial)
    const spawnRequest = await askedBy(context, call, pin)
    // Every worker rejects this call for the same reason, so no child can exist.
    if (!spawnRequest.ok) return { facts: [refusal(call, spawnRequest.error)] }
    const spec = await specOf(context, call, spawnRequest.value, pin)
    if (!spec.ok) return refuse(context, call, spec.error)
    const exceeded = await childRefusal(world, tenant, partition, state.spec.key)
    if (exceeded !== undefined) return refuse(context, call, exceeded)
    spawnedOf(world.store).set(partition, true)
    const facts: RunFact[] = [{ type: 'run.created', run: spec.value }]
    const { run } = await createRun(world, tenant, spec.value.id, facts, { wakes: true })
    return { facts: [await spawned(context, call, run.state.spec!)] }
  }
  const run = await readRun(world, partition)
  assert(run?.state.spec, 'the run has a head but no first fact')
  return { facts: [await spawned(context, call, run.state.spec)] }
}

/**
 * Returns whether the call's child exists. The worker that received the answer need not check:
 * creation finds an existing child, and a rejected spawn leaves a tombstone.
 */
async function isThere(
  { world, stateAtStart }: Context,
  { id }: Call,
  partition: string,
): Promise<boolean> {
  if (!world.settings.singleProcess && !stateAtStart.calls.has(id)) return false
  const [head] = await world.store.heads([partition])
  return head != null
}

/** Partitions of children whose creation this process started. */
const spawnedOf = processMemory('spawned', () => boundedCache<true>(10_000))

/**
 * Rejects a spawn for a temporary reason (policies, files, budgets). Another worker's creation may
 * be in progress, so a tombstone prevents an unknown child. A sole process knows all its attempts.
 */
async function refuse(context: Context, call: Call, text: string): Promise<EffectResult> {
  const { world, tenant, state, stateAtStart: startState } = context
  const child = runPartition(tenant, childId(state.spec!, call))
  const mayExist = startState.calls.has(call.id) || spawnedOf(world.store).has(child)
  if (world.settings.singleProcess && !mayExist) return { facts: [refusal(call, text)] }
  const { run, fresh } = await tombstone(context, call, 'the spawn was refused')
  if (fresh) return { facts: [refusal(call, text)] }
  return { facts: [await spawned(context, call, run.state.spec!)] }
}

const refusal = ({ id, tool }: Call, text: string): RunFact => ({
  type: 'tool.result',
  call: id,
  tool,
  status: 'error',
  text,
  duration_ms: 0,
})

const spawned = async (context: Context, call: Call, spec: RunSpec): Promise<RunFact> => ({
  type: 'subagent.spawned',
  call: call.id,
  run_id: spec.id,
  session_id: spec.session_id,
  agent: spec.agent,
  label: spec.label,
  lane: spec.lane,
  task: shownTask(spec.input.at(-1)?.text),
  ...(spec.missing ? { missing: spec.missing } : {}),
  ...warned(spec.warnings),
  ...allotted(spec.limits),
  ...((await isWaitedFor(context, call)) ? { wait: true } : {}),
})

/**
 * Returns whether a spawn call waits for its child. Uses the performed arguments, which a person
 * may have changed.
 */
async function isWaitedFor({ world, tenant, state }: Context, call: Call): Promise<boolean> {
  const parsed = parseArguments(
    await load(world, homeOfRun(tenant, state.spec), effectiveArguments(call)),
  )
  // The arguments were validated on arrival. A lost blob counts as empty arguments.
  const args = typeof parsed === 'string' ? {} : parsed
  return waitsForEnd(call.tool, spawnParameters(call.tool, args))
}

/** Requested child of a spawn, derived only from the call's arguments and the run's pin. */
interface SpawnArguments {
  readonly request: SpawnRequest
  readonly agent: string
  readonly role: string | null
  readonly repo_dir: string | null
  readonly task: string
}

/** Parses the arguments of a spawn call, or returns an error that is the same at every attempt. */
async function askedBy(
  { world, tenant, state }: Context,
  call: Call,
  pin: Pin,
): Promise<Outcome<SpawnArguments, string>> {
  const parsed = parseArguments(
    await load(world, homeOfRun(tenant, state.spec), effectiveArguments(call)),
  )
  assert(typeof parsed !== 'string', 'unchecked arguments reached the spawn')
  const args = givenOf(pin, sessionsSpawn.name, spawnParameters(call.tool, parsed))
  const request = args as unknown as SpawnRequest
  const timeout = request.run_timeout_seconds ?? 0
  if (timeout < 0) return fail('run_timeout_seconds must be >= 0')
  const parsedRole = parseRole({ role: request.role, label: request.label, task: request.task })
  if (!parsedRole.ok) return fail(parsedRole.error)
  const { role, task } = parsedRole.value
  if (task.trim() === '') return fail('task is required')
  const repo = repoOf(request.repo_dir)
  if (!repo.ok) return repo
  const config = request.mcp_config_path?.trim() ?? ''
  if (config !== '' && !isReserved(config, 'write')) return fail(WRITABLE)
  const agent = request.agent?.trim() || 'general'
  const agentId = findAgent(pin, agent)?.id ?? agent
  if (!maySpawn(pin, agentId, pin.agents)) return fail(forbidden(pin, agent))
  if (requiresNothing(request)) {
    return fail(`invalid_arguments: #/output_schema_required: ${REQUIRES_NOTHING}`)
  }
  const wrong = request.output_schema && unusable(request.output_schema)
  if (wrong) return fail(`invalid_arguments: #/output_schema${wrong.pointer}: ${wrong.message}`)
  return ok({ request, agent, role, repo_dir: repo.value, task })
}

/** Builds the child's spec, or explains why the child cannot currently be created. */
async function specOf(
  context: Context,
  call: Call,
  { request, agent, role, repo_dir, task }: SpawnArguments,
  pin: Pin,
): Promise<Outcome<RunSpec, string>> {
  const { world, tenant, state } = context
  if (isNothing(allotmentOf(state))) return fail('budget: none remains for a subagent')
  const input = await spillMessage(world, homeOfRun(tenant, state.spec), task, request.context)
  const child = { request, agent, agent_entry: null, role, repo_dir, input }
  const draft = childSpec(state, call, child, pin)
  const fork = { call, fork: request.fork_context }
  return recentLayers(context, selectionOf(draft), (resolved) => {
    const missing = missingBelow(pin, resolved)
    const annotated = {
      ...draft,
      ...(missing.length === 0 ? {} : { missing }),
      ...warned(layerWarnings(resolved)),
    }
    return withAgent(context, annotated, { pin, resolved }, fork)
  })
}

/**
 * Error for a config path that a model could write to. The model could define a server there and
 * spawn a subagent with it without approval.
 */
const WRITABLE =
  'mcp_config_path must be inside a configuration folder (.agents/): files that tools ' +
  'can write must not configure subagents'

function repoOf(requestedDir: string | undefined): Outcome<string | null, string> {
  if (requestedDir === undefined || requestedDir.trim() === '') return ok(null)
  const prefix = keyPrefix(requestedDir)
  if (!prefix.ok) return fail(`repo_dir: ${prefix.error}.`)
  return ok(prefix.value.slice(0, -1))
}

/** Finds the agent in the child's layers, otherwise among the agents visible to the parent. */
async function withAgent(
  context: Context,
  spec: RunSpec,
  { pin, resolved }: { readonly pin: Pin; readonly resolved: Resolved },
  { call, fork }: { readonly call: Call; readonly fork: boolean | undefined },
): Promise<Outcome<RunSpec, string>> {
  const { world, tenant, state } = context
  const forked = async (agent: AgentEntry): Promise<RunSpec> => {
    const draft = { ...spec, agent: agent.id }
    if (!(fork ?? agent.fork_context)) return draft
    return { ...draft, fork: await forkAt(world, tenant, state, call) }
  }
  const ownAgent = findAgent(resolved, spec.agent)
  if (ownAgent && ownAgent.visibility !== 'internal') {
    // The name may mean another agent in the child's layers than in the parent's list.
    if (!maySpawn(pin, ownAgent.id, [...pin.agents, ...resolved.agents]))
      return fail(forbidden(pin, spec.agent))
    return (await lacking(context, spec, ownAgent, resolved)) ?? ok(await forked(ownAgent))
  }
  const parents = await resolveLayers(world, tenant, selectionOf(state.spec!))
  const parentAgent = parents.ok ? findAgent(parents.value, spec.agent) : undefined
  if (parentAgent && parentAgent.visibility !== 'internal') {
    const rejection = await lacking(context, spec, parentAgent, resolved)
    if (rejection) return rejection
    const agent_entry = await putBlob(world, homeOfRun(tenant, state.spec), canonical(parentAgent))
    return ok({ ...(await forked(parentAgent)), agent_entry })
  }
  const names = spawnable(resolved).map(({ id }) => id)
  const list = names.length > 0 ? names.sort().join(', ') : 'none'
  const name = JSON.stringify(spec.agent)
  const reason =
    ownAgent || parentAgent
      ? 'models cannot start internal agents'
      : (whyNoAgent(resolved, spec.agent) ??
        (parents.ok ? whyNoAgent(parents.value, spec.agent) : undefined))
  return fail(
    reason === undefined
      ? `unknown_agent: ${name}. Available agents: ${list}`
      : `agent_unavailable: ${name} is unavailable: ${reason}. Available agents: ${list}`,
  )
}

function forbidden({ agents }: Pin, agent: string): string {
  const allowed = agents.map(({ id }) => id).join(', ') || 'none'
  const agentName = agent.slice(0, 100)
  return `Forbidden: agent ${agentName} is not allowed for ${sessionsSpawn.name}. Allowed agents: ${allowed}`
}

/** Reports an unknown model, or only unknown tools, with which the child could only fail. */
async function lacking(
  { world, tenant }: Context,
  { model, tools, disallowed_tools, strict }: RunSpec,
  agent: AgentEntry,
  resolved: Resolved,
): Promise<Outcome<never, string> | undefined> {
  const lists = { tools, disallowed_tools }
  const { missing, nothing: isEmpty } = promised(agent, lists, resolved)
  const isWhole = missing.length === 0 && !isEmpty
  if (isWhole && model === null) return undefined
  const { policy } = await readPolicy(world, tenant)
  const modelLookup = model === null ? undefined : findModel(world, policy, model)
  if (modelLookup?.ok === false && !modelLookup.error.away)
    return fail(`model_not_configured: ${modelLookup.error.message}`)
  if (isWhole) return undefined
  const rejection = missingRefused(agent, lists, resolved, { ...policy, strict })
  return rejection && fail(`${rejection.code}: ${rejection.detail}`)
}
