/** Seeds over several processes. A process can have a planted bug: its sources are patched on load. */

import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { FaultKind } from '../faults/faults.ts'
import type { Violation } from '../laws/invariants.ts'
import { dealt } from '../world/seeds.ts'
import type { Plan } from '../world/world.ts'

export interface Batch {
  readonly from: number
  readonly count: number
  readonly twice: boolean
  /** A planted bug is found by its first red seed. */
  readonly stopAtFirst: boolean
  readonly bug: string | undefined
}

interface Red {
  readonly seed: number
  readonly violation: Violation
}
export interface Figures {
  seeds: number
  readonly red: Red[]
  /** Seeds whose second run took another way. */
  readonly unequal: number[]
  hours: number
  deaths: number
  events: number
  readonly commits: number[]
  readonly faultsPerSeed: number[]
  readonly faults: Partial<Record<FaultKind, number>>
  readonly rare: Record<string, number>
}

export const noFigures = (): Figures => ({
  seeds: 0,
  red: [],
  unequal: [],
  hours: 0,
  deaths: 0,
  events: 0,
  commits: [],
  faultsPerSeed: [],
  faults: {},
  rare: {},
})

/** Seeds are dealt in turn, so that slow ones spread over the processes. */
export interface Share extends Omit<Batch, 'from' | 'count'> {
  readonly plans: readonly Plan[]
  /** The timeline of each is printed, under this name. */
  readonly show?: string
}

const RUNNER = fileURLToPath(new URL('./runner.ts', import.meta.url))
/** Compiled code is kept between processes: loading would take longer than many a seed. */
const ENV = { NODE_COMPILE_CACHE: join(tmpdir(), 'strata-sim-compiled'), ...process.env }

/** Every fourth seed is a home of objects. */
export function inParallel({ from, count, ...how }: Batch, jobs: number): Promise<Figures> {
  const plans = seedsFrom(from, count).map(({ seed }) => ({ seed: dealt(seed) }))
  return shareOut({ ...how, plans }, jobs)
}

export async function shareOut({ plans, ...how }: Share, jobs: number): Promise<Figures> {
  const shares = Array.from({ length: Math.min(jobs, plans.length) }, (_, index) => {
    return { ...how, plans: plans.filter((_, place) => place % jobs === index) }
  })
  const parts = await Promise.all(shares.map((share) => runShare(share)))
  return parts.reduce(joined, noFigures())
}

export const seedsFrom = (from: number, count: number): Plan[] =>
  Array.from({ length: count }, (_, index) => ({ seed: from + index }))

/** What a process says of its share: which seed is under way, that it is, and what came of it. */
export type Word = 'alive' | { readonly begins: number } | { readonly figures: Figures }

/**
 * A process that sends no message for so long while a seed is under way spins without an end. With a
 * planted bug that is a finding; without one it only ends a process that would never end.
 */
const SILENT_MS = 60_000
const SILENT_WITHOUT_BUG_MS = 10 * 60_000
const TICK_MS = 250

/**
 * One share in a process of its own. What a seed does there may never let go of the processor, so
 * that no clock of that process strikes: it is ended from here then, and the seed is red.
 */
export function runShare(share: Share, silentMs = silenceOf(share)): Promise<Figures> {
  const figures = noFigures()
  let seed: number | undefined
  // Counted in ticks: a machine that stands still for a while delays both processes alike.
  let silent = 0
  const child: ChildProcess = fork(RUNNER, { stdio: 'inherit', env: ENV })
  child.on('message', (word: Word) => {
    silent = 0
    if (word === 'alive') return
    if ('begins' in word) seed = word.begins
    else {
      seed = undefined
      add(figures, word.figures)
    }
  })
  const watch = setInterval(() => {
    silent += TICK_MS
    if (seed !== undefined && silent > silentMs) child.kill('SIGKILL')
  }, TICK_MS)
  // What it said last may be read after it has ended.
  const disconnected = once(child, 'disconnect')
  child.send(share)
  return once(child, 'exit')
    .then(async ([code, signal]) => {
      await disconnected
      if (code === 0) return figures
      if (seed === undefined || signal === null)
        throw new Error(`a share of the seeds ended with ${code ?? signal} in seed ${seed}`)
      const message = `nothing is heard of it any more, its process ended by ${signal}`
      figures.red.push({ seed, violation: { id: 'I18_nobodySpins', message, at: 0 } })
      return figures
    })
    .finally(() => clearInterval(watch))
}

const silenceOf = ({ bug }: Share): number =>
  bug === undefined ? SILENT_WITHOUT_BUG_MS : SILENT_MS

/** Not a new one for each seed: there may be many. */
function add(into: Figures, part: Figures): void {
  into.seeds += part.seeds
  into.hours += part.hours
  into.deaths += part.deaths
  into.events += part.events
  into.red.push(...part.red)
  into.unequal.push(...part.unequal)
  into.commits.push(...part.commits)
  into.faultsPerSeed.push(...part.faultsPerSeed)
  Object.assign(into.faults, sum(into.faults, part.faults))
  Object.assign(into.rare, sum(into.rare, part.rare))
}

function joined(left: Figures, right: Figures): Figures {
  return {
    seeds: left.seeds + right.seeds,
    red: [...left.red, ...right.red].sort((one, other) => one.seed - other.seed),
    unequal: [...left.unequal, ...right.unequal],
    hours: left.hours + right.hours,
    deaths: left.deaths + right.deaths,
    events: left.events + right.events,
    commits: [...left.commits, ...right.commits],
    faultsPerSeed: [...left.faultsPerSeed, ...right.faultsPerSeed],
    faults: sum(left.faults, right.faults),
    rare: sum(left.rare, right.rare),
  }
}

function sum<T extends Partial<Record<string, number>>>(left: T, right: T): T {
  const out: Record<string, number> = { ...left } as Record<string, number>
  for (const [key, count] of Object.entries(right)) out[key] = (out[key] ?? 0) + (count ?? 0)
  return out as T
}
