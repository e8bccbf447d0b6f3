/** Observations, acknowledgments, and mail that a worker has collected since the last commit. */

import type { Enqueued, Outgoing } from '../../core/outbox.ts'
import type { Observed } from './project.ts'

export class Pending<F> {
  #observed: Observed<F>[] = []
  /** Number of observations before each model call. */
  #askPositions: number[] = []
  #acknowledged: Outgoing[] = []
  #enqueued: Enqueued[] = []
  /** Keys of mail that the commit deletes. */
  #mailKeys: string[] = []
  /** Keys of mail that had no effect on the log as read, which may have been stale. */
  readonly #ineffective = new Set<string>()
  /** Keys of mail whose processing is committed or will be. */
  readonly #processed = new Set<string>()

  get observed(): readonly Observed<F>[] {
    return this.#observed
  }
  get askPositions(): readonly number[] {
    return this.#askPositions
  }
  get acknowledged(): readonly Outgoing[] {
    return this.#acknowledged
  }
  get enqueued(): readonly Enqueued[] {
    return this.#enqueued
  }
  get taken(): readonly string[] {
    return this.#mailKeys
  }

  get isEmpty(): boolean {
    const lists = [this.#observed, this.#acknowledged, this.#enqueued, this.#mailKeys]
    return lists.every(({ length }) => length === 0)
  }

  /**
   * Returns whether the worker has findings that the store lacks. Mail does not count, because the
   * lease owner reads all mail itself.
   */
  get hasFindings(): boolean {
    return (
      this.#acknowledged.length > 0 || this.#observed.some(({ mailKey }) => mailKey === undefined)
    )
  }

  hasSeen(mailKey: string): boolean {
    return this.#processed.has(mailKey)
  }

  observe(facts: readonly F[], promptFingerprint: string | undefined): void {
    this.#observed.push(...facts.map((fact) => ({ fact, promptFingerprint })))
  }

  ask(): void {
    this.#askPositions.push(this.#observed.length)
  }

  acknowledge(acknowledged: Outgoing): void {
    this.#acknowledged.push(acknowledged)
  }

  enqueue(message: Enqueued): void {
    this.#enqueued.push(message)
  }

  /** Processes mail. Mail without a fact is only removed. */
  take(mailKey: string, fact: F | undefined): void {
    if (fact === undefined) this.#ineffective.add(mailKey)
    else this.#observed.push({ fact, mailKey })
    this.#mailKeys.push(mailKey)
    this.#processed.add(mailKey)
  }

  /**
   * Updates the collection after the log was read again. Mail that is no longer in the mailbox is
   * already included in the log.
   */
  reread(mail: ReadonlySet<string>): void {
    this.#mailKeys = this.#mailKeys.filter((key) => mail.has(key) && !this.#ineffective.has(key))
    this.#ineffective.clear()
    const stays = ({ mailKey }: Observed<F>) => mailKey === undefined || mail.has(mailKey)
    this.#askPositions = this.#askPositions.map(
      (index) => this.#observed.slice(0, index).filter(stays).length,
    )
    this.#observed = this.#observed.filter(stays)
  }

  clear(): void {
    this.#observed = []
    this.#askPositions = []
    this.#acknowledged = []
    this.#enqueued = []
    this.#mailKeys = []
  }
}
