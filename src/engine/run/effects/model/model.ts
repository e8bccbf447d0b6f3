/**
 * Makes the model call of one step. Deltas go to the feed; a conversation that is too long is
 * summarized first.
 */

import { LIMITS } from '../../../../core/limits.ts'
import { type AssistantPart, lengthOf } from '../../../../core/message.ts'
import { DEFAULT_POLICY } from '../../../../core/policy.ts'
import { isLooping } from '../../../../core/run/decide/looping.ts'
import type { Checked, Reserved, RunWarning, Timed } from '../../../../core/run/log/fact-parts.ts'
import type {
  AssistantMessage,
  MemoryNoted,
  TranscriptCompacted,
} from '../../../../core/run/log/facts.ts'
import { type Attempted, chainOf, type StepModel } from '../../../../core/run/log/models.ts'
import type { Pin } from '../../../../core/run/log/pin.ts'
import { wasRefused } from '../../../../core/run/prompt/compaction.ts'
import { checkAnswer } from '../../../../core/run/prompt/structured-output.ts'
import { promptFingerprint } from '../../../../core/run/prompt/transcript.ts'
import { listPrice } from '../../../../core/run/state/budget.ts'
import {
  currentCalls,
  liveChildren,
  type RunState,
  spawnCalls,
} from '../../../../core/run/state/state.ts'
import { warned } from '../../../../core/run/state/warning.ts'
import { isSpawn } from '../../../../core/tools/builtin/sessions-spawn.ts'
import { inARow, refusedBefore } from '../../../../core/tools/loop.ts'
import { type AskedCall, planCalls } from '../../../../core/tools/plan.ts'
import { mendedCall } from '../../../../core/tools/repair-call.ts'
import { rulingOf } from '../../../../core/tools/rules.ts'
import { chatSpan, traceHeaders, traceparent } from '../../../../core/trace/context.ts'
import { byteLength, cut } from '../../../../lib/bytes.ts'
import { derivedId } from '../../../../lib/id.ts'
import type { Outcome } from '../../../../lib/outcome.ts'
import type {
  Delta,
  ModelAnswer,
  ModelFailure,
  ModelRequest,
  World,
} from '../../../../ports/world.ts'
import { homeOfRun } from '../../../partition/home.ts'
import { runPartition } from '../../../partition/keys.ts'
import type { EffectResult } from '../../../partition/log-type.ts'
import { reportMended } from '../../../partition/report.ts'
import { spill } from '../../../tenant/blobs.ts'
import { policyNow } from '../../../tenant/policy.ts'
import { expectSpawns } from '../child/spawn.ts'
import { type Context, pinOf } from '../context.ts'
import { fitToModel } from '../prompt/fit.ts'
import { requestOf } from '../prompt/request.ts'
import { askChain, type ChainOutcome, fitting } from './ask.ts'
import { askModel } from './circuit.ts'
import { performCompaction } from './compact.ts'
import { discardedBy, failure, type ModelEffect, recovered } from './failure.ts'
import { reservation } from './reserve.ts'
import { timing } from './timing.ts'

const AS_BEFORE: ModelFailure = { code: 'too_long', message: 'as before', retryable: false }

/** Maximum number of tool calls stored per answer. The last one represents all excess calls. */
const KEPT_CALLS = LIMITS.calls_per_step + 1
/** Maximum length of a provider's call ID, in bytes. */
const PROVIDER_ID_BYTES = 128
/** Maximum length of a provider package's warning, in bytes. */
const WARNING_BYTES = 300
const EMPTY = 'returned an empty answer twice.'
/** Maximum size of an answer in bytes: the row size limit (128 KiB) minus the row's header. */
const ROW_BYTES = 120_000

export async function performModel(context: Context, effect: ModelEffect): Promise<EffectResult> {
  const { world, tenant, state } = context
  const request = await requestOf(context, effect)
  const omissions = new Map<string, readonly RunWarning[]>()
  const budget = reservation(state, {
    ...{ step: effect.step, request },
    respond: (modelRequest) => callModel(context, effect.step, modelRequest, omissions),
  })
  if (budget.reached) return { facts: [budget.reached] }
  const models = chainOf(state.started!)
  const earlierFailure = wasRefused(state) ? AS_BEFORE : undefined
  if (earlierFailure || fitting(models, request).length === 0) {
    const shorter = await performCompaction(context, effect.step, earlierFailure)
    if (shorter) return yielded(context, effect, shorter)
  }
  const partition = runPartition(tenant, state.spec!.id)
  const timed = timing(context)
  const chain = await askChain({
    request,
    chain: models,
    respond: budget.respond,
    byPrompt: () => requestOf(context, { last: effect.last, by_prompt: true }),
    needsWords: liveChildren(state).length === 0 && budget.fitsTwice && mayAskTwice(state),
  })
  const { outcome } = chain
  if (outcome.ok) reportMended(world, partition, effect.step, outcome.value)
  world.feed.publish(partition, { type: 'answered' })
  const spent = chain.spent.map(({ model, failure: { usage } }) =>
    discardedBy(effect, model, usage!),
  )
  const about = { ...chain, left: omissions, timed: timed(), reserved: budget.reserved() }
  const effectResult = await outcomeFacts(context, effect, about, request)
  return { ...effectResult, facts: [...spent, ...(effectResult.facts ?? [])] }
}

