/** Builds the trace spans of model calls: answered, discarded, and failed calls. */

import type { AssistantMessage, RunError } from '../run/log/facts.ts'
import { chatSpan, spanId } from './context.ts'
import { modelAttributes, usageAttributes } from './gen-ai.ts'
import type { Span } from './span.ts'

/** Trace span without its trace ID and parent. */
export type Part = Omit<Span, 'trace' | 'parent' | 'kind'> & Partial<Pick<Span, 'kind'>>

/**
 * Times of a model call: when its fact was written and when the call could start, plus the run's
 * model.
 */
interface CallTimes {
  readonly at: number
  readonly ready: number
  readonly model: string | undefined
}

export function chatOf(run: string, fact: AssistantMessage, { at, ready, model }: CallTimes): Part {
  const { began_at, duration_ms = 0, step } = fact
  const timed = began_at !== undefined
  return {
    id: chatSpan(run, step),
    name: `chat ${nameOf(fact.model)}`,
    kind: 'client',
    start: timed ? Math.min(at, began_at) : ready,
    end: timed ? Math.min(at, began_at + duration_ms) : at,
    attributes: {
      'gen_ai.operation.name': 'chat',
      ...modelAttributes(model, fact.model),
      ...usageAttributes(fact.usage),
      'gen_ai.response.finish_reasons': [fact.finish],
      'strata.step': step,
      'strata.model.tried': fact.tried?.map((attempt) => attempt.model),
    },
  }
}

/** Model call whose answer is not a step of the run, such as a compaction. */
export interface SideCall extends Pick<AssistantMessage, 'step' | 'usage'> {
  readonly model: string | null
  /** Text that identifies the model call within the run. */
  readonly about: string
  readonly purpose: 'discarded' | 'compaction' | 'memory'
}

export function askedOf(run: string, sideCall: SideCall, { at, ready }: CallTimes): Part {
  const model = sideCall.model ?? ''
  return {
    id: spanId(run, sideCall.about),
    name: `chat ${nameOf(model)}`,
    kind: 'client',
    ...{ start: ready, end: at },
    attributes: {
      'gen_ai.operation.name': 'chat',
      ...modelAttributes(model),
      ...usageAttributes(sideCall.usage),
      'strata.step': sideCall.step,
      'strata.purpose': sideCall.purpose,
    },
  }
}

export interface FailedCall {
  readonly step: number
  /** Number of the failed attempt; absent for the last attempt. */
  readonly attempt?: number | undefined
  readonly error: RunError
}

export function failedOf(
  run: string,
  { step, attempt, error }: FailedCall,
  { at, ready, model }: CallTimes,
): Part {
  return {
    id: spanId(run, 'chat', step, attempt ?? 'last'),
    name: model === undefined ? 'chat' : `chat ${nameOf(model)}`,
    kind: 'client',
    ...{ start: ready, end: at },
    attributes: {
      'gen_ai.operation.name': 'chat',
      ...modelAttributes(model),
      'strata.step': step,
      'strata.attempt': attempt,
    },
    error: { type: error.code, message: error.message },
  }
}

/** Returns a model name without the provider prefix. */
const nameOf = (model: string): string => model.slice(model.indexOf('/') + 1)
