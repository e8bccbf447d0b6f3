/**
 * `npm run sim`: many seeds over all cores, each a world of its own, or one of them in full.
 *
 *   --seeds N [--seed S]   seeds S … S+N−1 (default 1,000 from 1)
 *   --replay S             one seed, with its timeline
 *   --twice                each seed twice: the traces must be equal (I23)
 *   --exhaustive           one fault of each kind at each operation of the canonical scenarios
 *     --fault S:N:K        only the fault of kind K at operation N of scenario S, with its timeline;
 *                          a pair is S:N:K,N:K
 *   --pairs [--minutes M]  two faults in one of the scenarios, drawn until the time is over
 *   --planted [--only X]   bugs switched on one at a time; each must be found
 *     --afresh             without the worlds that found them last
 *     --keep               writes down the worlds that find them now
 *   --jobs N               processes (default 2)
 */

import { parseArgs } from 'node:util'
import { exhaustive, pairs, replayFaults } from './exhaustive.ts'
import { planted } from './planted.ts'
import { type Batch, inParallel } from './pool.ts'
import { missed, printFigures, replay } from './report.ts'

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '1000' },
    seed: { type: 'string', default: '1' },
    replay: { type: 'string' },
    twice: { type: 'boolean', default: false },
    exhaustive: { type: 'boolean', default: false },
    fault: { type: 'string' },
    pairs: { type: 'boolean', default: false },
    minutes: { type: 'string', default: '2' },
    planted: { type: 'boolean', default: false },
    only: { type: 'string' },
    afresh: { type: 'boolean', default: false },
    keep: { type: 'boolean', default: false },
    jobs: { type: 'string', default: '2' },
    quiet: { type: 'boolean', default: false },
  },
})

const jobs = Number(values.jobs)

async function seeds(): Promise<boolean> {
  const began = performance.now()
  const batch: Batch = {
    from: Number(values.seed),
    count: Number(values.seeds),
    twice: values.twice,
    stopAtFirst: false,
    bug: undefined,
  }
  const figures = await inParallel(batch, jobs)
  printFigures(figures, performance.now() - began)
  const [first] = figures.red
  if (first && !values.quiet) await replay(first.seed)
  // Many seeds that never reach a rare state prove little.
  const thin = figures.seeds >= 2_000 && missed(figures).length > 0
  return figures.red.length === 0 && figures.unequal.length === 0 && !thin
}

async function chosen(): Promise<boolean> {
  if (values.replay !== undefined) return replay(Number(values.replay))
  if (values.fault !== undefined) return replayFaults(values.fault)
  if (values.exhaustive) return exhaustive()
  if (values.pairs) return pairs(Number(values.minutes), Number(values.seed))
  if (values.planted) {
    const { only, afresh, keep } = values
    return planted({ jobs, only, afresh, keep })
  }
  return seeds()
}

process.exitCode = (await chosen()) ? 0 : 1
