/** Fires a schedule on request; the schedule's `overlap` policy applies to its active runs. */

import { type Refusal, refusal } from '../../core/problem.ts'
import { admit, type FireRecord } from '../../core/schedule/advance.ts'
import type { Fire } from '../../core/schedule/schedule.ts'
import type { Outcome } from '../../lib/outcome.ts'
import { fail, ok } from '../../lib/outcome.ts'
import type { World } from '../../ports/world.ts'
import { runPartition } from '../partition/keys.ts'
import { type Asker, auditRow } from '../tenant/audit.ts'
import type { RequestKey } from '../tenant/idempotency.ts'
import { settleId } from '../tenant/idempotent-id.ts'
import { requestKeyOf } from '../tenant/quota-owner.ts'
import { changeSchedule, findSchedule } from './store.ts'

interface FiredByHand {
  readonly run_id: string
  readonly status: 'started' | 'waiting'
  readonly replayed: boolean
}

/** Runs a pass over the schedule's partition; the pass creates the run. */
export type Advance = (world: World, partition: string) => Promise<void>

interface Firing {
  readonly keyed: RequestKey | undefined
  /** Pass that creates the run before the response; if absent, a wake creates it shortly after. */
  readonly advance: Advance | undefined
}

/** Fires the schedule; after a crash that follows the commit, the alarm creates the run. */
export async function runScheduleNow(
  asker: Asker,
  name: string,
  { keyed: requestKey, advance = wakeNow }: Firing,
): Promise<Outcome<FiredByHand, Refusal>> {
  const { world, tenant } = asker
  const current = await findSchedule(world, tenant, name)
  if (!current) return fail(missing())
  const fired = await fire(asker, name, requestKey)
  if (fired.ok) await advance(world, current.partition)
  return fired
}

async function wakeNow({ queue }: World, partition: string): Promise<void> {
  const wake = { partition, lane: 'background', started: true, staleCount: 0 } as const
  await queue.send([wake], 0)
}

const missing = () => refusal('not_found', 'Schedule not found.')

async function fire(
  asker: Asker,
  name: string,
  requestKey: RequestKey | undefined,
): Promise<Outcome<FiredByHand, Refusal>> {
  const { world, tenant, by } = asker
  const settled = await settleId(world, tenant, 'run', requestKey)
  if (!settled.ok) return settled
  const { id: run_id, known: isReplay } = settled.value
  const [runHead] = isReplay ? await world.store.heads([runPartition(tenant, run_id)]) : []
  if (runHead) return ok({ run_id, status: 'started', replayed: true })
  const key = await requestKeyOf(world)
  const done = await changeSchedule<Refusal | Fire>(world, tenant, name, ({ schedule }) => {
    const existingFire = schedule.fires.find((candidate) => candidate.run_id === run_id)
    if (existingFire) return { stop: existingFire }
    const now = world.clock.now()
    const records: FireRecord[] = []
    const of = { run_id, slot: now, manual: true, phase: 'due' } as const
    const newFire: Fire = { ...of, ...(key && { key }) }
    const to = admit(schedule, newFire, now, records)
    const skipped = records.find(({ outcome }) => outcome === 'skipped')
    if (skipped && !to.fires.some((candidate) => candidate.run_id === run_id)) {
      return { stop: refusal('conflict', `The schedule cannot run now: ${skipped.reason}.`) }
    }
    const entry = { kind: 'schedule', name: schedule.name, action: 'run', by } as const
    return { to, records, rows: [auditRow(world, tenant, { ...entry, number: to.revision })] }
  })
  if (!done) return fail(missing())
  if ('stop' in done && 'code' in done.stop) return fail(done.stop)
  const fires = 'schedule' in done ? done.schedule.fires : [done.stop as Fire]
  const phase = fires.find((candidate) => candidate.run_id === run_id)?.phase
  const status = phase === 'waiting' ? 'waiting' : 'started'
  return ok({ run_id, status, replayed: isReplay })
}
