/** What clients know by name, and what they send to make it. */

import type { Fanout } from './operations.ts'

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

export function fanoutOf({ tasks, closing, join, webhook }: Fanout) {
  return {
    tasks: tasks.map((plan) => ({ task: JSON.stringify(plan) })),
    ...(join ? { join } : {}),
    ...(closing ? { then: { input: JSON.stringify(closing) } } : {}),
    ...(webhook ? { webhook: { ...webhook } } : {}),
  }
}
