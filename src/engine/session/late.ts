/**
 * Delivers a result that arrived after the end of its run to the session. The session's next run
 * finds the result in the conversation (PROTOCOL.md rule 21). A row records each receipt, so
 * repeated puts and old mail count once.
 */

import type { Announce } from '../../core/run/log/facts.ts'
import { lateReport } from '../../core/run/prompt/transcript.ts'
import type { RunState } from '../../core/run/state/state.ts'
import type { World, Write } from '../../ports/world.ts'
import { homeOfRun, homeOfSession } from '../partition/home.ts'
import { mailKey } from '../partition/keys.ts'
import { post } from '../partition/mailbox.ts'
import { putBlob } from '../tenant/blobs.ts'
import { carry } from '../tenant/media.ts'
import { findSession, readSession, type StoredSession, writeSession } from './store.ts'

/** Late result in the session's mailbox; it becomes a transcript segment. */
export interface LateLetter {
  readonly late: string
}

export const receivedKey = (child: string): string => `l/${child}`
export const wasReceived = ({ rows }: Pick<StoredSession, 'rows'>, child: string): boolean =>
  rows.some(({ key }) => key === receivedKey(child))

/**
 * Delivers a late result to the session. Returns `dropped` if the session is deleted, and `unknown`
 * if the store did not report the outcome.
 */
export async function leaveLate(
  world: World,
  tenant: string,
  run: RunState,
  announce: Announce,
): Promise<'left' | 'dropped' | 'unknown'> {
  const { session_id } = run.spec!
  const child = announce.run_id
  const session = await findSession(world, tenant, session_id)
  if (!session) return 'dropped'
  if (wasReceived(session, child)) return 'left'
  const report = [lateReport(run, announce)]
  const home = homeOfSession(tenant, session_id)
  const mail: LateLetter = { late: await putBlob(world, home, JSON.stringify(report)) }
  await carry(world, homeOfRun(tenant, run.spec), home, report)
  const { partition } = session
  const key = mailKey(child)
  // Stores an implicit session together with its run's messages.
  const begin = async (row: Write) =>
    (await writeSession(world, session, session.state, [row])) ? 'ok' : 'conflict'
  const posted = await post(world, {
    partition,
    key,
    mail,
    lane: 'main',
    ...(session.version === null ? { commit: begin } : {}),
    arrived: async () => {
      const now = await readSession(world, partition)
      const lies = now?.rows.some((row) => row.key === key)
      return now !== undefined && (lies === true || wasReceived(now, child))
    },
  })
  return posted === 'posted' ? 'left' : 'unknown'
}
