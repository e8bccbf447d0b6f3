/** `npm run sim`: many seeds over all cores, each a world of its own, or one of them in full. */

import { command, type Given, given, WrongUse, wayOf, whole } from '../../support/options.ts'
import { BUGS } from '../bugs/index.ts'
import { exhaustive, faultsOf, pairs, replayFaults } from './exhaustive.ts'
import { keptPlans } from './kept.ts'
import { keptAreGreen } from './kept-check.ts'
import { planted } from './planted.ts'
import { type Batch, inParallel } from './pool.ts'
import { printFigures, replay, shownLines, wentWell } from './report.ts'

const USAGE = `
npm run sim -- [what to do]

  --seeds N [--seed S]   seeds S … S+N−1 (default 1,000 from 1)
    --twice              each seed twice: the traces must be equal (I23)
    --quiet              no timeline of the first red seed
    --jobs N             processes (default 2)
  --replay S             one seed, with its timeline
    --plan NAME          the plan of test/sim/regressions under it
    --bug NAME           with a planted bug
  --exhaustive           one fault of each kind at each operation of the canonical scenarios
  --fault S:N:K          only the fault of kind K at operation N of scenario S, with its timeline;
                         a pair is S:N:K,N:K
  --pairs [--minutes M]  two faults in one of the scenarios, drawn until the time is over
    --seed S             the seed they are drawn from
  --kept [--only X]      all kept worlds and plans must be green without their bugs
    --stale              prints the bugs that their kept worlds no longer show
    --jobs N             processes (default 2)
  --planted [--only X]   bugs switched on one at a time; each must be found
    --afresh             without the worlds that found them last
    --keep               writes down the worlds that find them now
    --jobs N             processes (default 2)

SIM_LINES=N shows so many last lines of a red timeline (default 120).
A seed is a whole number below 2^53. Exits with 0 when all is green, with 1 when something is red,
and with 2 when it was asked for wrongly.`

const text = { type: 'string' } as const
const flag = { type: 'boolean' } as const
const OPTIONS = {
  seeds: text,
  seed: text,
  twice: flag,
  quiet: flag,
  jobs: text,
  replay: text,
  plan: text,
  bug: text,
  exhaustive: flag,
  fault: text,
  pairs: flag,
  minutes: text,
  kept: flag,
  stale: flag,
  planted: flag,
  only: text,
  afresh: flag,
  keep: flag,
}
const WAYS = {
  seeds: ['seed', 'twice', 'quiet', 'jobs'],
  replay: ['plan', 'bug'],
  exhaustive: [],
  fault: [],
  pairs: ['minutes', 'seed'],
  kept: ['only', 'stale', 'jobs'],
  planted: ['only', 'afresh', 'keep', 'jobs'],
} as const

const MOST_SEEDS = 10_000_000
const MOST_JOBS = 64
const MOST_MINUTES = 7 * 24 * 60

/** Returns what the words ask for; refuses wrong use before anything runs. */
export const readCommand = (words: readonly string[]): (() => Promise<boolean>) =>
  read(given(words, OPTIONS).values)

function read(values: Given): () => Promise<boolean> {
  const word = (name: string): string | undefined => values[name] as string | undefined
  const number = (name: string, usual: number, low: number, high: number): number =>
    whole(`--${name}`, word(name) ?? String(usual), low, high)
  const way = wayOf(values, WAYS, 'seeds')
  shownLines()
  switch (way) {
    case 'seeds': {
      const count = number('seeds', 1_000, 1, MOST_SEEDS)
      const from = number('seed', 1, 0, Number.MAX_SAFE_INTEGER - count)
      const how = { twice: values.twice === true, stopAtFirst: false, bug: undefined }
      const [jobs, quiet] = [number('jobs', 2, 1, MOST_JOBS), values.quiet === true]
      return () => seeds({ from, count, ...how }, jobs, quiet)
    }
    case 'replay': {
      const [plan, bug] = [word('plan'), word('bug')]
      const names = keptPlans().map(({ name }) => name)
      if (plan !== undefined) oneOf('plan', plan, names)
      if (bug !== undefined) oneOf('planted bug', bug, BUG_NAMES)
      const seed = number('replay', 0, 0, Number.MAX_SAFE_INTEGER)
      return () => replay(plan === undefined ? { seed } : { seed, plan }, bug)
    }
    case 'exhaustive':
      return exhaustive
    case 'fault': {
      const faults = faultsOf(word('fault')!)
      return () => replayFaults(faults)
    }
    case 'pairs': {
      const minutes = number('minutes', 2, 1, MOST_MINUTES)
      const seed = number('seed', 1, 0, Number.MAX_SAFE_INTEGER)
      return () => pairs(minutes, seed)
    }
    case 'kept': {
      const only = ofBugs(word('only'))
      const jobs = number('jobs', 2, 1, MOST_JOBS)
      return () => keptAreGreen({ jobs, only, stale: values.stale === true })
    }
    case 'planted': {
      const only = ofBugs(word('only'))
      const [afresh, keep] = [values.afresh === true, values.keep === true]
      const jobs = number('jobs', 2, 1, MOST_JOBS)
      return () => planted({ jobs, only, afresh, keep })
    }
  }
}

const BUG_NAMES = BUGS.map(({ name }) => name)

/** A part of the name of at least one planted bug. */
function ofBugs(only: string | undefined): string | undefined {
  if (BUG_NAMES.some((name) => name.includes(only ?? ''))) return only
  throw new WrongUse(`no planted bug has ${JSON.stringify(only)} in its name`)
}

function oneOf(what: string, name: string, names: readonly string[]): void {
  if (!names.includes(name)) throw new WrongUse(`there is no ${what} ${JSON.stringify(name)}`)
}

async function seeds(batch: Batch, jobs: number, quiet: boolean): Promise<boolean> {
  const began = performance.now()
  const figures = await inParallel(batch, jobs)
  printFigures(figures, batch.count, performance.now() - began)
  const [first] = figures.red
  if (first && !quiet) await replay({ seed: first.seed })
  return wentWell(figures, batch.count)
}

if (import.meta.main) await command(USAGE, async () => readCommand(process.argv.slice(2))())
