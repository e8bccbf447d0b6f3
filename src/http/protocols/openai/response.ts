/** Converts a turn to an OpenAI response object. */

import type { TerminalFact } from '../../../core/run/log/facts.ts'
import type { RunSpec } from '../../../core/run/log/spec.ts'
import type { TurnView } from '../../turn/view.ts'
import { responseId } from './ids.ts'
import { outputOf } from './output.ts'

/**
 * Request members repeated in the direct response. The log does not contain these members, so later
 * reads and streams omit them.
 */
export interface Echo {
  readonly background?: boolean | undefined
  readonly previous_response_id?: string | undefined
  /** Names of request members that were ignored. */
  readonly ignored?: readonly string[] | undefined
}

const seconds = (ms: number): number => Math.floor(ms / 1_000)

export const agentModel = (agent: string): string => `agent/${agent}`
const modelOf = ({ model, agent }: RunSpec): string => model ?? agentModel(agent)

export function responseOf(view: TurnView, echo: Echo = {}): Record<string, unknown> {
  const { output } = endOf(view)
  const { items } = outputOf(view)
  return { ...headOf(view, echo), ...output, output: items, usage: usageOf(view) }
}

/** Returns the initial response object, the same for every read of the stream. */
export function begunOf(
  view: TurnView,
  status: 'queued' | 'in_progress',
  echo: Echo,
): Record<string, unknown> {
  const head = headOf(view, echo)
  const strata = {
    ...head.strata,
    status: 'queued',
    waiting_on: null,
    stop_reason: null,
    model: null,
  }
  return { ...head, ...OPEN, status, output: [], usage: null, strata }
}

const OPEN = { error: null, incomplete_details: null, completed_at: null }

function headOf(view: TurnView, echo: Echo) {
  const { state, run, index } = view
  const spec = state.spec!
  const { model_settings: set = {}, output_schema, metadata } = spec
  const previousId = index === 0 ? null : responseId({ run, turn: index - 1 })
  const format = output_schema
    ? { type: 'json_schema', name: 'output', schema: output_schema, strict: true }
    : { type: 'text' }
  return {
    id: responseId({ run, turn: index }),
    object: 'response',
    created_at: seconds(view.created_at),
    model: modelOf(spec),
    previous_response_id: echo.previous_response_id ?? previousId,
    conversation: { id: spec.session_id },
    background: echo.background ?? null,
    instructions: null,
    metadata,
    max_output_tokens: set.max_output_tokens ?? null,
    temperature: set.temperature ?? null,
    top_p: set.top_p ?? null,
    parallel_tool_calls: set.parallel_tool_calls ?? true,
    reasoning: { effort: set.reasoning_effort ?? null, summary: null },
    text: { format },
    tool_choice: 'auto',
    tools: [],
    truncation: 'auto',
    store: true,
    service_tier: 'default',
    strata: {
      run_id: run,
      session_id: spec.session_id,
      status: state.status,
      waiting_on: state.waiting?.on ?? null,
      stop_reason: state.stop_reason,
      model: state.started?.model ?? null,
      ...(echo.ignored?.length ? { ignored: echo.ignored } : {}),
    },
  }
}

interface Ending {
  readonly event: 'response.completed' | 'response.failed' | 'response.incomplete' | undefined
  readonly output: {
    readonly status: string
    readonly error: { readonly code: string; readonly message: string } | null
    readonly incomplete_details: { readonly reason: string } | null
    readonly completed_at: number | null
  }
}

export function endOf(view: TurnView): Ending {
  const { end, state, facts } = view
  if (end === undefined) {
    const fresh = view.index === 0 && state.started === null
    const isQueued = fresh && !facts.some(({ fact }) => fact.type === 'run.started')
    return { event: undefined, output: { ...OPEN, status: isQueued ? 'queued' : 'in_progress' } }
  }
  const completed_at = view.ended_at === null ? null : seconds(view.ended_at)
  const done = { ...OPEN, completed_at, status: 'completed' }
  if (end === 'parked') return { event: 'response.completed', output: done }
  return { ...ended(end, done) }
}

/**
 * Reasons for incomplete responses; `max_steps` and `budget` have no counterpart in OpenAI's API.
 */
const REASONS: Readonly<Record<string, string>> = {
  max_tokens: 'max_output_tokens',
  refusal: 'content_filter',
  max_steps: 'max_steps',
  budget: 'budget',
}

function ended(end: TerminalFact, done: Ending['output']): Ending {
  switch (end.type) {
    case 'run.completed': {
      const reason = REASONS[end.stop_reason]
      if (reason === undefined) return { event: 'response.completed', output: done }
      const incomplete_details = { reason }
      return {
        event: 'response.incomplete',
        output: { ...done, status: 'incomplete', incomplete_details },
      }
    }
    case 'run.cancelled':
      return { event: 'response.failed', output: { ...done, status: 'cancelled' } }
    default:
      return { event: 'response.failed', output: { ...done, status: 'failed', error: end.error } }
  }
}

const usageOf = ({ usage, end }: TurnView) =>
  end === undefined
    ? null
    : {
        input_tokens: usage.input_tokens,
        input_tokens_details: { cached_tokens: usage.cache_read_tokens ?? 0 },
        output_tokens: usage.output_tokens,
        output_tokens_details: { reasoning_tokens: usage.reasoning_tokens ?? 0 },
        total_tokens: usage.input_tokens + usage.output_tokens,
      }
