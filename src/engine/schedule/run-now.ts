/** Fires a schedule by hand: its run meets those under way as `overlap` says. */

import type { Refusal } from '../../core/problem.ts'
import { refusal } from '../../core/problem.ts'
import { admit, type FireRecord } from '../../core/schedule/advance.ts'
import type { Fire } from '../../core/schedule/schedule.ts'
import type { Outcome } from '../../lib/outcome.ts'
import { fail, ok } from '../../lib/outcome.ts'
import { runPartition } from '../partition/keys.ts'
import { type Asker, auditRow } from '../tenant/audit.ts'
import type { Keyed } from '../tenant/idempotency.ts'
import { settleId } from '../tenant/idempotent-id.ts'
import { changeSchedule } from './store.ts'

export interface FiredByHand {
  readonly run_id: string
  readonly status: 'started' | 'waiting'
  readonly replayed: boolean
  /** The partition, whose next pass creates the run. */
  readonly partition: string
}

export async function runScheduleNow(
  asker: Asker,
  name: string,
  partition: string,
  keyed: Keyed | undefined,
): Promise<Outcome<FiredByHand, Refusal>> {
  const { world, tenant, by } = asker
  const settled = await settleId(world, tenant, 'run', keyed)
  if (!settled.ok) return settled
  const { id: run_id, known } = settled.value
  const [before] = known ? await world.store.heads([runPartition(tenant, run_id)]) : []
  if (before) return ok({ run_id, status: 'started', replayed: true, partition })
  const done = await changeSchedule<Refusal | Fire>(world, tenant, name, ({ schedule }) => {
    const there = schedule.fires.find((fire) => fire.run_id === run_id)
    if (there) return { stop: there }
    const now = world.clock.now()
    const records: FireRecord[] = []
    const fire: Fire = { run_id, slot: now, manual: true, phase: 'due' }
    const to = admit(schedule, fire, now, records)
    const skipped = records.find(({ outcome }) => outcome === 'skipped')
    if (skipped && !to.fires.some((one) => one.run_id === run_id)) {
      return { stop: refusal('conflict', `It cannot be run now: ${skipped.reason}.`) }
    }
    const entry = { kind: 'schedule', name: schedule.name, action: 'run', by } as const
    return { to, records, rows: [auditRow(world, tenant, { ...entry, number: to.revision })] }
  })
  if (!done) return fail(refusal('not_found', 'There is no such schedule.'))
  if ('stop' in done && 'code' in done.stop) return fail(done.stop)
  const fires = 'schedule' in done ? done.schedule.fires : [done.stop as Fire]
  const phase = fires.find((fire) => fire.run_id === run_id)?.phase
  const status = phase === 'waiting' ? 'waiting' : 'started'
  return ok({ run_id, status, replayed: known, partition })
}
