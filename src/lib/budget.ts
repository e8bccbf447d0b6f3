/**
 * Steps that a piece of work may take before it is given up. Time cannot be read down here, and
 * would make the same input pass on one machine and fail on another; steps count the same anywhere.
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

  /** Throws `Exhausted` when more has been spent than there was. */
  spend(steps = 1): void {
    this.#remaining -= steps
    if (this.#remaining < 0) throw new Exhausted('this requires too many steps')
  }
}
