/**
 * `npm run sim -- --kept`: every kept world and every kept plan must be green without a bug. With
 * `--stale` each planted bug is also tried in its kept world, a process for each. A bug that its world
 * no longer shows is printed as stale and fails nothing: a change of the engine shifts all random
 * draws, and `--planted` finds a new world on purpose.
 */

import { BUGS } from '../bugs/index.ts'
import { type KeptWorld, keptPlans, keptWorlds, planOf } from './kept.ts'
import { each, placeOf, tryKept } from './planted.ts'
import { shareOut } from './pool.ts'
import { print } from './report.ts'

export interface KeptCheck {
  readonly jobs: number
  /** Bugs whose names contain it. */
  readonly only: string | undefined
  /** Prints the bugs that their kept worlds no longer show. */
  readonly stale: boolean
}

/** True when all kept worlds are green. */
export async function keptAreGreen({ jobs, only, stale }: KeptCheck): Promise<boolean> {
  const chosen = BUGS.filter(({ name }) => name.includes(only ?? ''))
  const kept = keptWorlds()
  const bugs = chosen.map(({ name }) => name).filter((name) => kept[name] !== undefined)
  const worlds = distinct([...bugs.map((name) => kept[name]!), ...plansOf(bugs, only)])
  const plans = worlds.map(planOf).filter((plan) => plan !== undefined)
  for (const world of worlds)
    if (planOf(world) === undefined) print(`STALE ${placeOf(world)}: there is no such plan`)
  const { seeds, red } = await shareOut(
    { plans, bug: undefined, twice: false, stopAtFirst: false },
    jobs,
  )
  for (const { seed, violation } of red) {
    const places = worlds.filter((world) => world.seed === seed).map(placeOf)
    print(`RED ${places.join(' or ')}: ${violation.id}`)
    print(`replay with: npm run sim -- --replay ${seed} [--plan NAME]`)
  }
  print(`${seeds} kept worlds, ${red.length} red`)
  if (stale) await printStale(bugs, jobs)
  return red.length === 0 && seeds === plans.length
}

async function printStale(bugs: readonly string[], jobs: number): Promise<void> {
  let count = 0
  await each(bugs, jobs, async (bug) => {
    if ((await tryKept(bug)) !== undefined) return
    count += 1
    print(`STALE ${bug}: find a new world with npm run sim -- --planted`)
  })
  print(`${bugs.length} bugs, ${count} stale`)
}

/** The kept plans under their own seeds; with `only`, the plans of these bugs. */
const plansOf = (bugs: readonly string[], only: string | undefined): KeptWorld[] =>
  keptPlans()
    .filter((plan) => only === undefined || plan.bugs.some((bug) => bugs.includes(bug)))
    .map(({ name, seed }) => ({ plan: name, seed }))

const distinct = (worlds: readonly KeptWorld[]): KeptWorld[] => [
  ...new Map(worlds.map((world) => [placeOf(world), world])).values(),
]
