/** Cancels and deletes runs and fan-outs: the parts that both share, the audit included. */

import { parsePartition } from '../engine/partition/keys.ts'
import type { AnyFact, AnyState, LogType } from '../engine/partition/log-type.ts'
import { deleteEnded } from '../engine/run/delete.ts'
import { audit } from '../engine/tenant/audit.ts'
import type { World } from '../ports/world.ts'
import { granted } from './problem.ts'

interface TenantRequest {
  readonly world: World
  readonly tenant: string
  readonly by: string
}

export const DELETING =
  'With everything below it: logs, transcripts, workspaces. Texts stored by digest stay, ' +
  'because others may share them; so do sessions, deliveries and the audit. 409 while it lives, ' +
  'and for what another run or a fan-out has started. A request that is repeated under the ' +
  'Idempotency-Key which made it is then answered with 410.'

/** False when there is none. */
export async function deleted<S extends AnyState, F extends AnyFact>(
  { world, tenant, by }: TenantRequest,
  kind: LogType<S, F>,
  partition: string,
): Promise<boolean> {
  const gone = granted(await deleteEnded(world, kind, partition))
  const { kind: what, id } = parsePartition(partition)
  const entry = { kind: what as 'run' | 'fanout', name: id, action: 'delete', number: 0 } as const
  if (gone) await audit(world, tenant, { ...entry, by }, 'delete')
  return gone
}

/** The first cancel that had an effect; what had ended was not cancelled. */
export async function auditCancel(
  { world, tenant, by }: TenantRequest,
  kind: 'run' | 'fanout',
  state: { readonly spec: { readonly id: string } | null; readonly cancel: object | null },
  detail: string | undefined,
): Promise<void> {
  if (state.cancel === null) return
  const entry = { kind, name: state.spec!.id, action: 'cancel', by, number: 0, detail } as const
  await audit(world, tenant, entry, 'cancel')
}
