/**
 * Compacts a conversation that is too long for its model, with a summary by the model of role
 * `Compaction`. The run's model is used if that model is missing or has too small a window. If no
 * model can summarize, an excerpt replaces the summary, so that a run never fails for lack of one.
 */

import { LIMITS } from '../../../../core/limits.ts'
import { type Message, NO_USAGE } from '../../../../core/message.ts'
import type { Policy } from '../../../../core/policy.ts'
import { COMPACT_SYSTEM, compactPrompt } from '../../../../core/prompt.ts'
import type { MemoryNoted, TranscriptCompacted } from '../../../../core/run/log/facts.ts'
import { chainOf } from '../../../../core/run/log/models.ts'
import {
  asText,
  keptFrom,
  mayCompact,
  stateBefore,
} from '../../../../core/run/prompt/compaction.ts'
import { shownMessages } from '../../../../core/run/prompt/transcript.ts'
import { listPrice } from '../../../../core/run/state/budget.ts'
import { cut } from '../../../../lib/bytes.ts'
import { type Outcome, ok } from '../../../../lib/outcome.ts'
import type { ModelAnswer, ModelFailure } from '../../../../ports/world.ts'
import { homeOfRun } from '../../../partition/home.ts'
import { spill } from '../../../tenant/blobs.ts'
import { findModel, priced, readPolicy } from '../../../tenant/policy.ts'
import type { Context } from '../context.ts'
import { loadAll } from '../prompt/load.ts'
import { earlier } from '../prompt/request.ts'
import { askFirst, type Summariser } from './ask.ts'
import { askModel } from './circuit.ts'
import { performNoting } from './notes.ts'

/**
 * Returns the compaction, a preceding note of lasting information, or a temporary failure. Returns
 * undefined if no messages can be omitted. With `failure`, the provider rejected a request that
 * should fit, so only the summary stays.
 */
export async function performCompaction(
  context: Context,
  step: number,
  failure?: ModelFailure,
): Promise<Outcome<TranscriptCompacted | MemoryNoted, ModelFailure> | undefined> {
  const { world, tenant, state } = context
  if (!mayCompact(state)) return undefined
  const kept_from = keptFrom(state, failure !== undefined)
  const homeRef = { world, home: homeOfRun(tenant, state.spec) }
  const old = await earlier(context)
  if (old.length === 0 && kept_from === (state.compacted?.kept_from ?? 0)) return undefined
  const covered = await loadAll(homeRef, [...old, ...shownMessages(stateBefore(state, kept_from))])
  const { policy } = await readPolicy(world, tenant)
  if (world.model.ready) await world.model.ready()
  const models = summarisers(context, policy)
  const flush = await performNoting(context, {
    step,
    models,
    policy,
    covered,
    kept_from,
    refused: failure,
  })
  if (flush) return flush
  const { answer, model } = await askFirst(models, (candidate) =>
    ask(context, { ...candidate, ...priced(policy, candidate) }, covered),
  )
  if (!answer.ok && mayPass(answer.error)) return answer
  const summary = answer.ok ? textOf(answer.value) : ''
  const text = summary === '' ? asText(covered, LIMITS.summary_bytes) : summary
  const usage = answer.ok ? answer.value.usage : NO_USAGE
  return ok({
    type: 'transcript.compacted',
    step,
    seen: state.pending_input.length,
    kept_from,
    summary: await spill(world, homeOfRun(tenant, state.spec), cut(text, LIMITS.summary_bytes)),
    model: answer.ok && summary !== '' ? answer.value.model : null,
    usage: { ...usage, ...listPrice(priced(policy, model).price, usage) },
  })
}

const mayPass = ({ retryable, code }: ModelFailure): boolean => retryable || code === 'aborted'

/**
 * Returns the models that may summarize, in call order. A model with a smaller window than the
 * run's could not read the conversation.
 */
function summarisers({ world, state }: Context, policy: Policy): readonly Summariser[] {
  const chain = chainOf(state.started!).map(({ model: id, window, price }) => ({
    ...{ id, window },
    ...(price ? { price } : {}),
  }))
  const lookup = findModel(world, policy, 'Compaction')
  if (!lookup.ok) return chain
  const { fallbacks = [] } = lookup.value
  const able = [lookup.value, ...fallbacks].filter(({ window }) => window >= chain[0]!.window)
  return [...able, ...chain.filter(({ id }) => able.every((candidate) => candidate.id !== id))]
}

function ask(
  context: Context,
  { id, window, price }: Summariser,
  covered: readonly Message[],
): Promise<Outcome<ModelAnswer, ModelFailure>> {
  const prompt = compactPrompt(asText(covered, window * 2))
  const messages = [{ role: 'user', text: prompt } as const]
  const request = { model: id, system: COMPACT_SYSTEM, messages, tools: [] }
  return askModel(context, request, { signal: context.signal, onDelta: () => {} }, price)
}

/** Returns the text of a summary, or the empty string if the model declined. */
const textOf = ({ parts, finish }: ModelAnswer): string =>
  finish === 'refusal'
    ? ''
    : parts
        .flatMap((part) => (part.type === 'text' ? [part.text as string] : []))
        .join('\n')
        .trim()
