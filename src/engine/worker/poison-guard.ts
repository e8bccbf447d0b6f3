/**
 * Advances a run or fan-out, with precautions if it may have crashed a worker. Such passes are
 * counted before the fold, back off, and run in isolation. After five of them, the run is ended
 * (PROTOCOL.md rule 34).
 */

import { POISON_CRASHES } from '../../core/crash-count.ts'
import type { Wake, World } from '../../ports/world.ts'
import type { AnyEffect, AnyFact, AnyState, EffectHandlers } from '../partition/log-type.ts'
import { open } from '../partition/open.ts'
import { NEAR_MS } from '../partition/rows.ts'
import { countPass, giveBack, judgeCrashes, keepCount, type Later } from './crash-count.ts'
import { advance } from './executor.ts'
import { inIsolation, runShared } from './isolation.ts'

/** Advances a log. `finish` follows a counted pass while it still runs in isolation. */
export async function advanceGuarded<S extends AnyState, F extends AnyFact, E extends AnyEffect>(
  world: World,
  handlers: EffectHandlers<S, F, E>,
  wake: Wake,
  finish: () => Promise<void> | undefined,
): Promise<void> {
  const { partition } = wake
  // Mail for a suspect run is not lost: the next pass runs as soon as it is allowed (I18).
  if (!wake.suspect && (await runShared(world, () => advance(world, handlers, wake))) === 'looked')
    return
  const verdict = await judgeCrashes(world, partition)
  if (verdict.kind === 'later') return wait(world, wake, verdict)
  if (verdict.kind === 'poison')
    return inIsolation(world, () => failPoisoned(world, handlers, wake))
  // The pass is counted when it actually starts, because a pass that waits for its turn cannot
  // crash the process.
  const runCounted = async (): Promise<void> => {
    const countResult = await countPass(world, wake)
    if (countResult === 'moves') return void (await advance(world, handlers, wake))
    if (countResult !== 'counted') return wait(world, wake, countResult)
    try {
      await advance(world, handlers, { ...wake, suspect: true })
    } catch (error) {
      keepCount(world, wake)
      throw error
    }
    await giveBack(world, wake)
    await finish()
  }
  return verdict.kind === 'alone' ? inIsolation(world, runCounted) : runShared(world, runCounted)
}

/** Sends a delayed wake; for delays beyond the queue's limit, the tick wakes the run. */
async function wait(world: World, wake: Wake, { at, started }: Later): Promise<void> {
  const delay = at - world.clock.now()
  const later = { ...wake, started: wake.started || started }
  if (delay < NEAR_MS) await world.queue.send([later], delay)
}

async function failPoisoned<S extends AnyState, F extends AnyFact, E extends AnyEffect>(
  world: World,
  handlers: EffectHandlers<S, F, E>,
  wake: Wake,
): Promise<void> {
  const transaction = await open(world, handlers, wake)
  const run = transaction?.committed
  if (!transaction || !run || transaction.leasedByOther(world.clock.now())) return
  const message = `${POISON_CRASHES} consecutive workers stopped during processing without a result.`
  transaction.observe([handlers.poisoned(run.state, message)])
  await transaction.commit(0, 'free')
  // A run that had already ended gets no new fact; the wake is forwarded (PROTOCOL.md rule 35).
  await world.queue.send([{ ...wake, suspect: false, staleCount: wake.staleCount + 1 }])
}
