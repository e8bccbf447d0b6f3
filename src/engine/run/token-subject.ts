/** Membership of runs in a token's subject: the subject itself and its descendants. */

import type { RunSpec } from '../../core/run/log/spec.ts'
import type { BoundKind, TokenSubject } from '../../core/token.ts'
import type { World } from '../../ports/world.ts'
import { fanoutLogType } from '../logs/fanout.ts'
import { runLogType } from '../logs/run.ts'
import { fanoutPartition, runPartition } from '../partition/keys.ts'
import { readLogCached } from '../partition/log.ts'
import { findSession } from '../session/store.ts'
import { readApproval } from './approvals.ts'

/** Returns whether a token's subject exists in the tenant. */
export async function subjectExists(
  world: World,
  tenant: string,
  kind: BoundKind,
  id: string,
): Promise<boolean> {
  if (kind === 'approval') return (await readApproval(world, tenant, id)) !== undefined
  if (kind === 'session') return (await findSession(world, tenant, id)) !== undefined
  if (kind === 'run') return (await specOf(world, tenant, id)) !== undefined
  return (await readLogCached(world, fanoutLogType, fanoutPartition(tenant, id))) !== undefined
}

/**
 * Returns whether a run is the token's subject or a descendant of it; false if the run does not
 * exist.
 */
export async function isRunOfSubject(
  world: World,
  tenant: string,
  { kind, subject }: TokenSubject,
  run: string,
): Promise<boolean> {
  if (kind === 'run' && run === subject) return true
  if (kind === 'approval' || kind === 'tenant') return false
  const spec = await specOf(world, tenant, run)
  if (!spec) return false
  const above = (spec.ancestors ?? []).map(({ run_id }) => run_id)
  if (kind === 'run') return spec.parent?.run_id === subject || above.includes(subject)
  const lies = kind === 'fanout' ? isOfFanout : isOfSession
  if (lies(spec, subject)) return true
  // A run records its root's session and fan-out. The ancestors of a page or subagent record their
  // own.
  for (const id of above) {
    const ancestor = await specOf(world, tenant, id)
    if (ancestor && lies(ancestor, subject)) return true
  }
  return false
}

/** Returns whether a fan-out is the token's subject or a page of it. */
export async function isFanoutOfSubject(
  world: World,
  tenant: string,
  { kind, subject }: TokenSubject,
  fanout: string,
): Promise<boolean> {
  if (kind !== 'fanout') return false
  if (fanout === subject) return true
  const log = await readLogCached(world, fanoutLogType, fanoutPartition(tenant, fanout))
  return log?.state.spec?.parent?.run_id === subject
}

const isOfFanout = ({ home, parent }: RunSpec, fanout: string): boolean =>
  home === fanout || parent?.run_id === fanout

const isOfSession = ({ session_id, owner_session, parent }: RunSpec, session: string): boolean =>
  [session_id, owner_session, parent?.session_id].includes(session)

const specOf = async (world: World, tenant: string, run: string): Promise<RunSpec | undefined> =>
  (await readLogCached(world, runLogType, runPartition(tenant, run)))?.state.spec ?? undefined
