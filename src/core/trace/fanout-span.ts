/**
 * Builds the trace span of a fan-out, the parent of the spans of its task runs, pages, and closing
 * run.
 */

import type { FanoutState } from '../fanout/state.ts'
import { taskCounts } from '../fanout/state.ts'
import { runSpan } from './context.ts'
import { usageAttributes } from './gen-ai.ts'
import type { Span } from './span.ts'

/** Returns the fan-out's spans; none if it has not ended or its trace is not exported. */
export function spansOfFanout(state: FanoutState): readonly Span[] {
  const { spec, ended_at, status, error, usage } = state
  if (!spec?.trace?.exported || ended_at === null) return []
  const parent = spec.parent ? runSpan(spec.parent.run_id) : spec.trace.caller
  const { total, completed } = taskCounts(state)
  const wrong = status === 'cancelled' ? { code: 'cancelled', message: undefined } : error
  return [
    {
      trace: spec.trace.id,
      id: runSpan(spec.id),
      ...(parent === undefined ? {} : { parent }),
      name: spec.parent ? 'invoke_workflow page' : 'invoke_workflow fanout',
      kind: 'internal',
      start: state.created_at,
      end: ended_at,
      attributes: {
        'gen_ai.operation.name': 'invoke_workflow',
        'gen_ai.workflow.name': spec.parent ? 'page' : 'fanout',
        ...usageAttributes(usage),
        'strata.fanout.id': spec.id,
        'strata.fanout.label': spec.label,
        'strata.fanout.tasks': total,
        'strata.fanout.completed': completed,
      },
      ...(wrong === null ? {} : { error: errorOf(wrong) }),
    },
  ]
}

const errorOf = ({ code, message }: { code: string; message: string | undefined }) => ({
  type: code,
  ...(message === undefined ? {} : { message }),
})
