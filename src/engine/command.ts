/** A fact from outside (a cancel), appended by whoever asks; the run is moved by its wake. */

import type { RunFact } from '../core/run/facts.ts'
import type { World } from '../ports/world.ts'
import { wakeLog } from './create.ts'
import type { AnyFact, AnyState, Kind } from './kind.ts'
import { Ledger } from './ledger.ts'
import type { Committed } from './log.ts'
import { runKind } from './run-kind.ts'

/**
 * Commits the facts if they still count; the run as it then is, or undefined when there is none.
 * If nobody holds the run, what follows is decided in the same commit.
 */
export const command = (
  world: World,
  partition: string,
  facts: readonly RunFact[],
): Promise<Committed | undefined> => commandLog(world, runKind, partition, facts)

/** The same for any kind of log. */
export async function commandLog<S extends AnyState, F extends AnyFact>(
  world: World,
  kind: Kind<S, F>,
  partition: string,
  facts: readonly F[],
): Promise<Committed<S, F> | undefined> {
  const ledger = await Ledger.open(world, kind, partition)
  if (!ledger.committed) return undefined
  ledger.observe(facts)
  if (ledger.project(world.clock.now(), 1, 'leave').facts.length === 0) return ledger.committed
  await ledger.commit(0, 'leave')
  const run = ledger.committed
  if (run) await wakeLog(world, kind, partition, run.state)
  return run
}
