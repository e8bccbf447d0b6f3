/**
 * What is kept of earlier findings: small plans, of what was once wrong here and of what few seeds
 * show, each with the planted bug that brings it back; for every other planted bug the seed that
 * found it last.
 */

import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { BUGS } from './bugs.ts'
import type { SmallPlan } from './shrink.ts'

export interface KeptPlan extends SmallPlan {
  readonly name: string
  /** The planted bug under which the plan breaks its invariant again. */
  readonly bug: string
}
export type KeptSeeds = Readonly<Record<string, number>>

const PLANS = new URL('./regressions/', import.meta.url)
const SEEDS = new URL('./planted.json', import.meta.url)

const parsed = (file: URL): unknown => JSON.parse(readFileSync(file, 'utf8'))

export const keptPlans = (): KeptPlan[] =>
  readdirSync(PLANS).map((file) => {
    const plan = parsed(new URL(file, PLANS)) as Omit<KeptPlan, 'name'>
    return { name: file.replace('.json', ''), ...plan }
  })

export const keptSeeds = (): KeptSeeds => parsed(SEEDS) as KeptSeeds

/** The plan shows its bug under this seed now. */
export function keepPlanSeed(name: string, seed: number): void {
  const file = new URL(`${name}.json`, PLANS)
  const plan = parsed(file) as KeptPlan
  if (plan.seed !== seed) writeFileSync(file, `${JSON.stringify({ ...plan, seed }, null, 2)}\n`)
}

/** In the order of the bugs; those that are no more are forgotten. */
export function keepSeeds(seeds: KeptSeeds): void {
  const lines = BUGS.flatMap(({ name }) =>
    seeds[name] === undefined ? [] : [[name, seeds[name]] as const],
  )
  writeFileSync(SEEDS, `${JSON.stringify(Object.fromEntries(lines), null, 2)}\n`)
}
