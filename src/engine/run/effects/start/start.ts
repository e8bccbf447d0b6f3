/**
 * Starts a run. Layers are resolved now instead of at acceptance, so a starting run uses every
 * edit. The result is pinned by digest, so a run in progress ignores later edits.
 */

import { findAgent } from '../../../../core/config/layer/catalog.ts'
import { forPeople } from '../../../../core/config/layer/reasons.ts'
import type { AgentEntry, Resolved } from '../../../../core/config/types.ts'
import { LIMITS } from '../../../../core/limits.ts'
import { preview } from '../../../../core/message.ts'
import type { Refusal } from '../../../../core/problem.ts'
import type { RunWarning } from '../../../../core/run/log/fact-parts.ts'
import type { RunFact, RunSpec } from '../../../../core/run/log/facts.ts'
import { chainOf } from '../../../../core/run/log/models.ts'
import { inputSize } from '../../../../core/run/prompt/input-size.ts'
import { activationOf, activationText } from '../../../../core/run/prompt/skill-activation.ts'
import { unfilledWarnings, warned } from '../../../../core/run/state/warning.ts'
import { missingRefused } from '../../../../core/tools/missing-tools.ts'
import { usableSkills } from '../../../../core/tools/toolset.ts'
import { visible } from '../../../../lib/invisible-characters.ts'
import { Unavailable } from '../../../../lib/unavailable.ts'
import { noAgent } from '../../../layers/not-found.ts'
import { type Reads, resolveLayers } from '../../../layers/resolve.ts'
import { keepSummary } from '../../../layers/summary.ts'
import { homeOfRun } from '../../../partition/home.ts'
import { logPartition } from '../../../partition/keys.ts'
import type { EffectResult } from '../../../partition/log-type.ts'
import { getBlob, load, spill } from '../../../tenant/blobs.ts'
import { readPolicy } from '../../../tenant/policy.ts'
import { skillFolder, workingFolder } from '../../../tools/paths.ts'
import { memoryFor } from '../../memory.ts'
import { noCommand } from '../../validate.ts'
import type { Context } from '../context.ts'
import { knownParent, readParent } from '../parent.ts'
import { chooseModel } from './models.ts'
import { NO_NOTES, startNotes } from './notes.ts'
import { pinDigest, shapeOf } from './pin.ts'
import { StartReads } from './reads.ts'
import { patienceSeconds, timeoutSeconds } from './time.ts'

/** Starts a run. Recent layer listings may start a run, but only fresh listings may fail it. */
export async function performStart(context: Context): Promise<EffectResult> {
  const { world, tenant, early } = context
  if (world.settings.singleProcess) return startWith(context, {})
  const reads = early instanceof StartReads ? early : new StartReads(world, tenant)
  expectParent(context)
  const started = await startWith(context, reads)
  return started.facts?.[0]?.type === 'run.started' ? started : startWith(context, {})
}

/**
 * Prefetches the parent, which will receive this run's end. If the data is missing then, it is read
 * at the end.
 */
function expectParent({ world, tenant, state }: Context): void {
  const parent = state.spec?.parent
  if (!parent) return
  const partition = logPartition(tenant, parent.run_id)
  if (!knownParent(world, partition)) readParent(world, partition).catch(() => undefined)
}

