/** Bugs switched on one at a time: a simulator that does not find them proves nothing. */

import { BUGS, type Bug } from './bugs.ts'
import { runShare } from './pool.ts'
import { print } from './report.ts'

const SEEDS = 2_000

interface Found {
  readonly bug: Bug
  readonly seed: number | undefined
  readonly by: string
}

export async function planted(jobs: number, only: string | undefined): Promise<boolean> {
  const chosen = BUGS.filter(({ name }) => only === undefined || name.includes(only))
  const waiting = [...chosen]
  const found: Found[] = []
  const worker = async (): Promise<void> => {
    for (let bug = waiting.shift(); bug; bug = waiting.shift()) {
      const result = await hunt(bug)
      found.push(result)
      const where = result.seed === undefined ? `NOT in ${SEEDS} seeds` : `in seed ${result.seed}`
      print(`${result.seed === undefined ? 'missed' : 'found '} ${bug.name}: ${where} ${result.by}`)
    }
  }
  await Promise.all(Array.from({ length: jobs }, worker))
  const control = await runShare({ ...SHARE, count: 200, bug: undefined })
  print(`control without bugs: ${control.red.length === 0 ? 'green' : 'RED'}`)
  const caught = found.filter(({ seed }) => seed !== undefined).length
  print(`${chosen.length} planted, ${caught} found`)
  return caught === chosen.length && control.red.length === 0
}

const SHARE = { from: 1, step: 1, count: SEEDS, twice: false, stopAtFirst: true }

async function hunt(bug: Bug): Promise<Found> {
  const { red } = await runShare({ ...SHARE, bug: bug.name })
  const [first] = red
  return { bug, seed: first?.seed, by: first ? `by ${first.violation.id}` : '' }
}
