/**
 * One fault of each kind at each operation of a few canonical scenarios, everything else calm: what
 * a random mix may never hit, this hits in order.
 */

import { NO_FAULTS } from './faults.ts'
import type { Operation, PlannedCall, PlannedRun } from './operations.ts'
import { print } from './report.ts'
import type { Injected } from './sim.ts'
import { simulate } from './world.ts'

const KINDS: readonly Injected[] = [
  'crash before',
  'crash after',
  'lost write',
  'hidden write',
  'refused',
  'slow',
  'twice',
]

const call = (kind: PlannedCall['kind'], token: string, child?: PlannedRun): PlannedCall =>
  child ? { kind, token, behaviour: 'plain', child } : { kind, token, behaviour: 'plain' }

const run = (id: string, ...calls: PlannedCall[]): PlannedRun => ({
  id,
  steps: calls.length > 0 ? [{ calls, ms: 400 }] : [],
  length: 10,
})

const create = (plan: PlannedRun, url?: string): Operation => ({
  op: 'create',
  at: 0,
  name: plan.id,
  tenant: 'red',
  plan,
  join: undefined,
  timeout: undefined,
  maxSteps: undefined,
  webhook: url === undefined ? undefined : { url },
  wait: undefined,
})

const children = (): PlannedCall[] =>
  [1, 2, 3].map((index) => call('spawn', `c${index}`, run(`c${index}`, call('pay', `c${index}.p`))))

const SCENARIOS: Readonly<Record<string, readonly Operation[]>> = {
  'one run with tools': [
    create(run('one', call('pay', 'a'), call('upsert', 'b'), call('write', 'c'))),
  ],
  'spawn of three': [create(run('three', ...children())), { op: 'follow', at: 100, name: 'three' }],
  'cancel during spawn': [
    create(run('spawning', ...children())),
    { op: 'cancel', at: 600, name: 'spawning' },
  ],
  'webhook outage': [create(run('told'), 'https://flapping.example/hook')],
}

export interface Single {
  readonly scenario: string
  readonly at: number
  readonly kind: Injected
}

/** All single faults; those of one share when the work is divided. */
export async function singles(
  share: number,
  of: number,
): Promise<{ count: number; red: Single[] }> {
  let count = 0
  const red: Single[] = []
  for (const [scenario, operations] of Object.entries(SCENARIOS)) {
    const base = { seed: 7, mix: NO_FAULTS, profile: 'sqs', processes: 3, operations } as const
    const calm = await simulate(base)
    if (calm.violations.length > 0) throw new Error(`${scenario} is red without a fault`)
    for (let at = share; at < calm.operations; at += of) {
      for (const kind of KINDS) {
        count += 1
        const { violations } = await simulate({ ...base, inject: { at, kind } })
        const [violation] = violations
        if (!violation) continue
        red.push({ scenario, at, kind })
        print(`RED ${scenario}, operation ${at}, ${kind}: ${violation.id} ${violation.message}`)
      }
    }
  }
  return { count, red }
}

export async function exhaustive(): Promise<boolean> {
  const began = performance.now()
  const { count, red } = await singles(0, 1)
  const seconds = ((performance.now() - began) / 1000).toFixed(1)
  print(
    `${count} single faults in ${Object.keys(SCENARIOS).length} scenarios, ${red.length} red, ${seconds} s`,
  )
  return red.length === 0
}
