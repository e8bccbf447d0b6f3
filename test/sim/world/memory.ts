/**
 * In some worlds runs have a memory that all of a tenant share: a workload with calls in its plans
 * that write it and search it. Some entries are the same for everybody.
 */

import type { Operation, PlannedCall, PlannedRun } from './operations.ts'
import { type Chance, hash } from './random.ts'

/** The file that all write. */
export const NOTES = 'shared/notes.md'

/** A word that nobody else writes, so that a search for it means this entry. */
export const wordOf = (token: string): string => `word${hash(token).toString(36)}`
export const entryOf = (token: string): string => `- ${wordOf(token)} is of [${token}]`
/** An entry that many bring. */
export const commonOf = (token: string): string => `- common ${hash(token) % 3}`

/** A stream of its own decides, so that all other worlds stay as they are. */
export const withMemory = (chance: Chance, operations: readonly Operation[]): Operation[] =>
  operations.map((one) =>
    one.op === 'create' ? { ...one, plan: remembering(chance, one.plan) } : one,
  )

/** Whether a tenant's policy gives its runs memory: when some of them write it. */
export const isRemembering = (operations: readonly Operation[]): boolean =>
  operations.some((one) => JSON.stringify(one).includes('"kind":"remember"'))

function remembering(chance: Chance, plan: PlannedRun): PlannedRun {
  const own = chance.fork(plan.id)
  const written: string[] = []
  const steps = plan.steps.map(({ calls, ms }, step) => {
    const more: PlannedCall[] = []
    const of = written.length > 0 && own.flip(0.6) ? own.pick(written) : undefined
    const count = own.pick([0, 1, 1, 2])
    for (let index = 0; index < count; index += 1) {
      const token = `${plan.id}.${step}.m${index}`
      more.push({ kind: 'remember', token, behaviour: 'plain' })
      written.push(token)
    }
    if (of !== undefined) {
      more.push({ kind: 'recall', token: `${plan.id}.${step}.l`, behaviour: 'plain', of })
    }
    return { calls: [...calls.map((call) => below(chance, call)), ...more], ms }
  })
  return { ...plan, steps }
}

const below = (chance: Chance, call: PlannedCall): PlannedCall =>
  call.child ? { ...call, child: remembering(chance, call.child) } : call
