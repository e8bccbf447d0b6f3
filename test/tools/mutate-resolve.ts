/**
 * `node test/tools/mutate-resolve.ts`: flips what is promised of layers, one sentence of
 * test/sim/planting/mutants.ts at a time, and runs the resolve tests on it. A mutant that no test notices
 * is a sentence that nothing proves. Prints `<n> mutants, <n> killed`.
 */

import { availableParallelism } from 'node:os'
import { MUTANTS } from '../sim/planting/mutants.ts'
import { type Planting, planted } from '../sim/planting/plant.ts'
import { runTests } from '../sim/planting/run.ts'

const CORE = ['resolve', 'role', 'layer', 'mcp', 'policy'].map(
  (name) => `test/unit/core/config/${name}.test.ts`,
)
const TESTS = ['test/unit/engine/layers/resolve', ...CORE, 'test/unit/http/tenant/policy.test.ts']

/** Whether a test noticed; a process that came to no test has shown nothing. */
async function isKilled(mutant: Planting | undefined): Promise<boolean> {
  const { isGreen, statuses, output } = await runTests(
    mutant,
    TESTS,
    '--bail',
    '1',
    '--testTimeout',
    '20000',
  )
  if (isGreen) return false
  if ([...statuses.values()].includes('failed')) return true
  throw new Error(`no test of "${mutant?.name ?? 'nothing'}" came to its end:\n${output}`)
}

// What cannot be planted is told before anything runs.
for (const one of MUTANTS) planted(one)
if (await isKilled(undefined)) throw new Error('the tests fail without any mutant')
const survivors: string[] = []
const waiting = [...MUTANTS]
async function work(): Promise<void> {
  for (let one = waiting.shift(); one !== undefined; one = waiting.shift()) {
    const dead = await isKilled(one)
    if (!dead) survivors.push(one.name)
    console.log(`${dead ? 'killed  ' : 'SURVIVED'} ${one.name}`)
  }
}
await Promise.all(Array.from({ length: Math.max(1, availableParallelism() - 1) }, work))
console.log(`${MUTANTS.length} mutants, ${MUTANTS.length - survivors.length} killed`)
if (survivors.length > 0) process.exitCode = 1
