/** Effects that may start while their tenant is paused or suspended (PROTOCOL.md rule 41). */

import type { AnyEffect, AnyFact, AnyState, EffectHandlers } from '../partition/log-type.ts'
import type { Transaction } from '../partition/transaction.ts'

/**
 * Returns the effects that start no work, such as a cancellation of subagents. A `once` call also
 * starts, because its committed intent expires with the lease; it is answered without a request.
 */
export const whileHalted = <S extends AnyState, F extends AnyFact, E extends AnyEffect>(
  handlers: EffectHandlers<S, F, E>,
  pending: readonly E[],
): readonly E[] => pending.filter((effect) => !handlers.isWork(effect) || handlers.isOnce(effect))

/**
 * Returns whether a worker has nothing to commit. A halted log is then left as it is, so that it
 * derives no intent for a call that cannot begin.
 */
export function isIdle<S extends AnyState, F extends AnyFact>(
  { dirty, committed, worker }: Transaction<S, F>,
  inflightCount: number,
): boolean {
  return inflightCount === 0 && !dirty && committed?.head.lease?.worker !== worker
}
