/**
 * Bugs switched on one at a time: a simulator that does not find them proves nothing. What found a
 * bug last, a seed or a small plan, is tried first, so that a look at all of them takes a minute.
 * Where that finds nothing any more it is stale, because chance falls otherwise after a change of
 * the engine; the bug is hunted anew then, over a bounded number of worlds.
 */

import { BUGS } from '../bugs/index.ts'
import { OBJECTS } from '../world/seeds.ts'
import {
  type KeptPlan,
  type KeptWorld,
  keepWorlds,
  keptPlans,
  keptWorlds,
  planOf,
  VARIATIONS,
} from './kept.ts'
import { seedsFrom, shareOut } from './pool.ts'
import { print } from './report.ts'
import { untested } from './tested.ts'

const PLANS = keptPlans()
const SEEDS = 4_000
/** Of a bug that was named: once found and kept, it is found at once. */
const SEEDS_OF_NAMED = 20_000
const OF_A_PLAN = 500
/** Worlds of all hunts together, where no bug was named: about an hour on two cores. */
const WORLDS = 24_000
/** Most bugs are found in so few that it is not worth a process for each share of them. */
const FEW = 60
/** Worlds between two looks at whether one was red. */
const CHUNK = 200

export interface Planting {
  readonly jobs: number
  /** Bugs whose names contain it. */
  readonly only: string | undefined
  /** What is kept of earlier searches is not tried. */
  readonly afresh: boolean
  /** The seeds that found something are written down. */
  readonly keep: boolean
}

/** A world that was red under a bug. */
interface Found extends KeptWorld {
  readonly by: string
}

export async function planted({ jobs, only, afresh, keep }: Planting): Promise<boolean> {
  const began = performance.now()
  const chosen = BUGS.map(({ name }) => name).filter((name) => name.includes(only ?? ''))
  const found = new Map<string, Found>()
  const note = (bug: string, one: Found | undefined): void => {
    print(one ? `found  ${bug}: ${placeOf(one)} by ${one.by}` : `MISSED ${bug}`)
    if (!one) return
    found.set(bug, one)
    const { by: _, ...world } = one
    if (keep) keepWorlds({ ...keptWorlds(), [bug]: world })
  }
  const stale: string[] = []
  const tested: string[] = []
  const rare: string[] = []
  const unhunted: string[] = []
  const huntsRare = afresh || only !== undefined
  await each(chosen, jobs, async (bug) => {
    const one = BUGS.find(({ name }) => name === bug)!
    if (one.testedBy) {
      const why = await untested(one, one.testedBy)
      if (why === undefined) tested.push(bug)
      return print(why ? `MISSED ${bug}: ${why}` : `tested ${bug}: by ${one.testedBy.file}`)
    }
    const kept = afresh ? undefined : await tryKept(bug)
    if (kept) return note(bug, kept)
    stale.push(bug)
    if (!afresh) print(`STALE  ${bug}: what found it last shows nothing any more`)
    const few = await first(bug, beginning(bug), 1)
    if (few) return note(bug, few)
    if (!one.rare || huntsRare) return void rare.push(bug)
    unhunted.push(bug)
    print(`RARE   ${bug}: no kept world shows it; --only hunts it`)
  })
  await huntAll(rare, jobs, only !== undefined, note)
  const blind = await blindPlans(chosen, jobs)
  const calm = await control([...found.values()])
  const seconds = ((performance.now() - began) / 1000).toFixed(0)
  const old = afresh ? '' : `${stale.length} stale, `
  const plans = `${blind} stale plan${blind === 1 ? '' : 's'}`
  const left = unhunted.length === 0 ? '' : `${unhunted.length} rare and not hunted, `
  const shown = `${found.size} found, ${tested.length === 0 ? '' : `${tested.length} tested, `}`
  print(`${chosen.length} planted, ${shown}${left}${old}${plans}, ${seconds} s`)
  return found.size + tested.length + unhunted.length === chosen.length && calm
}

/** Calls `act` for each item, `jobs` at a time. */
export async function each<T>(items: readonly T[], jobs: number, act: (item: T) => Promise<void>) {
  const waiting = [...items]
  const worker = async (): Promise<void> => {
    for (let item = waiting.shift(); item; item = waiting.shift()) await act(item)
  }
  await Promise.all(Array.from({ length: jobs }, worker))
}

