/**
 * A red seed made small: the endpoint is dropped, client operations, then kinds of faults, then
 * tasks of fan-outs, steps, calls and children, as long as the same invariant breaks under one of a few seeds: what hangs on a
 * single seed is lost with the next change of the engine. What is left is a plan that can be read.
 */

import type { FaultKind, Mix } from '../faults/faults.ts'
import { drawMix, FAULT_KINDS } from '../faults/faults.ts'
import type { Fanout, Operation, PlannedRun } from '../world/operations.ts'
import { chance } from '../world/random.ts'
import { OBJECTS } from '../world/seeds.ts'
import type { Profile } from '../world/sim.ts'
import type { Plan } from '../world/world.ts'
import { listensIn, simulate, workloadOf } from '../world/world.ts'

export interface SmallPlan {
  readonly seed: number
  /** The invariant that broke. */
  readonly breaks: string
  readonly mix: Partial<Mix>
  /** A tenant has an endpoint. */
  readonly listens?: true
  /** Nothing ages in its worlds. */
  readonly young?: true
  readonly exact?: true
  /** The kind of host, and how many processes it has in the clouds; else the seed draws them. */
  readonly profile?: Profile
  readonly processes?: number
  readonly operations: readonly Operation[]
}

/** The plan under its own seed and the ones after it: the same work and weather, other chances. */
export function variations(plan: Omit<SmallPlan, 'breaks'>, count: number): Plan[] {
  const { seed, mix, operations, listens = false, young = false, exact = false } = plan
  const { profile, processes } = plan
  const whole = Object.fromEntries(FAULT_KINDS.map((kind) => [kind, mix[kind] ?? 0])) as Mix
  return Array.from({ length: count }, (_, index) => ({
    seed: seed + index,
    operations,
    listens,
    young,
    exact,
    ...(profile === undefined ? {} : { profile }),
    ...(processes === undefined ? {} : { processes }),
    mix: whole,
  }))
}

/** All that a seed draws, as a plan: under this seed it is the same world. */
export function wholePlan(seed: number): Omit<SmallPlan, 'breaks'> {
  const all = chance(seed)
  return {
    seed,
    mix: drawMix(all.fork('mix')),
    ...(listensIn(all) ? { listens: true } : {}),
    operations: workloadOf(seed >= OBJECTS ? 'objects' : 'node', all),
  }
}

const SHRUNK_UNDER = 15

export async function shrink(seed: number): Promise<SmallPlan | undefined> {
  const first = wholePlan(seed)
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

/** Smaller ones, which leave out most first. */
export function* smallerThan(plan: SmallPlan): Generator<SmallPlan> {
  const { operations, mix } = plan
  if (plan.listens) {
    const { listens: _, ...rest } = plan
    yield rest
  }
  for (const index of operations.keys()) {
    yield { ...plan, operations: operations.filter((_, other) => other !== index) }
  }
  for (const kind of Object.keys(mix) as FaultKind[]) {
    if (!mix[kind]) continue
    const { [kind]: _, ...rest } = mix
    yield { ...plan, mix: rest }
  }
  for (const [index, operation] of operations.entries()) {
    for (const smaller of smallerOperations(operation)) {
      const changed = operations.map((one, other) => (other === index ? smaller : one))
      yield { ...plan, operations: changed }
    }
  }
}

function* smallerOperations(operation: Operation): Generator<Operation> {
  if (operation.op === 'fanout') yield* smallerFanouts(operation)
  if (operation.op !== 'create') return
  for (const plan of smallerRuns(operation.plan)) yield { ...operation, plan }
}

function* smallerFanouts(fanout: Fanout): Generator<Fanout> {
  const { tasks, join, closing, webhook } = fanout
  // What could never be met would be refused.
  const policy = join?.policy
  const least = typeof policy === 'object' ? policy.quorum : 0
  for (const index of tasks.length > least ? tasks.keys() : []) {
    yield { ...fanout, tasks: tasks.filter((_, other) => other !== index) }
  }
  if (closing) yield { ...fanout, closing: undefined }
  if (webhook) yield { ...fanout, webhook: undefined }
  for (const [index, task] of tasks.entries()) {
    for (const smaller of smallerRuns(task)) {
      yield { ...fanout, tasks: tasks.map((one, other) => (other === index ? smaller : one)) }
    }
  }
  if (!closing) return
  for (const smaller of smallerRuns(closing)) yield { ...fanout, closing: smaller }
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
