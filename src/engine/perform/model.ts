/** One model call for one step: the finished message is the fact, deltas go to the feed. */

import { LIMITS } from '../../core/limits.ts'
import type { AssistantPart, Message } from '../../core/message.ts'
import { DEFAULT_POLICY } from '../../core/policy.ts'
import { notesText, schemaText } from '../../core/prompt.ts'
import { listPrice } from '../../core/run/budget.ts'
import type { RunFact } from '../../core/run/facts.ts'
import type { Effect } from '../../core/run/owed.ts'
import type { Pin } from '../../core/run/pin.ts'
import type { RunState } from '../../core/run/state.ts'
import { liveChildren, spawnCalls } from '../../core/run/state.ts'
import type { Checked } from '../../core/run/structured.ts'
import { checkAnswer } from '../../core/run/structured.ts'
import { basis, messages } from '../../core/run/transcript.ts'
import { inARow } from '../../core/tools/loop.ts'
import type { AskedCall } from '../../core/tools/plan.ts'
import { planCalls } from '../../core/tools/plan.ts'
import { rulingOf } from '../../core/tools/rules.ts'
import { named } from '../../lib/id.ts'
import type { ModelAnswer, ModelFailure } from '../../ports/world.ts'
import { getBlob, load, loadText, spill } from '../blob.ts'
import { forkOf } from '../fork.ts'
import type { Yield } from '../inflight.ts'
import { runPartition } from '../names.ts'
import { readPolicy } from '../policy.ts'
import type { Context } from './context.ts'
import { pinOf } from './context.ts'

type ModelEffect = Extract<Effect, { kind: 'model' }>

/** Before the second and the third attempt of a step (milliseconds). */
const RETRY_MS = [1_000, 10_000] as const
const RETRY_MAX_MS = 600_000

export async function performModel(context: Context, effect: ModelEffect): Promise<Yield> {
  const { world, tenant, state, signal } = context
  const pin = await pinOf(context)
  const spec = state.spec!
  const partition = runPartition(tenant, spec.id)
  const answer = await world.model.respond(
    {
      model: state.started!.model,
      system: pin.system,
      notes: noted(pin),
      messages: await loadAll(context, [
        ...(await historyOf(context)),
        ...(await forkOf(world, tenant, spec)),
        ...messages(state),
      ]),
      tools: effect.last ? [] : pin.tools,
    },
    {
      signal,
      onDelta: (delta) =>
        world.feed.publish(partition, {
          type: 'delta',
          epoch: state.epoch,
          step: effect.step,
          delta,
        }),
    },
  )
  if (!answer.ok) return { facts: failure(context, effect, answer.error) }
  const fact = await answered(context, effect, answer.value)
  return { facts: [fact], basis: basis(state, state.inbox.length) }
}

/** What the session's earlier runs said. */
async function historyOf({ world, tenant, state }: Context): Promise<Message[]> {
  const segments = await Promise.all(state.history.map((digest) => getBlob(world, tenant, digest)))
  return segments.flatMap((text) => JSON.parse(text ?? '[]') as Message[])
}

/** What stands beside the agent's own prompt. */
function noted({ notes, output_schema }: Pin): string | undefined {
  const texts = [notesText(notes), output_schema && schemaText(output_schema)]
  const said = texts.filter((text) => text !== undefined)
  return said.length === 0 ? undefined : said.join('\n\n')
}

/** Every body in full: the model gets texts, never references. */
async function loadAll(context: Context, list: readonly Message[]): Promise<Message[]> {
  const full = (body: Parameters<typeof load>[2]) => load(context.world, context.tenant, body)
  return Promise.all(
    list.map(async (message): Promise<Message> => {
      switch (message.role) {
        case 'user':
          return { role: 'user', text: await loadText(context.world, context.tenant, message) }
        case 'assistant': {
          const parts = message.parts.map(
            async (part): Promise<AssistantPart> =>
              part.type === 'call'
                ? { ...part, arguments: await full(part.arguments) }
                : { ...part, text: await full(part.text) },
          )
          return { role: 'assistant', parts: await Promise.all(parts) }
        }
        case 'tool': {
          const results = message.results.map(async (result) => ({
            ...result,
            text: await full(result.text),
          }))
          return { role: 'tool', results: await Promise.all(results) }
        }
      }
    }),
  )
}

async function answered(
  context: Context,
  effect: ModelEffect,
  answer: ModelAnswer,
): Promise<RunFact> {
  const { world, tenant, state } = context
  const spec = state.spec!
  const asked: AskedCall[] = []
  const parts: AssistantPart[] = []
  for (const part of answer.parts) {
    if (part.type !== 'call') {
      parts.push({ ...part, text: await spill(world, tenant, part.text as string) })
      continue
    }
    // The last call goes without tools; what still asks for one is not performed.
    if (effect.last) continue
    const id = named('call', spec.id, effect.step, asked.length)
    const written = part.arguments as string
    asked.push({ id, tool: part.tool, arguments: written })
    parts.push({ ...part, id, arguments: await spill(world, tenant, written) })
  }
  const pin = await pinOf(context)
  const { policy } = asked.length > 0 ? await readPolicy(world, tenant) : { policy: DEFAULT_POLICY }
  const calls = planCalls(asked, {
    pin,
    inARow: inARow(state),
    ruling: (tool) => rulingOf(tool, pin, policy),
    unattended: spec.approvals?.unattended ?? false,
    mayNest: spec.depth < spec.limits.max_depth,
    childrenLeft: spec.limits.max_children - spawnCalls(state).length,
  })
  return {
    type: 'assistant.message',
    step: effect.step,
    seen: state.inbox.length,
    parts,
    calls,
    finish: answer.finish,
    model: answer.model,
    usage: { ...answer.usage, ...listPrice(state.started?.price, answer.usage) },
    ...checked(state, pin, answer, asked.length),
  }
}

/** The last answer is checked when a schema was asked for; while subagents live it is not the last. */
function checked(state: RunState, pin: Pin, answer: ModelAnswer, asked: number): Checked {
  const last = asked === 0 && liveChildren(state).length === 0
  if (pin.output_schema === undefined || !last) return {}
  const texts = answer.parts.flatMap((part) => (part.type === 'text' ? [part.text as string] : []))
  return checkAnswer(pin.output_schema, texts.join('\n'))
}

function failure(context: Context, effect: ModelEffect, failed: ModelFailure): RunFact[] {
  const { step } = effect
  const attempt = context.state.attempts + 1
  const error = { code: 'model_unavailable', message: failed.message }
  if (!failed.retryable) {
    const code = failed.code === 'unauthorized' ? 'model_unauthorized' : 'model_rejected'
    return [{ type: 'run.failed', stop_reason: 'error', error: { ...error, code }, step }]
  }
  if (attempt >= LIMITS.model_attempts) {
    return [{ type: 'run.failed', stop_reason: 'error', error, step }]
  }
  const planned = RETRY_MS[attempt - 1] ?? RETRY_MAX_MS
  const wait = Math.min(RETRY_MAX_MS, failed.retryAfterMs ?? planned)
  const until = context.world.clock.now() + wait
  return [{ type: 'run.waiting', on: 'retry', until, step, attempt, error }]
}
