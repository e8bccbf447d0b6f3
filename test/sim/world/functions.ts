/** In some worlds models call a function of the program that has started their run. */

import type { Operation, PlannedCall, PlannedRun } from './operations.ts'
import type { Chance } from './random.ts'

export const FUNCTION = 'program'

/** A stream of its own decides, so that all other worlds stay as they are. */
export function withFunctions(
  chance: Chance,
  operations: readonly Operation[],
  tenants: readonly string[],
): Operation[] {
  const calls = operations.map((one) =>
    one.op === 'create' ? { ...one, plan: calling(chance, one.plan) } : one,
  )
  const programs = tenants.map((tenant): Operation => {
    const every = chance.pick([500, 4_000, 20_000])
    return { op: 'programs', at: 1_100, name: `programs of ${tenant}`, tenant, every }
  })
  return [...calls, ...programs]
}

/** The steps of the run itself: its subagents do not have the function. */
function calling(chance: Chance, plan: PlannedRun): PlannedRun {
  const own = chance.fork(plan.id)
  const steps = plan.steps.map(({ calls, ms }, step) => {
    const more = Array.from({ length: own.pick([0, 1, 1, 2]) }, (_, index): PlannedCall => {
      const token = `${plan.id}.${step}.f${index}`
      return { kind: 'function', token, behaviour: 'plain' }
    })
    return { calls: [...calls, ...more], ms }
  })
  return { ...plan, steps }
}

/** What a run declares, where its plan has such calls. */
export function functionsOf({ steps }: PlannedRun): object {
  const has = steps.some(({ calls }) => calls.some(({ kind }) => kind === 'function'))
  return has ? { functions: [{ name: FUNCTION, parameters: { type: 'object' } }] } : {}
}
