/**
 * Validates structured answers. The final answer is validated on arrival, and an invalid answer is
 * retried once. After that, the run completes without data and explains why, or fails if its caller
 * requires data (`output_schema_required`).
 */

import { byteLength } from '../../../lib/bytes.ts'
import { wellFormedIn } from '../../../lib/well-formed.ts'
import { LIMITS } from '../../limits.ts'
import { schemaError } from '../../tools/schema.ts'
import type { Checked, SchemaMeans, Shaped } from '../log/fact-parts.ts'
import type { RunError } from '../log/facts.ts'
import { exhausted } from '../state/budget.ts'
import type { RunState, Step } from '../state/state.ts'
import { lastStep } from '../state/state.ts'
import { findJson } from './json-in-text.ts'

/** JSON Schema of the answers of agents with `emitStructuredFindings`. */
export const FINDINGS_SCHEMA = {
  type: 'object',
  properties: {
    findings: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          title: { type: 'string' },
          detail: { type: 'string' },
          source: { type: 'string' },
        },
        required: ['title', 'detail'],
      },
    },
  },
  required: ['findings'],
} as const

/** Returns an answer as data, or the reason why the answer does not match the schema. */
export function checkAnswer(schema: Readonly<Record<string, unknown>>, text: string): Checked {
  if (byteLength(text) > LIMITS.structured_bytes) {
    return { schema_error: `the answer is larger than ${LIMITS.structured_bytes} bytes` }
  }
  const parsed = findJson(text)
  const values = 'whole' in parsed ? [parsed.whole] : parsed.within
  const checks = values.map((value) => ({ value, wrong: schemaError(schema, value) }))
  const fitting = checks.filter(({ wrong }) => wrong === undefined)
  // If several values match, only the model knows which one it means.
  if (fitting.length > 1)
    return { schema_error: `the answer has ${fitting.length} different conforming values` }
  if (fitting.length === 1) return { structured: wellFormedIn(fitting[0]!.value) }
  const reason = 'why' in parsed ? `the answer is not JSON (${parsed.why})` : ''
  return { schema_error: checks.length === 1 ? checks[0]!.wrong! : reason }
}

/**
 * Returns how the model receives the schema of its answer; a rejected schema is not sent natively
 * again.
 */
export const meansOf = ({ steps, started }: RunState): SchemaMeans | undefined =>
  steps.findLast((step) => step.structured_output)?.structured_output ?? started?.structured_output

const isWrong = (step: Step): boolean => step.schema_error !== undefined && step.calls.length === 0

/** Whether an invalid answer is retried. */
export const repairDue = (state: RunState): boolean => isRepairWanted(state) && !exhausted(state)

/** Whether the answer is the first invalid answer, and the run has steps left. */
export function isRepairWanted(state: RunState): boolean {
  const step = lastStep(state)
  if (step === undefined || !isWrong(step)) return false
  if (state.steps.length > (state.started?.max_steps ?? 0)) return false
  return state.steps.filter(isWrong).length === 1
}

/** Returns the error of a run that must fail because it has no valid answer. */
export function unmet(state: RunState): RunError | undefined {
  const step = lastStep(state)
  if (!state.spec?.output_schema_required || (step && 'structured' in step)) return undefined
  const suffix = state.steps.filter(isWrong).length > 1 ? ', even after a second request' : ''
  const reason = step?.schema_error
  const message =
    reason === undefined
      ? 'The run ended without an answer that conforms to the required schema.'
      : `The answer does not conform to the required schema${suffix}: ${reason}.`
  return { code: 'schema_unmet', message }
}

/** Whether the caller or the agent file requests a structured answer. */
const isShaped = ({ spec, started }: RunState): boolean =>
  spec?.output_schema !== undefined || started?.structured_output !== undefined

/** Explains why a completed run lacks the requested data; undefined if it does not. */
export function schemaErrorOf(state: RunState): string | undefined {
  const step = lastStep(state)
  if (!isShaped(state) || (step && 'structured' in step)) return undefined
  return step?.schema_error ?? 'the run ended without an answer that could be validated'
}

/** Error message for requiring a valid answer without giving a schema. */
export const REQUIRES_NOTHING = 'requires an output_schema'

export const requiresNothing = (request: {
  readonly output_schema?: unknown
  readonly output_schema_required?: boolean | undefined
}): boolean => request.output_schema_required === true && !request.output_schema

/** Returns a run request's output schema as stored in the spec. */
export const shapeAsked = (request: {
  readonly output_schema?: Readonly<Record<string, unknown>> | undefined
  readonly output_schema_required?: boolean | undefined
}): Pick<Shaped, 'output_schema' | 'output_schema_required'> =>
  request.output_schema
    ? {
        output_schema: request.output_schema,
        ...(request.output_schema_required ? { output_schema_required: true } : {}),
      }
    : {}

/** Returns the repair note sent to the model after a step whose answer did not match the schema. */
export function repairText(state: RunState, index: number): string | undefined {
  const step = state.steps[index]
  if (step === undefined || !isWrong(step)) return undefined
  if (index === state.steps.length - 1 && !repairDue(state)) return undefined
  return (
    `Your answer does not conform to the schema: ${step.schema_error}. Answer with only ` +
    'JSON that conforms.'
  )
}
