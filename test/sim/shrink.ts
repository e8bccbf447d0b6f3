/**
 * A red seed made small: client operations are dropped, then kinds of faults, then steps, calls
 * and children, as long as the same invariant breaks under one of a few seeds: what hangs on a
 * single seed is lost with the next change of the engine. What is left is a plan that can be read.
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

/** The plan under its own seed and the ones after it: the same work and weather, other chances. */
export function variations({ seed, mix, operations }: SmallPlan, count: number): Plan[] {
  const whole = Object.fromEntries(FAULT_KINDS.map((kind) => [kind, mix[kind] ?? 0])) as Mix
  return Array.from({ length: count }, (_, index) => ({
    seed: seed + index,
    operations,
    mix: whole,
  }))
}

const SHRUNK_UNDER = 15

export async function shrink(seed: number): Promise<SmallPlan | undefined> {
  const all = chance(seed)
  const first: SmallPlan = {
    seed,
    breaks: '',
    mix: drawMix(all.fork('mix')),
    operations: workload(all.fork('workload')),
  }
  const breaks = (await simulate(variations(first, 1)[0]!)).violations[0]?.id
  if (breaks === undefined) return undefined
  let small: SmallPlan = { ...first, breaks }
  for (let again = true; again; ) {
    again = false
    for (const smaller of smallerThan(small)) {
      if (!(await stillBreaks(smaller))) continue
      small = smaller
      again = true
      break
    }
  }
  const { mix, ...rest } = small
  const left = Object.entries(mix).filter(([, level]) => level !== 0)
  return { ...rest, mix: Object.fromEntries(left) }
}

async function stillBreaks(plan: SmallPlan): Promise<boolean> {
  for (const variation of variations(plan, SHRUNK_UNDER)) {
    const [violation] = (await simulate(variation)).violations
    if (violation?.id === plan.breaks) return true
  }
  return false
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
