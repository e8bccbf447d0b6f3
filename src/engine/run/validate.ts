/**
 * Validates a run request before anything is stored. Layers cost bucket requests, so they are read
 * only if the request names a resource in them. File errors found later (the model of a default
 * agent) fail the run.
 */

import { findAgent } from '../../core/config/layer/catalog.ts'
import { whyNoCommand } from '../../core/config/layer/reasons.ts'
import { chooseLayers } from '../../core/config/layer/select.ts'
import type { Grant, LayerSelection, Resolved } from '../../core/config/types.ts'
import type { Policy } from '../../core/policy.ts'
import type { Refusal } from '../../core/problem.ts'
import { refusal } from '../../core/problem.ts'
import type { RunWarning } from '../../core/run/log/fact-parts.ts'
import { commandOf } from '../../core/run/prompt/skill-activation.ts'
import { REQUIRES_NOTHING, requiresNothing } from '../../core/run/prompt/structured-output.ts'
import { boundedWarnings, fileWarnings } from '../../core/run/state/warning.ts'
import { builtinLack, serverOf } from '../../core/tools/available.ts'
import { inOurWords, missingRefused } from '../../core/tools/missing-tools.ts'
import { toolsRefused } from '../../core/tools/requested-tools.ts'
import { unusable } from '../../core/tools/schema-lint.ts'
import { fail, type Outcome, ok } from '../../lib/outcome.ts'
import type { ModelInfo, World } from '../../ports/world.ts'
import { noAgent, noModel } from '../layers/not-found.ts'
import { resolveLayers } from '../layers/resolve.ts'
import { findModel, priceRefused } from '../tenant/policy.ts'
import { isContent, messagesIn, textsIn } from './content.ts'
import type { RunRequest } from './request.ts'

type JudgedRequest = LayerSelection &
  Pick<
    RunRequest,
    | 'agent'
    | 'model'
    | 'input'
    | 'context'
    | 'output_schema'
    | 'output_schema_required'
    | 'tools'
    | 'disallowed_tools'
    | 'limits'
  >

export interface JudgedRun {
  /** ID of the agent, normalized from the requested spelling. */
  readonly agent: string
  readonly warnings: readonly RunWarning[]
  readonly model: ModelInfo
}

/**
 * Validates a run request against its layers and returns errors or warnings. The request's prefixes
 * must be canonical.
 */
export async function judgeRun(
  world: World,
  tenant: string,
  policy: Policy,
  request: JudgedRequest,
): Promise<Outcome<JudgedRun, Refusal>> {
  const misnamed = toolsRefused(request)
  if (misnamed) return fail(misnamed)
  if (world.model.ready) await world.model.ready()
  const byName = findModel(world, policy, request.model)
  const plain = namesNothing(world, request) && byName.ok ? byName.value : undefined
  const resolution = plain ? chooseLayers(request) : await resolveLayers(world, tenant, request)
  if (!resolution.ok) return resolution
  const resolved = 'agents' in resolution.value ? resolution.value : undefined
  const model = resolved ? usableModel(world, policy, request, resolved) : ok(plain!)
  if (!model.ok) return model
  const rejection = inputRefused(request) ?? (resolved && noCommand(resolved, lastInput(request)))
  if (rejection) return fail(rejection)
  if (resolved === undefined) return ok({ agent: 'general', warnings: [], model: model.value })
  const agent = findAgent(resolved, request.agent ?? 'general')!
  const namesModel = request.model != null
  const warnings = boundedWarnings(fileWarnings(resolved, agent, namesModel))
  return ok({ agent: agent.id, warnings, model: model.value })
}

function inputRefused(request: JudgedRequest): Refusal | undefined {
  if (messagesIn(request.input).at(-1)?.role !== 'user') {
    const errors = [{ pointer: '/input', message: 'the last message must be from the user' }]
    return refusal('invalid_request', 'The input must end with a user message.', { errors })
  }
  if (!isContent(request.input) && request.context?.trim()) {
    const errors = [{ pointer: '/context', message: 'requires an input with exactly one message' }]
    const detail = 'The input must contain exactly one message if `context` is set.'
    return refusal('invalid_request', detail, { errors })
  }
  return schemaRefused(request)
}

