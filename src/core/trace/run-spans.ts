/**
 * Builds the trace spans of a run from its complete log: the run, each model call, each tool call,
 * and each wait. Names and attributes follow OpenTelemetry's generative AI conventions; `strata.*`
 * attributes are specific to this server. Spans contain no prompts, arguments, or answers.
 */

import { isFanoutId } from '../run/decide/child.ts'
import type { LoggedFact, RunFact, RunSpec } from '../run/log/facts.ts'
import { isTerminalFact } from '../run/log/facts.ts'
import { callSpan, runSpan, type TraceContext } from './context.ts'
import { modelAttributes, usageAttributes } from './gen-ai.ts'
import { Reading } from './reading.ts'
import type { Span, SpanError } from './span.ts'

/** Returns the run's spans; none until its log has an end, or if its trace is not exported. */
export function spansOfRun(log: readonly LoggedFact<RunFact>[]): readonly Span[] {
  const [first] = log
  const last = log.find(({ fact }) => isTerminalFact(fact))
  if (first?.fact.type !== 'run.created' || !last) return []
  const { run } = first.fact
  const { trace } = run
  if (!trace?.exported) return []
  const reading = new Reading(run, trace)
  for (const entry of log) reading.take(entry)
  const ends = { start: first.at, end: last.at, fact: last.fact }
  return [wholeRun({ run, trace, reading, ...ends }), ...reading.spans]
}

interface RunSpanInput {
  readonly run: RunSpec
  readonly trace: TraceContext
  readonly reading: Reading
  readonly start: number
  readonly end: number
  readonly fact: RunFact
}

function wholeRun({ run, trace, reading, start, end, fact }: RunSpanInput): Span {
  const above = parentOf(run, trace)
  const error = errorOf(fact)
  return {
    trace: trace.id,
    id: runSpan(run.id),
    ...(above === undefined ? {} : { parent: above }),
    name: `invoke_agent ${run.agent}`,
    kind: 'internal',
    ...{ start, end },
    attributes: {
      'gen_ai.operation.name': 'invoke_agent',
      'gen_ai.agent.name': run.agent,
      'gen_ai.conversation.id': run.session_id,
      ...modelAttributes(reading.model),
      ...usageAttributes(reading.used),
      'strata.run.id': run.id,
      'strata.run.kind': run.kind,
      'strata.run.label': run.label ?? undefined,
      'strata.run.stop_reason': 'stop_reason' in fact ? fact.stop_reason : undefined,
      'strata.run.queued_ms': reading.began === undefined ? undefined : reading.began - start,
      'strata.schedule.id': run.schedule?.id,
    },
    ...(error ? { error } : {}),
  }
}

/**
 * Returns the ID of a run's parent span. A run of a fan-out is a child of the fan-out's span,
 * because a fan-out makes no calls.
 */
function parentOf({ parent }: RunSpec, trace: TraceContext): string | undefined {
  if (!parent) return trace.caller
  const { run_id, call } = parent
  return isFanoutId(run_id) ? runSpan(run_id) : callSpan(run_id, call)
}

function errorOf(fact: RunFact): SpanError | undefined {
  if (fact.type === 'run.failed' || fact.type === 'run.timed_out')
    return { type: fact.error.code, message: fact.error.message }
  return fact.type === 'run.cancelled' ? { type: 'cancelled' } : undefined
}
