/**
 * Steps that a piece of work may take before it is given up. Time cannot be read down here, and
 * would make the same input pass on one machine and fail on another; steps count the same anywhere.
 */

export class Exhausted extends Error {
  override readonly name = 'Exhausted'
}

export class Budget {
  #left: number

  constructor(steps: number) {
    this.#left = steps
  }

  get left(): number {
    return this.#left
  }

  /** Throws `Exhausted` when more has been spent than there was. */
  spend(steps = 1): void {
    this.#left -= steps
    if (this.#left < 0) throw new Exhausted('this requires too many steps')
  }
}
