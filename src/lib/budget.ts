/**
 * Limits the steps of a computation. With a time limit, the same input could pass on one machine
 * and fail on another; steps are deterministic.
 */

export class Exhausted extends Error {
  override readonly name = 'Exhausted'
}

export class Budget {
  #remaining: number

  constructor(steps: number) {
    this.#remaining = steps
  }

  get remaining(): number {
    return this.#remaining
  }

  /** Spends steps; throws `Exhausted` above the budget. */
  spend(steps = 1): void {
    this.#remaining -= steps
    if (this.#remaining < 0) throw new Exhausted('step budget exceeded')
  }
}
