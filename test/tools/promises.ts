/**
 * `node test/tools/promises.ts`: breaks each promise of a run, and each rule of credentials, once and asks
 * whether its test notices. The test must be red with the patches of test/sim/planting/promises.ts and
 * doors.ts, and green without them. Prints a
 * line each and `<n> broken, <n> caught`; exits with 1 when a patch finds nothing or is not caught.
 */

import { availableParallelism } from 'node:os'
import { DOORS } from '../sim/planting/doors.ts'
import { planted } from '../sim/planting/plant.ts'
import { type BrokenPromise, PROMISES } from '../sim/planting/promises.ts'
import { escaped, runTests, type Statuses } from '../sim/planting/run.ts'

const AT_ONCE = Math.min(3, availableParallelism())

async function statuses(of: readonly BrokenPromise[], broken?: BrokenPromise): Promise<Statuses> {
  const names = of.map(({ name }) => escaped(name))
  const files = [...new Set(of.map(({ file }) => file))]
  return (await runTests(broken, files, '-t', names.join('|'))).statuses
}

/** Why the promise is not shown to be tested; undefined when its test turned red. */
async function missed(one: BrokenPromise, whole: Statuses): Promise<string | undefined> {
  const before = whole.get(one.name) ?? 'not run'
  if (before !== 'passed') return `without the patch the test is ${before}`
  const status = (await statuses([one], one)).get(one.name) ?? 'not run'
  return status === 'failed' ? undefined : `with the patch the test is ${status}`
}

// What cannot be planted is told before anything runs.
const all = [...PROMISES, ...DOORS]
for (const one of all) planted(one)
const whole = await statuses(all)
const waiting = [...all]
let caught = 0
const worker = async (): Promise<void> => {
  for (let one = waiting.shift(); one; one = waiting.shift()) {
    const why = await missed(one, whole)
    if (why === undefined) caught += 1
    console.log(why === undefined ? `caught ${one.name}` : `MISSED ${one.name}: ${why}`)
  }
}
await Promise.all(Array.from({ length: AT_ONCE }, worker))
console.log(`${all.length} broken, ${caught} caught`)
process.exitCode = caught === all.length ? 0 : 1
