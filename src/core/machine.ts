/**
 * The interface of every machine that keeps a log: a run, a fan-out. All six questions are pure;
 * `engine/worker/executor.ts` asks them in turn and performs the pending effects. `F` is a fact in
 * its place in the log, `N` a new one that has none yet.
 */

export interface Machine<S, F, E, N> {
  readonly initial: S
  /** Folds these facts. Equal to applying them one by one. */
  evolve(state: S, facts: readonly F[]): S
  /**
   * Facts that follow from the state, at this time (ms). Never repeats those that already followed.
   */
  decide(state: S, now: number): readonly N[]
  /** Which effects are pending? Each has a name that stays the same until it is acknowledged. */
  pendingEffects(state: S, now: number): readonly E[]
  /** Does a late observation still count? */
  accepts(state: S, fact: N): boolean
  /** When the next pass is due without a call, in ms since 1970. */
  wakeAt(state: S, now: number): number | undefined
}