async function startWith(context: Context, reads: Reads): Promise<EffectResult> {
  const { world, tenant, state } = context
  const spec = state.spec!
  const began_at = world.clock.now()
  const pendingPolicy = reads.policy ?? readPolicy(world, tenant)
  const [resolved, { policy }] = await Promise.all([
    resolveLayers(world, tenant, selectionOf(spec), { ...reads, policy: pendingPolicy }),
    pendingPolicy,
  ])
  if (!resolved.ok) return failed(resolved.error.code, resolved.error.detail)
  const agent = await agentOf(context, resolved.value)
  if (!agent) {
    const rejection = noAgent(resolved.value, spec.agent)
    return failed(rejection.code, rejection.detail)
  }
  const unusable = await commandRefused(context, resolved.value)
  if (unusable) return failed(unusable.code, unusable.detail)
  const { strict } = spec
  const lacking = missingRefused(agent, spec, resolved.value, { ...policy, strict })
  if (lacking) return failed(lacking.code, lacking.detail)
  const { output_schema } = shapeOf(spec, agent)
  if (world.model.ready) await world.model.ready()
  const model = chooseModel(world, policy, { spec, agent }, output_schema)
  if (!model.ok && model.error.away) throw new Unavailable(model.error.message)
  if (!model.ok) return failed('model_not_configured', model.error.message)
  const { unpriced, settings, fact, windows } = model.value
  const window = Math.min(...chainOf(fact).map((entry) => entry.window))
  if (unpriced !== undefined) return failed('price_unknown', unpriced)
  const size = inputSize(
    spec.input.map(({ text }) => text),
    windows,
  )
  const isFirst = state.history.length === 0 && spec.fork === undefined
  if (size.isBeyond && isFirst) return failed('context_too_large', `${size.sentence}.`)
  const memory = memoryFor(spec, agent, policy)
  const [pinned, opened, notes] = await Promise.all([
    pinDigest(context, resolved.value, { agent, policy, began_at, settings, window }),
    activated(context, resolved.value),
    memory ? startNotes(context, memory, began_at) : NO_NOTES,
    keepSummary(world, tenant, resolved.value),
  ])
  return {
    facts: [
      {
        type: 'run.started',
        agent: agent.id,
        ...model.value.fact,
        config_digest: resolved.value.digest,
        pin: pinned.digest,
        ...warned([
          ...(size.warning ? [size.warning] : []),
          ...notes.warnings,
          ...opened.warnings,
          ...pinned.warnings,
        ]),
        ...(notes.memory ? { memory: notes.memory } : {}),
        max_steps: spec.limits.max_steps ?? agent.max_steps ?? LIMITS.steps_default,
        timeout_seconds: timeoutSeconds(spec, agent),
        model_patience_seconds: patienceSeconds(spec, agent, policy, world.settings),
        began_at,
      },
      ...opened.facts,
    ],
  }
}

interface Opened {
  readonly facts: readonly RunFact[]
  readonly warnings: readonly RunWarning[]
}
const NONE_OPENED: Opened = { facts: [], warnings: [] }

/** Returns the skill that the input opens by name. Its current text enters the transcript. */
async function activated(context: Context, resolved: Resolved): Promise<Opened> {
  const { world, tenant } = context
  const input = await commandText(context)
  if (input === undefined) return NONE_OPENED
  const skills = usableSkills(resolved).filter(forPeople)
  const match = activationOf(input, skills)
  const skill = skills.find(({ id }) => id === match?.skill)
  if (!match || !skill) return NONE_OPENED
  const spec = context.state.spec!
  const folder = skillFolder(skill.origin.key, workingFolder(tenant, spec))
  const filling = { args: match.args, folder, session: spec.session_id }
  const activation = activationText(skill, filling)
  const text = await spill(world, homeOfRun(tenant, spec), visible(activation.text).text)
  const from = { by: 'user', file_digest: skill.file_digest, call: null, text } as const
  return {
    facts: [{ type: 'skill.activated', ...match, ...from }],
    warnings: unfilledWarnings(skill.id, activation.left),
  }
}

/** Returns the input if it may start with `/name`. A subagent's task is never a command. */
async function commandText({ world, tenant, state }: Context): Promise<string | undefined> {
  const last = state.spec!.input.at(-1)
  if (last === undefined || state.spec!.depth > 0) return undefined
  if (!/^\s*\/|^Context:/.test(preview(last.text))) return undefined
  return load(world, homeOfRun(tenant, state.spec), last.text)
}

async function commandRefused(context: Context, resolved: Resolved): Promise<Refusal | undefined> {
  const input = await commandText(context)
  return input === undefined ? undefined : noCommand(resolved, input)
}

export const selectionOf = (spec: RunSpec) => ({
  role: spec.role ?? undefined,
  repo_dir: spec.repo_dir ?? undefined,
  base_dir: spec.base_dir ?? undefined,
  mcp_config_path: spec.mcp_config_path ?? undefined,
  mcp_servers: spec.mcp_servers ?? undefined,
  strict: spec.strict,
  on_duplicate: spec.on_duplicate,
  ...(spec.subject === undefined ? {} : { subject: spec.subject }),
})

function failed(code: string, message: string): EffectResult {
  return { facts: [{ type: 'run.failed', stop_reason: 'error', error: { code, message } }] }
}

async function agentOf(context: Context, resolved: Resolved): Promise<AgentEntry | undefined> {
  const { world, tenant, state } = context
  const spec = state.spec!
  if (spec.agent_entry === null) return findAgent(resolved, spec.agent)
  const text = await getBlob(world, homeOfRun(tenant, spec), spec.agent_entry)
  return text === undefined ? undefined : (JSON.parse(text) as AgentEntry)
}
