/**
 * Error thrown when a computation exceeds its step budget. Steps are deterministic; with a time
 * limit, the same input could pass on one machine and fail on another.
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

  /** Spends steps of the budget; throws `Exhausted` if the budget is exceeded. */
  spend(steps = 1): void {
    this.#remaining -= steps
    if (this.#remaining < 0) throw new Exhausted('step budget exceeded')
  }
}
