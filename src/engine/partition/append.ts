/**
 * Appends a fact from outside (a cancel) in the caller's own commit; its wake then advances the
 * run.
 */

import type { Objects, World } from '../../ports/world.ts'
import { wakeLog } from './create.ts'
import type { Committed } from './log.ts'
import type { AnyFact, AnyState, LogType } from './log-type.ts'
import { processMemory } from './process.ts'
import { NEAR_MS } from './rows.ts'
import { Transaction } from './transaction.ts'

/**
 * Commits the facts if they still count; returns the log after that, or undefined when there is
 * none. If no worker holds it, what follows is decided in the same commit.
 */
export const commandLog = <S extends AnyState, F extends AnyFact>(
  world: World,
  kind: LogType<S, F>,
  partition: string,
  facts: readonly F[],
): Promise<Committed<S, F> | undefined> =>
  inLine(world.objects, partition, () => append(world, kind, partition, facts))

/** The last append in line by partition. */
const lineOf = processMemory('appenders', () => new Map<string, Promise<unknown>>())

/**
 * The loser of a race reads the log again. A hundred messages at once to one run would lose
 * thousands of times to each other, so those of one process go one after the other. `of`: the
 * bucket, of which each request has its own where none may wait for another's promise.
 */
async function inLine<T>(of: Objects, partition: string, act: () => Promise<T>): Promise<T> {
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

/** The pass that is woken now finds the run at rest, and takes its alarm for one that was sent. */
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