/** Rejects an unusable answer schema, or a request that requires data without a schema. */
function schemaRefused(request: JudgedRequest): Refusal | undefined {
  if (requiresNothing(request)) {
    const errors = [{ pointer: '/output_schema_required', message: REQUIRES_NOTHING }]
    return refusal('invalid_request', `output_schema_required ${REQUIRES_NOTHING}.`, { errors })
  }
  const wrong = request.output_schema && unusable(request.output_schema)
  if (!wrong) return undefined
  const pointer = `/output_schema${wrong.pointer}`
  const errors = [{ pointer, message: wrong.message }]
  return refusal('invalid_request', `Unsupported schema: ${wrong.message} (${pointer})`, {
    errors,
  })
}

/** Returns whether the request depends on no layer. The default agent always exists. */
const namesNothing = (world: World, request: JudgedRequest): boolean =>
  [
    request.agent,
    request.role,
    request.repo_dir,
    request.base_dir,
    request.mcp_config_path,
    request.mcp_servers,
  ].every((value) => value === undefined) &&
  commandOf(lastInput(request)) === undefined &&
  !(request.tools ?? []).flatMap(inOurWords).some((grant) => mayLack(world, grant)) &&
  request.limits?.max_cost_usd === undefined &&
  request.strict !== true &&
  request.on_duplicate !== 'reject'

/** Returns the text of the user's last message, which may start with `/name`. */
const lastInput = ({ input }: JudgedRequest): string =>
  textsIn(messagesIn(input).at(-1)?.content ?? '')

/** Returns whether the layers are needed to know that a tool exists. */
const mayLack = ({ settings }: World, grant: Grant): boolean =>
  serverOf(grant) !== undefined ||
  builtinLack(grant) !== undefined ||
  Object.hasOwn(settings.lacks ?? {}, grant)

/**
 * Explains why the `/name` in an input cannot open an existing skill; otherwise returns undefined.
 */
export function noCommand(
  resolved: Pick<Resolved, 'skills' | 'records'>,
  input: string,
): Refusal | undefined {
  const command = commandOf(input)
  const reason = command && whyNoCommand(resolved, command.skill)
  if (reason === undefined) return undefined
  const detail = `The skill ${JSON.stringify(command!.skill)} is unavailable: ${reason}.`
  return refusal('skill_unavailable', detail, { errors: [{ pointer: '/input', message: reason }] })
}

/** Returns the run's model, or the reason why the agent cannot run. */
function usableModel(
  world: World,
  policy: Policy,
  request: JudgedRequest,
  resolved: Resolved,
): Outcome<ModelInfo, Refusal> {
  const requestedAgent = request.agent ?? 'general'
  const agent = findAgent(resolved, requestedAgent)
  if (!agent) return fail(noAgent(resolved, requestedAgent))
  const { tools = null, disallowed_tools = [], strict = policy.strict } = request
  const lists = { tools, disallowed_tools }
  const lacking = missingRefused(agent, lists, resolved, { ...policy, strict })
  if (lacking) {
    const pointer = request.tools === undefined ? '/agent' : '/tools'
    const errors = [{ pointer, message: lacking.detail }]
    return fail(refusal(lacking.code, lacking.detail, { errors }))
  }
  const agentModel = agent.model === 'inherit' ? undefined : (agent.model ?? undefined)
  const model = findModel(
    world,
    policy,
    request.model ?? agentModel ?? agent.model_role ?? undefined,
  )
  if (!model.ok) {
    const pointer = request.model == null ? '/agent' : '/model'
    return fail(noModel(model.error, [{ pointer, message: model.error.message }]))
  }
  const rejection = unpriced(policy, model.value, request)
  return rejection ? fail(rejection) : model
}

function unpriced(
  policy: Policy,
  model: ModelInfo,
  { limits = {} }: JudgedRequest,
): Refusal | undefined {
  const message = priceRefused(policy, model, limits)
  if (message === undefined) return undefined
  const errors = [{ pointer: '/limits/max_cost_usd', message }]
  return refusal('price_unknown', message, { errors })
}
