/**
 * Bugs switched on one at a time: a simulator that does not find them proves nothing. What found a
 * bug last, a seed or a small plan, is tried first, so that a look at all of them takes a minute.
 * Where that finds nothing any more it is stale, because chance falls otherwise after a change of
 * the engine; the bug is hunted anew then, over a bounded number of worlds.
 */

import { BUGS } from './bugs.ts'
import { keepPlanSeed, keepSeeds, keptPlans, keptSeeds } from './kept.ts'
import { type Red, seedsFrom, shareOut } from './pool.ts'
import { print } from './report.ts'
import { variations } from './shrink.ts'
import type { Plan } from './world.ts'

const SEEDS = 2_000
const VARIATIONS = 500
/** Worlds between two looks at whether one was red. */
const CHUNK = 200
/** After so long nothing more is hunted, unless to be kept; what is not found counts as missed. */
const HUNT_MS = 10 * 60_000

export interface Planting {
  readonly jobs: number
  /** Bugs whose names contain it. */
  readonly only: string | undefined
  /** What is kept of earlier searches is not tried. */
  readonly afresh: boolean
  /** The seeds that found something are written down. */
  readonly keep: boolean
}

/** What shows a bug: a world of its seed, or of a kept plan under that seed. */
interface Found {
  readonly red: Red
  readonly plan: string | undefined
}

export async function planted({ jobs, only, afresh, keep }: Planting): Promise<boolean> {
  const began = performance.now()
  const chosen = BUGS.map(({ name }) => name).filter((name) => name.includes(only ?? ''))
  const found = new Map<string, Found>()
  const note = (bug: string, one: Found | undefined): void => {
    if (one) found.set(bug, one)
    if (one && keep) write(bug, one)
    print(one ? `found  ${bug}: ${placeOf(one)} by ${one.red.violation.id}` : `MISSED ${bug}`)
  }
  const stale: string[] = []
  await each(chosen, jobs, async (bug) => {
    const kept = afresh ? undefined : await tryKept(bug)
    if (kept) note(bug, kept)
    else stale.push(bug)
  })
  for (const bug of stale) {
    const left = keep ? Number.POSITIVE_INFINITY : HUNT_MS - (performance.now() - began)
    if (!afresh) print(`STALE  ${bug}: what found it last shows nothing any more`)
    note(bug, await hunt(bug, jobs, left))
  }
  const calm = await control([...found].map(([bug, one]) => worldOf(bug, one)))
  const seconds = ((performance.now() - began) / 1000).toFixed(0)
  const old = afresh ? '' : `${stale.length} stale, `
  print(`${chosen.length} planted, ${found.size} found, ${old}${seconds} s`)
  return found.size === chosen.length && calm
}

async function each<T>(items: readonly T[], jobs: number, act: (item: T) => Promise<void>) {
  const waiting = [...items]
  const worker = async (): Promise<void> => {
    for (let item = waiting.shift(); item; item = waiting.shift()) await act(item)
  }
  await Promise.all(Array.from({ length: jobs }, worker))
}

const planOf = (bug: string) => keptPlans().find((plan) => plan.bug === bug)

const placeOf = ({ red, plan }: Found): string =>
  plan === undefined ? `in seed ${red.seed}` : `in the plan ${plan} under seed ${red.seed}`

function worldOf(bug: string, { red, plan }: Found): Plan {
  const kept = planOf(bug)
  if (plan === undefined || !kept) return { seed: red.seed }
  return variations({ ...kept, seed: red.seed }, 1)[0]!
}

function write(bug: string, { red, plan }: Found): void {
  if (plan !== undefined) keepPlanSeed(plan, red.seed)
  else keepSeeds({ ...keptSeeds(), [bug]: red.seed })
}

/** The first world that is red, looked for in order, a chunk at a time over all processes. */
async function firstRed(
  plans: readonly Plan[],
  bug: string,
  jobs: number,
  leftMs = HUNT_MS,
): Promise<Red | undefined> {
  const began = performance.now()
  for (let at = 0; at < plans.length && performance.now() - began < leftMs; at += CHUNK) {
    const chunk = plans.slice(at, at + CHUNK)
    const { red } = await shareOut({ plans: chunk, bug, twice: false, stopAtFirst: true }, jobs)
    if (red[0]) return red[0]
  }
  return undefined
}

async function tryKept(bug: string): Promise<Found | undefined> {
  const plan = planOf(bug)
  const shown = plan && (await firstRed(variations(plan, 1), bug, 1))
  if (shown) return { red: shown, plan: plan.name }
  const seed = keptSeeds()[bug]
  const red = seed === undefined ? undefined : await firstRed([{ seed }], bug, 1)
  return red && { red, plan: undefined }
}

/** A plan is tried under many seeds before seeds of their own are. */
async function hunt(bug: string, jobs: number, leftMs: number): Promise<Found | undefined> {
  const began = performance.now()
  const plan = planOf(bug)
  const shown = plan && (await firstRed(variations(plan, VARIATIONS), bug, jobs, leftMs))
  if (shown) return { red: shown, plan: plan.name }
  if (plan) print(`STALE  the plan ${plan.name}: shrink a seed of its bug anew`)
  const left = leftMs - (performance.now() - began)
  const red = await firstRed(seedsFrom(1, SEEDS), bug, jobs, left)
  return red && { red, plan: undefined }
}

/** The very worlds that showed something are green where nothing is planted. */
async function control(plans: readonly Plan[]): Promise<boolean> {
  const { red } = await shareOut({ plans, bug: undefined, twice: false, stopAtFirst: false }, 1)
  print(`control: the same ${plans.length} worlds without a bug, ${red.length} red`)
  return red.length === 0
}
