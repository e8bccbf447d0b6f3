/**
 * Interface of every state machine with a log: runs and fan-outs. All six functions are pure;
 * `engine/worker/executor.ts` calls them in turn and performs the pending effects. `F` is a fact at
 * its position in the log, and `N` is a new fact without a position.
 */

export interface Machine<S, F, E, N> {
  readonly initial: S
  /** Folds facts into the state. Equivalent to applying them one by one. */
  evolve(state: S, facts: readonly F[]): S
  /**
   * Returns facts that follow from the state at this time (ms). Never repeats facts already
   * derived.
   */
  decide(state: S, now: number): readonly N[]
  /** Returns the pending effects. Each effect's ID stays the same until acknowledged. */
  pendingEffects(state: S, now: number): readonly E[]
  /** Whether a late observation still counts. */
  accepts(state: S, fact: N): boolean
  /** Returns when the next pass is due without mail, in milliseconds since 1970. */
  wakeAt(state: S, now: number): number | undefined
}
