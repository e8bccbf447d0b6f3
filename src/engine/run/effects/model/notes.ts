/**
 * Asks the model once before compaction which information to keep, with only the memory tool
 * (PROTOCOL.md rule 50). The answer is a fact before anything is written, so a crash does not
 * repeat the call. A failed call loses the note, not the run. The next call covers the same
 * conversation.
 */

import { LIMITS } from '../../../../core/limits.ts'
import { MEMORY_OPERATIONS, type MemoryInput } from '../../../../core/manage/memory.ts'
import { type Message, NO_USAGE } from '../../../../core/message.ts'
import type { Policy } from '../../../../core/policy.ts'
import { FLUSH_SYSTEM, flushPrompt } from '../../../../core/prompt.ts'
import type { MemoryNoted, NotedEntry, RunError } from '../../../../core/run/log/facts.ts'
import { asText, mayFlush, stateBefore } from '../../../../core/run/prompt/compaction.ts'
import { messages } from '../../../../core/run/prompt/transcript.ts'
import { listPrice } from '../../../../core/run/state/budget.ts'
import { memoryWrite } from '../../../../core/tools/builtin/memory-write.ts'
import { rulingOf } from '../../../../core/tools/rules.ts'
import { type Outcome, ok } from '../../../../lib/outcome.ts'
import { getOwn } from '../../../../lib/own-member.ts'
import type { ModelAnswer, ModelFailure } from '../../../../ports/world.ts'
import { homeOfRun } from '../../../partition/home.ts'
import { spill } from '../../../tenant/blobs.ts'
import { policyNow, priced } from '../../../tenant/policy.ts'
import { type Context, pinOf } from '../context.ts'
import { loadAll } from '../prompt/load.ts'
import { earlier } from '../prompt/request.ts'
import { askFirst, type Summariser } from './ask.ts'
import { askModel } from './circuit.ts'

interface Noting {
  readonly step: number
  readonly models: readonly Summariser[]
  readonly policy: Policy
  /** Messages that the compaction summary will replace. */
  readonly covered: readonly Message[]
  readonly kept_from: number
  readonly refused: ModelFailure | undefined
}

/**
 * Requests notes from the model. Returns undefined if the run writes no memory, or if notes were
 * already requested before this compaction.
 */
export async function performNoting(
  context: Context,
  noting: Noting,
): Promise<Outcome<MemoryNoted, ModelFailure> | undefined> {
  const { state, signal } = context
  if (!mayFlush(state)) return undefined
  const pin = await pinOf(context)
  const tool = pin.tools.find(({ name }) => name === memoryWrite.name)
  if (!pin.memory?.flush || !tool || !getOwn(pin.routes, tool.name)) return undefined
  const { policy: now } = await policyNow(context)
  const ruling = rulingOf(tool.name, pin, now, () => undefined)
  if (ruling) {
    const message = `No notes were written: ${ruling.by} applies the rule "${ruling.rule}" to them.`
    return ok(notedAs(context, noting, { error: { code: 'not_allowed', message } }))
  }
  const { max_model_calls } = state.spec!.limits
  // The compaction summary and the answer need one model call each.
  if (max_model_calls != null && state.usage.model_calls + 3 > max_model_calls) {
    const message = 'No notes were written: the model call budget is exhausted.'
    return ok(notedAs(context, noting, { error: { code: 'budget', message } }))
  }
  const transcript = await conversation(context, noting)
  const { answer, model } = await askFirst(noting.models, (candidate) => {
    const text = flushPrompt(asText(transcript, candidate.window * 2))
    const prompt = { messages: [{ role: 'user', text } as const], tools: [tool] }
    const request = { model: candidate.id, system: FLUSH_SYSTEM, ...prompt }
    const { price } = priced(noting.policy, candidate)
    return askModel(context, request, { signal, onDelta: () => {} }, price)
  })
  if (!answer.ok) {
    const { code, message, retryable, usage = NO_USAGE } = answer.error
    if (code === 'aborted') return answer
    if (retryable && state.attempts + 1 < LIMITS.model_attempts) return answer
    const error = { code: 'model_unavailable', message }
    return ok(notedAs(context, noting, { error, usage }))
  }
  const { usage } = answer.value
  return ok(
    notedAs(context, noting, {
      entries: await entriesOf(context, answer.value),
      model: answer.value.model,
      usage: { ...usage, ...listPrice(priced(noting.policy, model).price, usage) },
    }),
  )
}

const notedAs = (
  { state }: Context,
  { step, refused: failure }: Noting,
  of: Partial<Pick<MemoryNoted, 'entries' | 'model' | 'usage'>> & { readonly error?: RunError },
): MemoryNoted => ({
  type: 'memory.noted',
  step,
  seen: state.pending_input.length,
  entries: [],
  model: null,
  usage: NO_USAGE,
  ...(failure ? { refused: true as const } : {}),
  ...of,
})

/**
 * Returns the messages that compaction omits, including messages whose notes were lost in a failed
 * attempt.
 */
async function conversation(
  context: Context,
  { covered, kept_from }: Noting,
): Promise<readonly Message[]> {
  const { world, tenant, state } = context
  if (!state.flush?.lost || state.compacted === null) return covered
  const uncompacted = { ...state, compacted: null }
  const homeRef = { world, home: homeOfRun(tenant, state.spec) }
  const old = await earlier({ ...context, state: uncompacted })
  return loadAll(homeRef, [...old, ...messages(stateBefore(uncompacted, kept_from))])
}

/**
 * Returns the memory entries that the model noted. Malformed entries are skipped, because the model
 * cannot correct them in another call.
 */
async function entriesOf(
  { world, tenant, state }: Context,
  { parts, finish }: ModelAnswer,
): Promise<NotedEntry[]> {
  if (finish === 'refusal') return []
  const home = homeOfRun(tenant, state.spec)
  const entries: NotedEntry[] = []
  for (const part of parts) {
    if (part.type !== 'call' || part.tool !== memoryWrite.name) continue
    const args = parsedCall(part.arguments as string)
    if (!args) continue
    const { path, heading, content } = args
    entries.push({
      ...(path === undefined ? {} : { path }),
      ...(heading === undefined ? {} : { heading }),
      content: await spill(world, home, content),
    })
    if (entries.length === LIMITS.memory_flush_calls) break
  }
  return entries
}

function parsedCall(json: string): MemoryInput<'memory_write'> | undefined {
  try {
    const parsed = MEMORY_OPERATIONS.memory_write.input.safeParse(JSON.parse(json))
    return parsed.success ? parsed.data : undefined
  } catch {
    return undefined
  }
}
