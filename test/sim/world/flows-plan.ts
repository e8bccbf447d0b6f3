/**
 * In some worlds a tenant's policy minds what untrusted text may lead to: calls that reach out are
 * denied after it, or a person is asked. Some runs of it read such text and then reach out.
 */

import type { Create, Operation, PlannedCall, PlannedRun, PlannedStep } from './operations.ts'
import { TENANTS } from './plan.ts'
import type { Chance } from './random.ts'

/** So many worlds have such a policy. */
const ONE_IN = 10

/** A stream of its own decides, so that all other worlds stay as they are. */
export function withFlows(chance: Chance, operations: readonly Operation[]): Operation[] {
  if (!chance.flip(1 / ONE_IN)) return [...operations]
  const tenant = chance.pick(TENANTS)
  const rule = chance.pick(['deny', 'deny', 'ask'] as const)
  const at = chance.pick([500, 5_000, 20_000])
  const more: Operation[] = [{ op: 'flow', at, name: `flow of ${tenant}`, tenant, rule }]
  const count = chance.between(1, 3)
  for (let index = 0; index < count; index += 1) {
    const own = chance.fork(`t${index}`)
    more.push(creating(`t${index}`, tenant, at + own.int(30_000), planned(own, `t${index}`)))
  }
  const isWatched = operations.some((one) => one.op === 'people' && one.tenant === tenant)
  if (rule === 'ask' && !isWatched) {
    const every = chance.pick([2_000, 10_000, 45_000])
    more.push({ op: 'people', at: 1_000, name: `people of ${tenant}`, tenant, every })
  }
  return [...operations, ...more].sort((left, right) => left.at - right.at)
}

const creating = (name: string, tenant: string, at: number, plan: PlannedRun): Create => ({
  ...{ op: 'create', at, name, tenant, plan, keyed: 'once' },
  ...{ join: undefined, timeout: undefined, maxSteps: undefined },
  ...{ webhook: undefined, wait: undefined },
})

/** Text is read by the run itself, or by a subagent of it; then it, or another subagent, reaches out. */
function planned(chance: Chance, id: string): PlannedRun {
  const steps: PlannedStep[] = []
  const add = (...calls: PlannedCall[]): void => {
    steps.push({ calls, ms: chance.pick([200, 1_000, 3_000]) })
  }
  const call = (kind: PlannedCall['kind'], token: string): PlannedCall => ({
    ...{ kind, token, behaviour: 'plain' },
  })
  const below = (token: string, kind: PlannedCall['kind']): PlannedCall => {
    const child = {
      id: token,
      steps: [{ calls: [call(kind, `${token}.0.0`)], ms: 200 }],
      length: 20,
    }
    return { ...call('spawn', token), child, ...(chance.flip(0.7) ? { wait: true as const } : {}) }
  }
  const reaching = () => chance.pick(['pay', 'upsert'] as const)
  add(chance.flip(0.6) ? call('lookup', `${id}.0.0`) : below(`${id}.0.c0`, 'lookup'))
  add(chance.flip(0.6) ? call(reaching(), `${id}.1.0`) : below(`${id}.1.c0`, reaching()))
  if (chance.flip(0.5)) add(call(reaching(), `${id}.2.0`), call('write', `${id}.2.1`))
  return { id, steps, length: 20 }
}
