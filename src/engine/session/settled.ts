/**
 * Reading a session that somebody has just waited for: its run hands over what it has said in a
 * message of its own (protocol rule 25), so a reader may come between the two.
 */

import { isTerminal } from '../../core/run/state.ts'
import type { World } from '../../ports/world.ts'
import { readRun } from '../logs/run.ts'
import { runPartition } from '../partition/keys.ts'
import { findSession, type StoredSession } from './store.ts'

/** Handing over takes some milliseconds; a session whose worker is busy is shown as it stands. */
const PATIENCE_MS = 1_000
const POLL_MS = 20

/**
 * Like `findSession`, but with what every run of it has said that has ended: a hand-over that is
 * under way is waited for, for a second at the most.
 */
export async function findSettled(
  world: World,
  tenant: string,
  id: string,
): Promise<StoredSession | undefined> {
  const until = world.clock.monotonic() + PATIENCE_MS
  for (;;) {
    const found = await findSession(world, tenant, id)
    const turn = found?.state.current
    if (!turn) return found
    const run = await readRun(world, runPartition(tenant, turn.run_id))
    const isUnderWay = run !== undefined && isTerminal(run.state)
    if (!isUnderWay || world.clock.monotonic() >= until) return found
    await world.clock.sleep(POLL_MS)
  }
}