/** The world as it is printed. */
export const placeOf = ({ seed, plan }: KeptWorld): string =>
  plan === undefined ? `in seed ${seed}` : `in the plan ${plan} under seed ${seed}`

/** The first world that is red, looked for in order, a chunk at a time over all processes. */
async function first(
  bug: string,
  worlds: readonly KeptWorld[],
  jobs: number,
): Promise<Found | undefined> {
  for (let at = 0; at < worlds.length; at += CHUNK) {
    const chunk = worlds.slice(at, at + CHUNK)
    const plans = chunk.flatMap((world) => planOf(world) ?? [])
    const { red } = await shareOut({ plans, bug, twice: false, stopAtFirst: true }, jobs)
    const [one] = red
    const world = one && chunk.find(({ seed }) => seed === one.seed)
    if (world) return { ...world, by: one.violation.id }
  }
  return undefined
}

/** Runs the world that showed the bug last; undefined when it no longer does. */
export async function tryKept(bug: string): Promise<Found | undefined> {
  const kept = keptWorlds()[bug]
  return kept && first(bug, [kept], 1)
}

const under = ({ name, seed }: KeptPlan, from: number, to: number): KeptWorld[] =>
  Array.from({ length: to - from }, (_, index) => ({ plan: name, seed: seed + from + index }))

/** Worlds of each plan that shows the bug, in order; of no plan when there is none. */
const ofPlans = (bug: string, from: number, to: number): KeptWorld[][] =>
  PLANS.filter(({ bugs }) => bugs.includes(bug)).map((plan) => under(plan, from, to))

/** How many plans guard nothing: what the tests replay of them shows none of their bugs any more. */
async function blindPlans(chosen: readonly string[], jobs: number): Promise<number> {
  let blind = 0
  const guards = PLANS.filter(({ bugs }) => bugs.some((bug) => chosen.includes(bug)))
  await each(guards, jobs, async (plan) => {
    for (const bug of plan.bugs) {
      if (await first(bug, under(plan, 0, VARIATIONS), 1)) return
    }
    blind += 1
    print(`STALE plan ${plan.name}: no bug of it is seen under ${VARIATIONS} seeds`)
  })
  return blind
}

const beginning = (bug: string): KeptWorld[] => ofPlans(bug, 0, FEW)[0] ?? seedsOf(bug, FEW)

/** Seeds of the home in which the bug shows. */
const seedsOf = (bug: string, count: number): KeptWorld[] => {
  const home = BUGS.find(({ name }) => name === bug)?.home
  return seedsFrom(home === 'objects' ? OBJECTS + 1 : 1, count).map(({ seed }) => ({ seed }))
}

/** Hunts each bug; over a bounded number of worlds in all, unless it was named. */
async function huntAll(
  bugs: readonly string[],
  jobs: number,
  isNamed: boolean,
  note: (bug: string, one: Found | undefined) => void,
): Promise<void> {
  let budget = isNamed ? Number.POSITIVE_INFINITY : WORLDS
  for (const bug of bugs) {
    const worlds = hunted(bug, isNamed ? SEEDS_OF_NAMED : SEEDS).slice(0, budget)
    const found = await first(bug, worlds, jobs)
    const last = worlds.findIndex(({ seed, plan }) => seed === found?.seed && plan === found.plan)
    const tried = found ? last + 1 : worlds.length
    budget -= tried
    print(`hunted ${bug}: ${tried} worlds${budget === 0 ? '; no more are tried' : ''}`)
    note(bug, found)
  }
}

/** What is tried of a bug that is stale: its plans under many seeds, then seeds of their own. */
const hunted = (bug: string, seeds: number): readonly KeptWorld[] => [
  ...ofPlans(bug, 0, OF_A_PLAN).flat(),
  ...seedsOf(bug, seeds),
]

/** The very worlds that showed something are green where nothing is planted. */
async function control(worlds: readonly KeptWorld[]): Promise<boolean> {
  const plans = worlds.flatMap((world) => planOf(world) ?? [])
  const { red } = await shareOut({ plans, bug: undefined, twice: false, stopAtFirst: false }, 1)
  print(`control: the same ${plans.length} worlds without a bug, ${red.length} red`)
  return red.length === 0
}
