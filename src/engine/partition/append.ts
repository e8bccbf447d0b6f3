/**
 * Appends an external fact (a cancellation) to a log in the caller's commit. A wake then advances
 * the run.
 */

import type { Objects, World } from '../../ports/world.ts'
import { wakeLog } from './create.ts'
import type { Committed } from './log.ts'
import type { AnyFact, AnyState, LogType } from './log-type.ts'
import { processMemory } from './process.ts'
import { NEAR_MS } from './rows.ts'
import { Transaction } from './transaction.ts'

/**
 * Commits facts to a log if they still apply, and returns the resulting log. Returns undefined if
 * the log does not exist. Without a lease owner, the same commit includes the derived facts.
 */
export const commandLog = <S extends AnyState, F extends AnyFact>(
  world: World,
  kind: LogType<S, F>,
  partition: string,
  facts: readonly F[],
): Promise<Committed<S, F> | undefined> =>
  inOrder(world.objects, partition, () => append(world, kind, partition, facts))

/** Last queued write of each partition. */
const lineOf = processMemory('appenders', () => new Map<string, Promise<unknown>>())

/**
 * Serializes the writes of one process to a partition. Without this, a hundred concurrent messages
 * to one run would lose thousands of races. `of` is the bucket, which is separate per request where
 * one request may not await another's promise.
 */
export async function inOrder<T>(
  of: Objects,
  partition: string,
  act: () => Promise<T>,
): Promise<T> {
  const line = lineOf(of)
  const predecessor = line.get(partition)
  const mine = predecessor ? predecessor.then(act, act) : act()
  line.set(partition, mine)
  try {
    return await mine
  } finally {
    if (line.get(partition) === mine) line.delete(partition)
  }
}

async function append<S extends AnyState, F extends AnyFact>(
  world: World,
  kind: LogType<S, F>,
  partition: string,
  facts: readonly F[],
): Promise<Committed<S, F> | undefined> {
  const transaction = await Transaction.open(world, kind, partition)
  if (!transaction.committed) return undefined
  transaction.observe(facts)
  if (transaction.project(world.clock.now(), 1, 'leave').facts.length === 0)
    return transaction.committed
  const previousWakeAt = transaction.committed.head.wake_at
  await transaction.commit(0, 'leave')
  const run = transaction.committed
  if (run) await wakeLog(world, kind, partition, run.state)
  if (run) await wakeInTime(world, kind, run, { partition, before: previousWakeAt })
  return run
}

/**
 * Wakes a waiting run at its alarm time. Otherwise, a woken pass finds the run idle and treats its
 * alarm as sent.
 */
async function wakeInTime<S extends AnyState, F extends AnyFact>(
  world: World,
  kind: LogType<S, F>,
  { head, state }: Committed<S, F>,
  {
    partition,
    before: previousWakeAt,
  }: { readonly partition: string; readonly before: number | null },
): Promise<void> {
  if (state.status !== 'waiting' || head.wake_at === null || head.wake_at === previousWakeAt) return
  const delay = head.wake_at - world.clock.now()
  if (delay > 0 && delay < NEAR_MS) await wakeLog(world, kind, partition, state, delay)
}
