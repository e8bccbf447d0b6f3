/** Writes the small plan of a red seed, which `regressions.test.ts` replays once it is kept. */

import { command, given, WrongUse, whole } from '../../support/options.ts'
import { BUGS } from '../bugs/index.ts'
import { plant } from './plant.ts'

const USAGE = `
node test/sim/cli/regress.ts SEED [planted bug] > test/sim/regressions/NAME.json

Shrinks a red seed, of the code as it is or with a planted bug. Exits with 1 when the seed is green.`

async function regress(): Promise<boolean> {
  const { rest } = given(process.argv.slice(2), {}, 2)
  const [word, bug] = rest
  if (word === undefined) throw new WrongUse('a seed is to be named')
  const seed = whole('the seed', word, 0, Number.MAX_SAFE_INTEGER - 1_000)
  if (bug !== undefined && !BUGS.some(({ name }) => name === bug))
    throw new WrongUse(`there is no planted bug ${JSON.stringify(bug)}`)
  if (bug !== undefined) plant(bug)
  // Only now: a planted bug changes sources as they are loaded.
  const { planText } = await import('./kept.ts')
  const { shrink } = await import('./shrink.ts')
  const small = await shrink(seed)
  if (!small) {
    process.stderr.write(`seed ${seed} is green\n`)
    return false
  }
  const kept = { bugs: bug === undefined ? [] : [bug], ...small }
  process.stdout.write(planText(kept))
  return true
}

await command(USAGE, regress)
