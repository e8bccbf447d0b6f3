/** Records the start time and duration of a model call. */

import type { Timed } from '../../../../core/run/log/fact-parts.ts'
import type { Context } from '../context.ts'

/**
 * Returns a function that measures a model call. Calls are measured only if traces are exported,
 * which keeps other logs short.
 */
export function timing({ world, state }: Context): () => Timed {
  if (!state.spec?.trace?.exported) return () => ({})
  const began_at = world.clock.now()
  const began = world.clock.monotonic()
  return () => ({ began_at, duration_ms: Math.round(world.clock.monotonic() - began) })
}
