/** Records the start time and duration of a model call. */

import type { Timed } from '../../../../core/run/log/fact-parts.ts'
import type { Context } from '../context.ts'

/** Starts to measure a model call; the returned function returns its times at its end. */
export function timing({ world }: Context): () => Timed {
  const began_at = world.clock.now()
  const began = world.clock.monotonic()
  return () => ({ began_at, duration_ms: Math.round(world.clock.monotonic() - began) })
}
