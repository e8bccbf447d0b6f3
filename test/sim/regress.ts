/**
 * Writes the small plan of a red seed, to be kept under `regressions/`:
 * `node test/sim/regress.ts SEED [planted bug] > test/sim/regressions/name.json`.
 */

import { plant } from './plant.ts'

const [seed, bug] = process.argv.slice(2)
if (bug) plant(bug)
// Only now: a planted bug changes sources as they are loaded.
const { shrink } = await import('./shrink.ts')
const small = await shrink(Number(seed))
if (small)
  process.stdout.write(`${JSON.stringify({ bugs: bug ? [bug] : [], ...small }, null, 2)}\n`)
else process.stderr.write(`seed ${seed} is green\n`)
process.exitCode = small ? 0 : 1
