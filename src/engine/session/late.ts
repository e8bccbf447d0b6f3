/**
 * Leaves a result that came after the end of the run that asked for it to the session, whose next
 * run finds it in the conversation (protocol rule 21). A row stays behind that records it as
 * received, so that neither a second put nor a second read of old mail counts twice.
 */

import type { Announce } from '../../core/run/facts.ts'
import { RECHECK_MS } from '../../core/run/machine.ts'
import type { RunState } from '../../core/run/state.ts'
import { lateReport } from '../../core/run/transcript.ts'
import type { World, Write } from '../../ports/world.ts'
import { mailKey } from '../partition/keys.ts'
import { putBlob } from '../tenant/blobs.ts'
import { findSession, readSession, type StoredSession, writeSession } from './store.ts'

/** What lies in the session's inbox: a segment of its transcript. */
export interface LateLetter {
  readonly late: string
}

export const receivedKey = (child: string): string => `l/${child}`
export const wasHeard = ({ rows }: Pick<StoredSession, 'rows'>, child: string): boolean =>
  rows.some(({ key }) => key === receivedKey(child))

/** `dropped`: the session has been deleted; `unknown`: the store did not say what became of it. */
export async function leaveLate(
  world: World,
  tenant: string,
  run: RunState,
  announce: Announce,
): Promise<'left' | 'dropped' | 'unknown'> {
  const { session_id } = run.spec!
  const child = announce.run_id
  const found = await findSession(world, tenant, session_id)
  if (!found) return 'dropped'
  if (wasHeard(found, child)) return 'left'
  const mail: LateLetter = {
    late: await putBlob(world, tenant, JSON.stringify([lateReport(run, announce)])),
  }
  const { partition } = found
  const alarm = { at: world.clock.now() + RECHECK_MS, lane: 'main', started: true } as const
  const key = mailKey(child)
  const put: Write = { op: 'put', key, body: JSON.stringify(mail), expect: 'absent', alarm }
  // A session that is not stored begins with what its run has left; from now on it is.
  const stored =
    found.version === null
      ? await writeSession(world, found, found.state, [put])
      : (await world.store.commit(partition, [put])) === 'ok'
  if (!stored) {
    // A refusal alone may be the store's trouble (protocol rule 6).
    const now = await readSession(world, partition)
    const lies = now?.rows.some((row) => row.key === key)
    if (!now || (!lies && !wasHeard(now, child))) return 'unknown'
  }
  await world.queue.send([{ partition, lane: 'main', started: true, staleCount: 0 }])
  return 'left'
}
