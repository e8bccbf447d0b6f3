/**
 * In some worlds both tenants do the same under the same names: agents, files, keys, sessions,
 * schedules. What belongs to one of them carries its mark, so that a law sees it at the other.
 */

import type { Belongings, Operation, PlannedCall, PlannedRun } from './operations.ts'
import type { Chance } from './random.ts'

/** The text that stands in everything of a tenant, and in nothing of another one. */
export const markOf = (tenant: string): string => `mark-of-${tenant}-7f3`

/** A stream of its own decides, so that all other worlds stay as they are. */
export function tenantOperations(chance: Chance, tenants: readonly string[]): Operation[] {
  const guarded = chance.flip(0.5)
  return tenants.flatMap((tenant) => {
    const own = chance.fork(tenant)
    const belongings: Belongings = {
      op: 'belongings',
      at: own.int(10_000),
      name: `belongings of ${tenant}`,
      tenant,
      plan: planOf(own, `${markOf(tenant)}.r`, guarded),
      tasks: [0, 1].map((index) => planOf(own, `${markOf(tenant)}.f${index}`, false)),
    }
    const people = { op: 'people', at: 1_000, name: `people beside ${tenant}`, tenant } as const
    return guarded ? [belongings, { ...people, every: 5_000 }] : [belongings]
  })
}

/** Whether the tenants of a world work under the same names. */
export const areTwins = (operations: readonly Operation[]): boolean =>
  operations.some(({ op }) => op === 'belongings')

function planOf(chance: Chance, id: string, guarded: boolean): PlannedRun {
  const call = (kind: PlannedCall['kind'], place: string): PlannedCall => ({
    kind,
    token: `${id}.${place}`,
    behaviour: 'plain',
  })
  const child: PlannedRun = {
    id: `${id}.c`,
    steps: [{ calls: [call('lookup', 'c.0')], ms: 200 }],
    length: 20,
  }
  const first = [
    call('write', '0.w'),
    call(chance.pick(['pay', 'upsert', 'lookup']), '0.p'),
    ...(guarded ? [call('wire', '0.a')] : []),
  ]
  const spawns = id.endsWith('.r')
  const second = [
    call('read', '1.r'),
    ...(spawns ? [{ ...call('spawn', '1.c'), token: child.id, child }] : []),
  ]
  return {
    id,
    steps: [
      { calls: first, ms: 500 },
      { calls: second, ms: 500 },
    ],
    length: chance.pick([20, 6_000]),
  }
}