/** Calls one model; `omissions` collects warnings about unsupported content. */
async function callModel(
  context: Context,
  step: number,
  request: ModelRequest,
  omissions: Map<string, readonly RunWarning[]>,
): Promise<Outcome<ModelAnswer, ModelFailure>> {
  const { world, tenant, state, signal } = context
  const fitted = await fitToModel({ world, home: homeOfRun(tenant, state.spec) }, request, signal)
  omissions.set(request.model, fitted.warnings)
  const trace = traceHeaders(traceparent(state.spec!, chatSpan(state.spec!.id, step)))
  const onDelta = deltaPublisher(context, runPartition(tenant, state.spec!.id), step)
  const { price } = chainOf(state.started!).find(({ model }) => model === request.model) ?? {}
  return askModel(context, { ...fitted.request, ...trace }, { signal, onDelta }, price)
}

/** Returns whether the model call budget allows one more call than the current one. */
function mayAskTwice({ spec, usage }: RunState): boolean {
  const { max_model_calls } = spec!.limits
  return max_model_calls == null || usage.model_calls + 2 <= max_model_calls
}

async function outcomeFacts(
  context: Context,
  effect: ModelEffect,
  chain: ChainOutcome & LeftOut & { readonly timed: Timed; readonly reserved: Reserved },
  { messages }: ModelRequest,
): Promise<EffectResult> {
  const { world, tenant, state } = context
  const { outcome, model } = chain
  if (!outcome.ok && outcome.error.code === 'too_long') {
    const shorter = await performCompaction(context, effect.step, outcome.error)
    if (shorter) return yielded(context, effect, shorter)
  }
  if (!outcome.ok) return { facts: failure(context, effect, outcome.error, model) }
  await world.pace?.turn(tenant, { length: lengthOf(messages) })
  const message = await assistantFact(context, effect, outcome.value, model)
  const attempts = modelsTried(state, chain, effect)
  const fact = { ...message, ...attempts, ...chain.refused, ...chain.timed, ...chain.reserved }
  const large = tooLarge(fact)
  if (large) return { facts: failure(context, effect, large, model) }
  const facts = [...recovered(context, effect), fact]
  return { facts, fingerprint: promptFingerprint(state, state.pending_input.length) }
}

/** Warnings about unsupported content, for each model in the chain. */
interface LeftOut {
  readonly left: ReadonlyMap<string, readonly RunWarning[]>
}

/** Returns the models tried, and warnings about the answering model, each reported once. */
function modelsTried(
  state: RunState,
  chain: ChainOutcome & LeftOut,
  { last }: ModelEffect,
): Attempted {
  const { answerWarnings: reported } = state
  const { outcome, tried: attempts, model, left: omissions } = chain
  const sentences = outcome.ok ? (outcome.value.warnings ?? []) : []
  const settings = sentences.map((sentence) => ({
    code: 'model_setting',
    message: cut(`${model.model}: ${sentence}`, WARNING_BYTES),
  }))
  const blank = chain.blank ? [{ code: 'empty_answer', message: `${model.model} ${EMPTY}` }] : []
  const looped = last && isLooping(state) ? [loopWarning(state)] : []
  const warnings = [...settings, ...blank, ...looped, ...(omissions.get(model.model) ?? [])].filter(
    ({ message }) => !reported.some((warning) => warning.message === message),
  )
  return { ...(attempts.length === 0 ? {} : { tried: attempts }), ...warned(warnings) }
}

/** Returns a warning that the last answer was requested without tools. */
function loopWarning(state: RunState): RunWarning {
  const tools = [...new Set(currentCalls(state).map(({ tool }) => tool))].join(', ')
  const message =
    `The model repeated a call to ${tools} after it was rejected as a loop; the last answer was ` +
    'requested without tools.'
  return { code: 'tool_loop', message: cut(message, WARNING_BYTES) }
}

