/**
 * Facts of an effect that ignored its abort signal and is no longer awaited. Notifications produce
 * no facts: their pass ends, and the run's alarm triggers the next pass.
 */

import type { Effect } from '../../../../core/run/decide/pending-effects.ts'
import type { RunFact } from '../../../../core/run/log/facts.ts'
import { MAY_HAVE_HAPPENED, REPEATABLE } from '../../../../core/tools/unknown-outcome.ts'
import type { EffectResult } from '../../../partition/log-type.ts'
import type { Context } from '../context.ts'
import { failure } from './failure.ts'

export function overdue(context: Context, effect: Effect): EffectResult | undefined {
  switch (effect.kind) {
    case 'start': {
      const message = 'The run could not start in time: its layers or servers did not respond.'
      const error = { code: 'start_timeout', message }
      return { facts: [{ type: 'run.failed', stop_reason: 'error', error }] }
    }
    case 'model': {
      const stopped = { code: 'aborted', message: '', retryable: true } as const
      return { facts: failure(context, effect, stopped) }
    }
    case 'tool':
      return resultOf(context, effect.call, effect.once)
    case 'prepare':
      return resultOf(context, effect.call, false)
    default:
      return undefined
  }
}

function resultOf({ state }: Context, id: string, once: boolean): EffectResult | undefined {
  const call = state.calls.get(id)
  if (!call) return undefined
  const fact: RunFact = {
    type: 'tool.result',
    call: id,
    tool: call.tool,
    status: once ? 'unknown' : 'error',
    text: `stopped: the call timed out. ${once ? MAY_HAVE_HAPPENED : REPEATABLE}`,
    duration_ms: 0,
  }
  return { facts: [fact] }
}
