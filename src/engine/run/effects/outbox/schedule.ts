/** Reports the end of a run to its schedule, which counts failures and starts waiting runs. */

import type { TerminalStatus } from '../../../../core/run/log/subagent-facts.ts'
import type { FireEnd } from '../../../../core/schedule/advance.ts'
import { assert } from '../../../../lib/assert.ts'
import { mailKey, schedulePartition } from '../../../partition/keys.ts'
import type { EffectResult } from '../../../partition/log-type.ts'
import { post } from '../../../partition/mailbox.ts'
import { readSchedule } from '../../../schedule/store.ts'
import { type Context, retryLater } from '../context.ts'

const SENT: EffectResult = { acknowledged: { to: 'schedule' } }

export async function performSchedule(context: Context): Promise<EffectResult> {
  const { world, tenant, state } = context
  const { spec, ended_at, error } = state
  assert(spec?.schedule && ended_at !== null, 'the run has no schedule or has not ended')
  const partition = schedulePartition(tenant, spec.schedule.id)
  const waits = async (): Promise<'no' | 'waits' | 'notified'> => {
    const current = await readSchedule(world, partition)
    const fires = current?.schedule.fires ?? []
    if (!fires.some(({ run_id }) => run_id === spec.id)) return 'no'
    return current!.ends.some(({ end }) => end.run_id === spec.id) ? 'notified' : 'waits'
  }
  // The schedule was deleted, or it has already counted this end.
  if ((await waits()) === 'no') return SENT
  const status = state.status as TerminalStatus
  const mail: FireEnd = { run_id: spec.id, status, at: ended_at, error }
  const posted = await post(world, {
    partition,
    key: mailKey(spec.id),
    mail,
    lane: 'background',
    arrived: async () => (await waits()) !== 'waits',
  })
  return posted === 'posted' ? SENT : retryLater(context)
}
