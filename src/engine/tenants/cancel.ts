/**
 * Cancels the active runs and fan-outs of a tenant that was suspended with `running: cancel`. The
 * row of the tenant records the position, so another worker continues after a crash.
 */

import type { World } from '../../ports/world.ts'
import { fanoutLogType } from '../logs/fanout.ts'
import { commandLog } from '../partition/append.ts'
import { fanoutsList } from '../partition/keys.ts'
import { headOf } from '../partition/stored.ts'
import { auditCancel } from '../run/cancel.ts'
import { cancelPage } from '../run/cancel-many.ts'
import type { StoredTenant } from '../tenant/state.ts'
import { sendTenant, writeTenant } from './manage.ts'

/** Number of runs that one pass cancels. */
const PASS_RUNS = 100
/** Time until another pass is due if the wake is lost, in milliseconds. */
const ALARM_MS = 60_000
const REASON = 'The operator suspended the tenant.'
const PAGE = 100

/** Cancels some runs of a suspended tenant, and wakes the next pass while there may be more. */
export async function cancelSome(
  world: World,
  { tenant, version }: { readonly tenant: StoredTenant; readonly version: number },
): Promise<void> {
  const { cancels, id } = tenant
  if (cancels === null) return
  const { by, after } = cancels
  if (after === null) await cancelFanouts(world, id, by)
  const page = { after: after ?? undefined, limit: PASS_RUNS, by, reason: REASON }
  const { cancelled, next: position } = await cancelPage(world, id, { filter: {} }, page)
  const progress = { by, after: position ?? null, cancelled: cancels.cancelled + cancelled }
  const isOver = position === undefined
  const wake_at = isOver ? null : world.clock.now() + ALARM_MS
  const next = { ...tenant, cancels: isOver ? null : progress, wake_at, redeliveries: 0 }
  if ((await writeTenant(world, next, version)) && !isOver) await sendTenant(world, id)
}

interface FanoutView {
  readonly ended_at: string | null
}

async function cancelFanouts(world: World, id: string, by: string): Promise<void> {
  let cursor: string | undefined
  for (;;) {
    const rows = await world.store.list(fanoutsList(id), cursor, PAGE)
    const active = rows.filter(({ body }) => headOf<FanoutView>(body).view.ended_at === null)
    for (const { partition } of active) {
      const requested = { type: 'cancel.requested', by: 'api', reason: REASON } as const
      const fanout = await commandLog(world, fanoutLogType, partition, [requested])
      if (fanout) await auditCancel(world, partition, fanout.state, { by, reason: REASON })
    }
    cursor = rows.at(-1)?.at
    if (rows.length < PAGE) return
  }
}
