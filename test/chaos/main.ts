/**
 * `npm run chaos -- --kills N [--seed S]`: the real Node host under load, killed with SIGKILL N
 * times; at the end everything that was acknowledged is reconciled. Exits with 1 on any violation.
 */

import { parseArgs } from 'node:util'
import { chaos } from './chaos.ts'

const { values } = parseArgs({
  options: { kills: { type: 'string', default: '5' }, seed: { type: 'string' } },
})
const seed = Number(values.seed ?? Math.floor(Math.random() * 2 ** 31))
console.log(`chaos: ${values.kills} kills, seed ${seed}`)
const began = performance.now()
const { done, violations, waits } = await chaos({ kills: Number(values.kills), seed })
for (const [name, count] of Object.entries(done)) {
  console.log(`${String(count).padStart(8)} ${name}`)
}
for (const violation of violations) console.log(`VIOLATION ${violation}`)
for (const line of waits) console.log(line)
const seconds = ((performance.now() - began) / 1_000).toFixed(1)
console.log(`${violations.length} violations, seed ${seed}, ${seconds} s`)
process.exitCode = violations.length === 0 ? 0 : 1
