/**
 * Calls the run's model. If that model is unavailable, calls the next one of its chain. Unavailable
 * means down, rate-limited, unauthorized, missing, or with too small a window. All other failures
 * concern the request, which other models would also reject.
 */

import type { AssistantPart } from '../../../../core/message.ts'
import type { SchemaTold } from '../../../../core/run/log/fact-parts.ts'
import type { ModelAttempt, StepModel } from '../../../../core/run/log/models.ts'
import { fail, type Outcome } from '../../../../lib/outcome.ts'
import type { ModelAnswer, ModelFailure, ModelInfo, ModelRequest } from '../../../../ports/world.ts'
import { isTooLong } from '../prompt/request.ts'

interface Failed {
  readonly model: StepModel
  readonly failure: ModelFailure
}

export interface ChainOutcome {
  readonly outcome: Outcome<ModelAnswer, ModelFailure>
  /** Model that was called last. */
  readonly model: StepModel
  readonly tried: readonly ModelAttempt[]
  /** Failed calls of other models that used tokens. */
  readonly spent: readonly Failed[]
  readonly refused: SchemaTold | undefined
  /** Whether the model twice ended an answer without text. */
  readonly blank: boolean
}

interface Asking {
  readonly request: ModelRequest
  readonly chain: readonly StepModel[]
  readonly respond: (request: ModelRequest) => Promise<Outcome<ModelAnswer, ModelFailure>>
  /** Returns the model request with its schema in the prompt. */
  readonly byPrompt: () => Promise<ModelRequest>
  /** Whether an answer without text is retried once. */
  readonly needsWords: boolean
}

/**
 * Returns the models whose window fits a request. If the list is empty, the conversation must be
 * compacted first.
 */
export const fitting = (chain: readonly StepModel[], request: ModelRequest): StepModel[] =>
  chain.filter(({ window }) => !isTooLong(request, window))

export async function askChain({
  request,
  chain,
  respond,
  byPrompt,
  needsWords,
}: Asking): Promise<ChainOutcome> {
  const fits = chain.length === 1 ? chain : fitting(chain, request)
  const able = fits.length === 0 ? chain : fits
  const passed = chain.filter((model) => !able.includes(model))
  const attempts: ModelAttempt[] = passed.map(({ model, window }) => ({
    ...{ model, code: 'too_long' },
    message: `the conversation exceeds the context window of ${window} tokens`,
  }))
  const failures: Failed[] = []
  const blanks: Failed[] = []
  let least = 0
  for (const model of able) {
    if (model.window <= least) continue
    const modelRequest = { ...request, model: model.model }
    const first = await askOne(modelRequest, respond, byPrompt)
    const shouldRepeat = needsWords && isBlank(first.answer)
    if (shouldRepeat && first.answer.ok) {
      blanks.push({ model, failure: { ...BLANK, usage: first.answer.value.usage } })
    }
    const { answer, refused: schemaRefusal } = shouldRepeat
      ? await askOne(modelRequest, respond, byPrompt)
      : first
    if (answer.ok) {
      const spent = [...blanks, ...costly(failures)]
      return {
        outcome: answer,
        model,
        tried: attempts,
        spent,
        refused: schemaRefusal,
        blank: shouldRepeat && isBlank(answer),
      }
    }
    const { error: failure } = answer
    failures.push({ model, failure })
    if (!MOVES_ON.has(failure.code)) break
    if (failure.code === 'too_long') least = Math.max(least, model.window)
    attempts.push({ model: model.model, code: failure.code, message: failure.message })
  }
  // If one model failed temporarily, a retry is justified regardless of the other models' failures.
  const { model, failure } = failures.find((entry) => entry.failure.retryable) ?? failures.at(-1)!
  const otherFailures = failures.filter((entry) => entry.model !== model)
  const outcome = fail(withOthers(failure, otherFailures))
  const spent = [...blanks, ...costly(otherFailures)]
  return { outcome, model, tried: attempts, spent, refused: undefined, blank: false }
}

const BLANK: ModelFailure = {
  code: 'unavailable',
  message: 'the answer had no text',
  retryable: true,
}

/** Returns whether a model's answer is complete but empty. */
function isBlank(answer: Outcome<ModelAnswer, ModelFailure>): boolean {
  if (!answer.ok) return false
  const { finish, parts } = answer.value
  if (finish !== 'stop' && finish !== 'other') return false
  return parts.every((part) => part.type === 'reasoning' || isBlankText(part))
}

const isBlankText = (part: AssistantPart): boolean =>
  part.type === 'text' && (part.text as string).trim() === ''

/** Codes of model failures that do not concern the request. */
const MOVES_ON: ReadonlySet<ModelFailure['code']> = new Set([
  'unavailable',
  'rate_limited',
  'too_long',
  'unauthorized',
  'payment_required',
  'model_not_found',
])

const costly = (failures: ChainOutcome['spent']): ChainOutcome['spent'] =>
  failures.filter(({ failure }) => failure.usage !== undefined)

function withOthers(failure: ModelFailure, otherFailures: ChainOutcome['spent']): ModelFailure {
  const messages = otherFailures.map(
    ({ model, failure: { message } }) => `${model.model}: ${message}`,
  )
  return messages.length === 0
    ? failure
    : { ...failure, message: `${failure.message}; fallbacks: ${messages.join('; ')}` }
}

async function askOne(
  request: ModelRequest,
  respond: Asking['respond'],
  byPrompt: Asking['byPrompt'],
) {
  const answer = await respond(request)
  const schemaRefusal = schemaRefused(request, answer)
  if (!schemaRefusal) return { answer, refused: schemaRefusal }
  return {
    answer: await respond({ ...(await byPrompt()), model: request.model }),
    refused: schemaRefusal,
  }
}

/** Returns a provider's rejection of a schema, which then has to be in the prompt. */
function schemaRefused(
  { output_schema }: ModelRequest,
  answer: Outcome<ModelAnswer, ModelFailure>,
): SchemaTold | undefined {
  if (answer.ok || output_schema === undefined) return undefined
  const { code, message, usage } = answer.error
  if (code !== 'rejected' || usage !== undefined) return undefined
  return { structured_output: { native: false, reason: message } }
}

/** Model that summarizes a conversation. */
export type Summariser = Pick<ModelInfo, 'id' | 'window' | 'price'>

/** Returns the first model's answer. If a model is unavailable, calls the next one. */
export async function askFirst(
  models: readonly Summariser[],
  ask: (model: Summariser) => Promise<Outcome<ModelAnswer, ModelFailure>>,
): Promise<{ readonly answer: Outcome<ModelAnswer, ModelFailure>; readonly model: Summariser }> {
  const [model, ...fallbacks] = models as [Summariser, ...Summariser[]]
  const answer = await ask(model)
  const isUnavailable = !answer.ok && MOVES_ON.has(answer.error.code)
  return isUnavailable && fallbacks.length > 0 ? askFirst(fallbacks, ask) : { answer, model }
}
