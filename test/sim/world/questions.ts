/** In some worlds models ask the user and keep a list: a workload with such calls in its plans. */

import type { Operation, PlannedCall, PlannedRun } from './operations.ts'
import type { Chance } from './random.ts'

/** A stream of its own decides, so that all other worlds stay as they are. */
export function withQuestions(
  chance: Chance,
  operations: readonly Operation[],
  tenants: readonly string[],
): Operation[] {
  const asks = operations.map((one) =>
    one.op === 'create' ? { ...one, plan: asking(chance, one.plan) } : one,
  )
  const users = tenants.map((tenant): Operation => {
    const every = chance.pick([1_000, 4_000, 20_000])
    return { op: 'users', at: 1_200, name: `users of ${tenant}`, tenant, every }
  })
  return [...asks, ...users]
}

function asking(chance: Chance, plan: PlannedRun): PlannedRun {
  const own = chance.fork(plan.id)
  const steps = plan.steps.map(({ calls, ms }, step) => {
    const more: PlannedCall[] = []
    const count = own.pick([0, 0, 1, 1, 2])
    for (let index = 0; index < count; index += 1) {
      const expires = own.pick([2, 10, 60, 600])
      const token = `${plan.id}.${step}.q${index}`
      more.push({ kind: 'ask', token, behaviour: 'plain', expires })
    }
    if (chance.fork(`vault of ${plan.id}.${step}`).flip(0.35)) {
      const token = `${plan.id}.${step}.v`
      more.push({ kind: 'vault', token, behaviour: own.pick(['plain', 'slow']) })
    }
    if (own.flip(0.3)) {
      more.push({ kind: 'todo', token: `${plan.id}.${step}.t`, behaviour: 'plain' })
    }
    return { calls: [...calls.map((call) => below(chance, call)), ...more], ms }
  })
  return { ...plan, steps }
}

const below = (chance: Chance, call: PlannedCall): PlannedCall =>
  call.child ? { ...call, child: asking(chance, call.child) } : call
