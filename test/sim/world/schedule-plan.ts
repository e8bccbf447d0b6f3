/** In some worlds there are schedules, and runs that begin later or are wanted for a while only. */

import type { Operation, PlannedCall, PlannedRun, ScheduleOperation } from './operations.ts'
import type { Chance } from './random.ts'

const OVERLAPS = ['skip', 'queue', 'cancel_previous', 'allow', 'queue'] as const
const CATCH_UPS = ['all', 'all', 'latest', 'none'] as const

/** A stream of its own decides, so that all other worlds stay as they are. */
export function scheduleOperations(chance: Chance, tenants: readonly string[]): Operation[] {
  const count = chance.pick([1, 1, 2])
  return Array.from({ length: count }, (_, index) => {
    const own = chance.fork(`schedule ${index}`)
    const broken = own.flip(0.2)
    const made: ScheduleOperation = {
      op: 'schedule',
      at: own.int(20_000),
      name: `s-${index}`,
      tenant: own.pick(tenants),
      slots: broken ? 12 : own.between(2, 8),
      overlap: broken ? 'allow' : own.pick(OVERLAPS),
      catch_up: broken ? 'all' : own.pick(CATCH_UPS),
      twice: own.flip(0.4),
      ...(own.flip(0.4) ? { edits: own.int(180_000) } : {}),
      ...(!broken && own.flip(0.3) ? { byHand: own.int(120_000) } : {}),
      plan: broken ? { ...planOf(own), broken } : planOf(own),
    }
    return made
  })
}

/** `@` stands for the run: its tokens are its own. */
function planOf(chance: Chance): PlannedRun {
  const steps = Array.from({ length: chance.pick([0, 1, 2]) }, (_, step) => {
    const kind = chance.pick(['lookup', 'pay', 'upsert'] as const)
    const call: PlannedCall = { kind, token: `@.${step}`, behaviour: 'plain' }
    return { calls: [call], ms: chance.pick([100, 2_000, 50_000, 90_000]) }
  })
  return { id: '@', steps, length: 20 }
}

/** Some runs of a workload begin later, or are wanted for a while only. */
export function withBeginnings(chance: Chance, operations: readonly Operation[]): Operation[] {
  return operations.map((one) => {
    if (one.op !== 'create' || one.session !== undefined) return one
    const own = chance.fork(one.name)
    return {
      ...one,
      ...(own.flip(0.5) ? { startIn: own.pick([2_000, 30_000, 200_000, 1_200_000]) } : {}),
      ...(own.flip(0.3) ? { expiresIn: own.pick([1, 20, 300]) } : {}),
    }
  })
}