/** Returns a function that publishes answer deltas to readers, with their text positions. */
function deltaPublisher({ world, state }: Context, partition: string, step: number) {
  const { epoch } = state
  let began: number | undefined
  let at = 0
  return (delta: Delta): void => {
    began ??= world.clock.now()
    world.feed.publish(partition, { type: 'delta', epoch, step, began, at, delta })
    if (delta.type === 'text') at += delta.text.length
  }
}

/** Returns the result of compacting the conversation. The step's own call is still due. */
function yielded(
  context: Context,
  effect: ModelEffect,
  shorter: Outcome<TranscriptCompacted | MemoryNoted, ModelFailure>,
): EffectResult {
  if (!shorter.ok) return { facts: failure(context, effect, shorter.error) }
  const { state } = context
  const fingerprint = promptFingerprint(state, state.pending_input.length)
  const answers = shorter.value.model === null ? [] : recovered(context, effect)
  return { facts: [...answers, shorter.value], fingerprint }
}

async function assistantFact(
  context: Context,
  effect: ModelEffect,
  answer: ModelAnswer,
  { price }: StepModel,
): Promise<AssistantMessage> {
  const { world, tenant, state } = context
  const spec = state.spec!
  const home = homeOfRun(tenant, spec)
  const toolCalls: AskedCall[] = []
  const pin = await pinOf(context)
  const most = inlineBytes(world, answer.parts.length)
  let droppedCalls = answer.dropped_calls ?? 0
  const parts: AssistantPart[] = []
  for (const part of answer.parts) {
    if (part.type !== 'call') {
      parts.push({ ...part, text: await spill(world, home, part.text as string, most) })
      continue
    }
    // The last call offers no tools. Tool calls that the model still requests are not performed.
    if (effect.last) continue
    if (toolCalls.length >= KEPT_CALLS) {
      droppedCalls += 1
      continue
    }
    const id = derivedId('call', spec.id, effect.step, toolCalls.length)
    const tool = cut(part.tool, LIMITS.tool_name_length)
    const call = mendedCall(pin, { tool, arguments: part.arguments as string })
    const provider_id = cut(part.provider_id, PROVIDER_ID_BYTES)
    toolCalls.push({ id, ...call })
    const argumentsBody = await spill(world, home, call.arguments, most)
    parts.push({ ...part, id, tool: call.tool, provider_id, arguments: argumentsBody })
  }
  if (toolCalls.some(({ tool }) => isSpawn(tool))) expectSpawns(context)
  const { policy } = toolCalls.length > 0 ? await policyNow(context) : { policy: DEFAULT_POLICY }
  const calls = planCalls(toolCalls, {
    pin,
    inARow: inARow(state),
    refusedBefore: refusedBefore(state),
    ruling: (tool, args) => rulingOf(tool, pin, policy, args),
    unattended: spec.approvals?.unattended ?? false,
    mayNest: spec.depth < spec.limits.max_depth,
    isCut: answer.finish === 'length',
    dropped: droppedCalls,
    childrenLeft: spec.limits.max_children - spawnCalls(state).length,
  })
  return {
    type: 'assistant.message',
    step: effect.step,
    seen: state.pending_input.length,
    parts,
    calls,
    finish: answer.finish,
    model: answer.model,
    usage: { ...answer.usage, ...listPrice(price, answer.usage) },
    ...checked(state, pin, answer, toolCalls.length),
  }
}

/** Returns the maximum inline size of each message part in bytes, because an answer is one row. */
const inlineBytes = (world: World, parts: number): number =>
  Math.min(
    world.settings.spillBytes,
    Math.max(128, Math.floor(LIMITS.commit_row_bytes / 2 / parts)),
  )

/** Number of message parts that always fit into a row; longer texts are stored separately. */
const FEW_PARTS = 16

/** Returns the failure of an oversized answer, because provider data cannot be truncated. */
function tooLarge(fact: AssistantMessage): ModelFailure | undefined {
  const { parts, structured } = fact
  const plain = structured === undefined && parts.every(({ provider }) => provider === undefined)
  if (plain && parts.length <= FEW_PARTS) return undefined
  const bytes = byteLength(JSON.stringify(fact))
  if (bytes <= ROW_BYTES) return undefined
  const message = `the answer has ${bytes} bytes besides its text; the limit is ${ROW_BYTES}`
  return { code: 'rejected', message, retryable: false }
}

/** Validates a final answer against the schema. Answers while subagents run are not final. */
function checked(state: RunState, pin: Pin, answer: ModelAnswer, callCount: number): Checked {
  const last = callCount === 0 && liveChildren(state).length === 0
  if (pin.output_schema === undefined || !last) return {}
  const texts = answer.parts.flatMap((part) => (part.type === 'text' ? [part.text as string] : []))
  return checkAnswer(pin.output_schema, texts.join('\n'))
}
