/** What clients know by name, and what they send to make it. */

import type { Fanout, OpenFanout, PlannedRun } from './operations.ts'

export interface Known {
  readonly id: string
  readonly tenant: string
  readonly kind: 'run' | 'fanout' | 'session'
  readonly partition: string
}

export const knownOf = (tenant: string, kind: Known['kind'], id: string): Known => ({
  id,
  tenant,
  kind,
  partition: `${tenant}/${kind}/${id}`,
})

export const tasksOf = (plans: readonly PlannedRun[]) =>
  plans.map((plan) => ({ task: JSON.stringify(plan) }))

export const fanoutOf = (fanout: Fanout) => ({ tasks: tasksOf(fanout.tasks), ...besides(fanout) })
export const openOf = (fanout: OpenFanout) => ({ open: true, ...besides(fanout) })

type Besides = Pick<Fanout, 'closing' | 'join' | 'webhook' | 'budget'>
function besides({ closing, join, webhook, budget }: Besides) {
  return {
    ...(join ? { join } : {}),
    ...(closing ? { then: { input: JSON.stringify(closing) } } : {}),
    ...(webhook ? { webhook: { ...webhook } } : {}),
    ...(budget ? { limits: budget } : {}),
  }
}
