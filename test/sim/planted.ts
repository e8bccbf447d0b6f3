/**
 * Bugs switched on one at a time: a simulator that does not find them proves nothing. What found a
 * bug last is tried first, so that a look at all of them takes a minute; where that finds nothing
 * any more, the search begins anew.
 */

import { BUGS } from './bugs.ts'
import { keepSeeds, keptPlans, keptSeeds } from './kept.ts'
import { type Red, runShare, seedsFrom } from './pool.ts'
import { print } from './report.ts'
import { variations } from './shrink.ts'
import type { Plan } from './world.ts'

const SEEDS = 2_000
const VARIATIONS = 500

export interface Planting {
  readonly jobs: number
  /** Bugs whose names contain it. */
  readonly only: string | undefined
  /** What is kept of earlier searches is not tried. */
  readonly afresh: boolean
  /** The seeds that found something are written down. */
  readonly keep: boolean
}

export async function planted({ jobs, only, afresh, keep }: Planting): Promise<boolean> {
  const began = performance.now()
  const chosen = BUGS.filter(({ name }) => only === undefined || name.includes(only))
  const seeds = new Map<string, number>()
  await each(chosen, jobs, async ({ name: bug }) => {
    const red = await hunt(bug, afresh)
    if (red) seeds.set(bug, red.seed)
    if (keep) keepSeeds({ ...keptSeeds(), ...Object.fromEntries(seeds) })
    const where = red ? `in seed ${red.seed} by ${red.violation.id}` : `not in ${SEEDS} seeds`
    print(`${red ? 'found ' : 'MISSED'} ${bug}: ${where}`)
  })
  const held = await plansHold(jobs, only)
  const calm = await control([...seeds.values()])
  const seconds = ((performance.now() - began) / 1000).toFixed(0)
  print(`${chosen.length} planted, ${seeds.size} found, ${seconds} s`)
  return seeds.size === chosen.length && held && calm
}

async function each<T>(items: readonly T[], jobs: number, act: (item: T) => Promise<void>) {
  const waiting = [...items]
  const worker = async (): Promise<void> => {
    for (let item = waiting.shift(); item; item = waiting.shift()) await act(item)
  }
  await Promise.all(Array.from({ length: jobs }, worker))
}

const one = (plans: readonly Plan[], bug: string | undefined) =>
  runShare({ plans, bug, twice: false, stopAtFirst: bug !== undefined })

async function hunt(bug: string, afresh: boolean): Promise<Red | undefined> {
  const last = keptSeeds()[bug]
  const plans = keptPlans().filter((plan) => plan.bug === bug)
  const first = [
    ...(last === undefined ? [] : [{ seed: last }]),
    ...plans.flatMap((plan) => variations(plan, VARIATIONS)),
  ]
  return (await one([...(afresh ? [] : first), ...seedsFrom(1, SEEDS)], bug)).red[0]
}

/**
 * A plan that is kept for ever is worth it as long as it is red where its bug is back. Chance falls
 * otherwise after every change of the engine, so the plan is tried under many seeds.
 */
async function plansHold(jobs: number, only: string | undefined): Promise<boolean> {
  const plans = keptPlans().filter(({ bug }) => only === undefined || bug.includes(only))
  const lost: string[] = []
  await each(plans, jobs, async (plan) => {
    const { red } = await one(variations(plan, VARIATIONS), plan.bug)
    if (red.length === 0) lost.push(plan.name)
  })
  print(`${plans.length} kept plans with their bugs, ${plans.length - lost.length} red again`)
  for (const name of lost) print(`STALE  ${name}: shrink a seed of its bug anew`)
  return lost.length === 0
}

/** The very seeds that found something are green where nothing is planted. */
async function control(seeds: readonly number[]): Promise<boolean> {
  const plans = [...new Set(seeds)].map((seed) => ({ seed }))
  const { red } = await one(plans, undefined)
  print(`control: the same ${plans.length} seeds without a bug, ${red.length} red`)
  return red.length === 0
}
