/**
 * Interface of every state machine with a log: runs and fan-outs. All six functions are pure.
 * `engine/worker/executor.ts` calls them in turn and performs the pending effects. `F` is a fact at
 * its position in the log, and `N` is a new fact without a position.
 */

export interface Machine<S, F, E, N> {
  readonly initial: S
  /**
   * Folds facts into the state. Applying a batch is equivalent to applying its facts one by one.
   */
  evolve(state: S, facts: readonly F[]): S
  /**
   * Returns the new facts that follow from the state at time `now`, in milliseconds. Never repeats
   * facts already derived.
   */
  decide(state: S, now: number): readonly N[]
  /**
   * Returns the pending effects. The ID of an effect stays the same until the effect is
   * acknowledged.
   */
  pendingEffects(state: S, now: number): readonly E[]
  /** Whether an observation that arrived late can still become a fact. */
  accepts(state: S, fact: N): boolean
  /** Returns when the next pass is due if no mail arrives, in milliseconds since 1970. */
  wakeAt(state: S, now: number): number | undefined
}
