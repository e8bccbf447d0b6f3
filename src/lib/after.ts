/** A timer of a clock that can be cancelled, made as the clock makes them best. */

interface Timing {
  sleep(ms: number, signal?: AbortSignal): Promise<void>
  after?(ms: number, run: () => void): () => void
}

/** A reason, because without one each abort makes an exception with a stack. */
const CANCELLED = 'cancelled'

/** Calls `run` after `ms`, once; the returned function cancels that. */
export function after(clock: Timing, ms: number, run: () => void): () => void {
  if (clock.after) return clock.after(ms, run)
  const over = new AbortController()
  void clock.sleep(ms, over.signal).then(() => {
    if (!over.signal.aborted) run()
  })
  return () => over.abort(CANCELLED)
}
