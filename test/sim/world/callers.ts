/**
 * In some worlds programs ask for runs in the words of OpenAI and bring tools of their own: a
 * workload with such runs, and with calls of those tools in their plans.
 */

import type { Create, Operation, PlannedCall, PlannedRun } from './operations.ts'
import type { Chance } from './random.ts'

/** A stream of its own decides, so that all other worlds stay as they are. */
export function withCallers(
  chance: Chance,
  operations: readonly Operation[],
  tenants: readonly string[],
): Operation[] {
  const asked = operations.map((one) =>
    one.op === 'create' && mayRespond(one) && chance.fork(one.name).flip(0.7)
      ? responding(chance, one)
      : one,
  )
  const programs = tenants.map((tenant): Operation => {
    const every = chance.pick([500, 3_000, 20_000])
    return { op: 'programs', at: 1_100, name: `programs of ${tenant}`, tenant, every }
  })
  return [...asked, ...programs]
}

/** Those words know no sessions of ours, no webhooks and no limits. */
const mayRespond = ({ session, startIn }: Create): boolean =>
  session === undefined && startIn === undefined

function responding(chance: Chance, one: Create): Create {
  const { at, name, tenant } = one
  return {
    ...{ op: 'create', at, name, tenant, plan: calling(chance, one.plan), responds: true },
    ...{ join: undefined, timeout: undefined, maxSteps: undefined },
    ...{ webhook: undefined, wait: undefined, keyed: 'once' },
  }
}

function calling(chance: Chance, plan: PlannedRun): PlannedRun {
  const own = chance.fork(`tools of ${plan.id}`)
  const steps = plan.steps.map(({ calls, ms }, step) => {
    const more = Array.from({ length: own.pick([0, 1, 1, 2]) }, (_, index): PlannedCall => {
      const token = `${plan.id}.${step}.o${index}`
      return { kind: 'own', token, behaviour: 'plain' }
    })
    return { calls: [...calls, ...more], ms }
  })
  return { ...plan, steps }
}
