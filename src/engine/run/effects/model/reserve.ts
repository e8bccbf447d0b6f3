/**
 * Maximum cost of a model call under a token or dollar budget (PROTOCOL.md rule 23). The prompt
 * counts by bytes, and the remainder limits the answer. A call that exceeds its slice does not
 * start. A run with a separate budget may exceed it by its last call.
 */

import { LIMITS } from '../../../../core/limits.ts'
import type { Reserved } from '../../../../core/run/log/fact-parts.ts'
import type { BudgetReached } from '../../../../core/run/log/facts.ts'
import { chainOf, type StepModel } from '../../../../core/run/log/models.ts'
import { callRoom, listPrice } from '../../../../core/run/state/budget.ts'
import type { RunState } from '../../../../core/run/state/state.ts'
import { BYTES_PER_TOKEN } from '../../../../core/usage.ts'
import type { Outcome } from '../../../../lib/outcome.ts'
import type { ModelAnswer, ModelFailure, ModelRequest } from '../../../../ports/world.ts'
import { sizeOf } from '../prompt/request.ts'

const TOKENS_PER_BYTE = 1 / BYTES_PER_TOKEN
/** Size in bytes of the shortest answer that justifies a model call. */
const ANSWER_BYTES = 1_536
/** Minimum length of an answer in tokens, so that a budget's last call returns text. */
const LEAST_ANSWER = 512

type Room = NonNullable<ReturnType<typeof callRoom>>
type Respond = (request: ModelRequest) => Promise<Outcome<ModelAnswer, ModelFailure>>

export interface Reservation {
  /** Fact about the exhausted budget that prevents the call. */
  readonly reached?: BudgetReached
  /** Whether a second call of the same cost fits the budget. */
  readonly fitsTwice: boolean
  /** Function that calls the model with an answer limited by the budget. */
  readonly respond: Respond
  /** Returns the reservation members of the answer's fact. */
  readonly reserved: () => Reserved
}

/**
 * Computes the reservation of a model call. Without a token or dollar budget, the call is not
 * measured.
 */
export function reservation(
  state: RunState,
  { step, request, respond }: { step: number; request: ModelRequest; respond: Respond },
): Reservation {
  const room = callRoom(state)
  if (room === undefined) return { respond, reserved: () => ({}), fitsTwice: true }
  const prompt_bytes = sizeOf(request)
  const perByte = room.tokens_per_byte ?? TOKENS_PER_BYTE
  const prompt = Math.ceil(prompt_bytes * perByte)
  const answer = Math.max(1, Math.ceil(ANSWER_BYTES * Math.min(perByte, TOKENS_PER_BYTE)))
  const models = chainOf(state.started!)
  const calls = (times: number) =>
    room.isStrict ? reachedBy(room, models[0]!, { prompt, answer, times }) : undefined
  const budgetReached = calls(1)
  let bound: number | undefined
  const respondBounded: Respond = async (modelRequest) => {
    const requestedMax = modelRequest.settings?.max_output_tokens
    const price = models.find(({ model }) => model === modelRequest.model)?.price
    const most = answerRoom(room, price, prompt)
    bound =
      most < Math.min(requestedMax ?? Infinity, LIMITS.bounded_answer_tokens) ? most : undefined
    if (bound === undefined) return respond(modelRequest)
    const settings = { ...modelRequest.settings, max_output_tokens: bound }
    const response = await respond({ ...modelRequest, settings })
    if (!isBoundRefused(response)) return response
    // The model supports no limit on the answer, or only smaller limits.
    bound = undefined
    return respond(modelRequest)
  }
  const reserved = () => ({
    prompt_bytes,
    ...(bound === undefined ? {} : { budget_output_tokens: bound }),
  })
  const fitsTwice = calls(2) === undefined
  const stopped = budgetReached ? { reached: { ...budgetReached, step } } : {}
  return { ...stopped, fitsTwice, respond: respondBounded, reserved }
}

/**
 * Returns a budget that the minimum cost of a call exceeds. The minimum is the cost of a usual
 * call, or at least of its prompt and a short answer.
 */
function reachedBy(
  { left: remaining, usual }: Room,
  { price }: StepModel,
  { prompt, answer, times }: Readonly<Record<'prompt' | 'answer' | 'times', number>>,
): Omit<BudgetReached, 'step'> | undefined {
  const tokens = Math.ceil(Math.max(prompt + answer, usual.tokens)) * times
  if (remaining.tokens < tokens) return short('max_tokens', tokens, remaining.tokens)
  const { list_price = 0 } = listPrice(price, { input_tokens: prompt, output_tokens: answer })
  const cost = Math.max(list_price, usual.cost) * times
  return remaining.cost < cost ? short('max_cost_usd', cost, remaining.cost) : undefined
}

const short = (limit: BudgetReached['limit'], needed: number, remaining: number) =>
  ({ type: 'budget.reached', limit, needed, left: Math.max(0, remaining) }) as const

/** Returns the maximum length of an answer within the remaining budget, in tokens. */
function answerRoom({ left: remaining }: Room, price: StepModel['price'], prompt: number): number {
  const { list_price = 0 } = listPrice(price, { input_tokens: prompt, output_tokens: 0 })
  const perToken = (price?.output_per_million ?? 0) / 1_000_000
  const dollars = perToken === 0 ? Infinity : (remaining.cost - list_price) / perToken
  return Math.max(LEAST_ANSWER, Math.floor(Math.min(remaining.tokens - prompt, dollars)))
}

const BOUND = /max_?(?:completion_|output_?)?tokens/i

const isBoundRefused = (response: Awaited<ReturnType<Respond>>): boolean =>
  !response.ok &&
  response.error.code === 'rejected' &&
  !response.error.usage &&
  BOUND.test(response.error.message)
