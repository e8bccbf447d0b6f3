/** What a worker has observed, paid and taken from letters since the last commit. */

import type { Observed, Paid } from './project.ts'

export class Pending<F> {
  #observed: Observed<F>[] = []
  /** How much was observed each time the model was asked. */
  #asked: number[] = []
  #paid: Paid[] = []
  /** Keys of letters, which go with the commit. */
  #taken: string[] = []
  /** Of these, letters that say nothing to the log as it was read; it may have been old. */
  readonly #refused = new Set<string>()
  /** Letters that were taken once: they are committed, or will be. */
  readonly #seen = new Set<string>()

  get observed(): readonly Observed<F>[] {
    return this.#observed
  }
  get asked(): readonly number[] {
    return this.#asked
  }
  get paid(): readonly Paid[] {
    return this.#paid
  }
  get taken(): readonly string[] {
    return this.#taken
  }

  get isEmpty(): boolean {
    return [this.#observed, this.#paid, this.#taken].every(({ length }) => length === 0)
  }

  /** True when the store cannot say it: what came by letters is read by whoever holds the run. */
  get hasFindings(): boolean {
    return this.#paid.length > 0 || this.#observed.some(({ letter }) => letter === undefined)
  }

  hasSeen(letter: string): boolean {
    return this.#seen.has(letter)
  }

  observe(facts: readonly F[], basis: string | undefined): void {
    this.#observed.push(...facts.map((fact) => ({ fact, basis })))
  }

  ask(): void {
    this.#asked.push(this.#observed.length)
  }

  pay(paid: Paid): void {
    this.#paid.push(paid)
  }

  /** Without a fact: the letter says nothing, and is only removed. */
  take(letter: string, fact: F | undefined): void {
    if (fact === undefined) this.#refused.add(letter)
    else this.#observed.push({ fact, letter })
    this.#taken.push(letter)
    this.#seen.add(letter)
  }

  /** The log was read anew, and these letters lie beside it: of the others the log tells. */
  reread(letters: ReadonlySet<string>): void {
    this.#taken = this.#taken.filter((key) => letters.has(key) && !this.#refused.has(key))
    this.#refused.clear()
    const stays = ({ letter }: Observed<F>) => letter === undefined || letters.has(letter)
    this.#asked = this.#asked.map((index) => this.#observed.slice(0, index).filter(stays).length)
    this.#observed = this.#observed.filter(stays)
  }

  clear(): void {
    this.#observed = []
    this.#asked = []
    this.#paid = []
    this.#taken = []
  }
}
