/**
 * A red seed made small: client operations are dropped, then kinds of faults, then steps, calls
 * and children, as long as the same invariant breaks. What is left is a plan that can be read.
 */

import type { FaultKind, Mix } from './faults.ts'
import { drawMix, FAULT_KINDS } from './faults.ts'
import type { Operation, PlannedRun } from './operations.ts'
import { workload } from './plan.ts'
import { chance } from './random.ts'
import type { Plan } from './world.ts'
import { simulate } from './world.ts'

export interface SmallPlan {
  readonly seed: number
  /** The invariant that broke. */
  readonly breaks: string
  readonly mix: Partial<Mix>
  readonly operations: readonly Operation[]
}

/** The plan of a small plan, as the simulator takes it. */
export const planOf = ({ seed, mix, operations }: SmallPlan): Plan => ({
  seed,
  operations,
  mix: Object.fromEntries(FAULT_KINDS.map((kind) => [kind, mix[kind] ?? 0])) as Mix,
})

export async function shrink(seed: number): Promise<SmallPlan | undefined> {
  const all = chance(seed)
  const first: SmallPlan = {
    seed,
    breaks: '',
    mix: drawMix(all.fork('mix')),
    operations: workload(all.fork('workload')),
  }
  const breaks = await breach(first)
  if (breaks === undefined) return undefined
  let small: SmallPlan = { ...first, breaks }
  for (let again = true; again; ) {
    again = false
    for (const smaller of smallerThan(small)) {
      if ((await breach(smaller)) !== breaks) continue
      small = smaller
      again = true
      break
    }
  }
  return small
}

async function breach(plan: SmallPlan): Promise<string | undefined> {
  return (await simulate(planOf(plan))).violations[0]?.id
}

function* smallerThan(plan: SmallPlan): Generator<SmallPlan> {
  const { operations, mix } = plan
  for (const index of operations.keys()) {
    yield { ...plan, operations: operations.filter((_, other) => other !== index) }
  }
  for (const kind of Object.keys(mix) as FaultKind[]) {
    if (!mix[kind]) continue
    const { [kind]: _, ...rest } = mix
    yield { ...plan, mix: rest }
  }
  for (const [index, operation] of operations.entries()) {
    if (operation.op !== 'create') continue
    for (const run of smallerRuns(operation.plan)) {
      const changed = operations.map((one, other) =>
        other === index ? { ...operation, plan: run } : one,
      )
      yield { ...plan, operations: changed }
    }
  }
}

function* smallerRuns(run: PlannedRun): Generator<PlannedRun> {
  for (const [index, step] of run.steps.entries()) {
    const put = (steps: PlannedRun['steps']): PlannedRun => ({ ...run, steps })
    yield put(run.steps.filter((_, other) => other !== index))
    const calls = (list: typeof step.calls) =>
      put(run.steps.map((one, other) => (other === index ? { ...step, calls: list } : one)))
    for (const [place, call] of step.calls.entries()) {
      if (step.calls.length > 1) yield calls(step.calls.filter((_, other) => other !== place))
      if (!call.child) continue
      for (const child of smallerRuns(call.child)) {
        yield calls(step.calls.map((one, other) => (other === place ? { ...call, child } : one)))
      }
    }
  }
}
