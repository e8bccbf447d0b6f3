/**
 * `node test/fuzz/main.ts --parsers --seeds N`: more seeds of each parser than the tests try.
 * `node test/fuzz/main.ts --routes --seeds N`: requests to every route of a real server.
 */

import { parseArgs } from 'node:util'
import { PARSERS, shown, tried } from './parsers.ts'
import { fuzzServer } from './server.ts'

const USAGE = `node test/fuzz/main.ts --parsers [--seeds N] [--seed S] [--only NAME]
node test/fuzz/main.ts --routes [--seeds N] [--seed S]

  --parsers    texts for everything that reads text from outside
  --routes     requests made from openapi.yaml, to a server started for it
  --seeds N    so many seeds of each (default 5,000)
  --seed S     from this one (default: by the clock; it is printed)
  --only NAME  of one parser alone: ${PARSERS.map(({ name }) => name).join(', ')}

Exits with 1 when something is red.`

const { values } = parseArgs({
  options: {
    parsers: { type: 'boolean' },
    routes: { type: 'boolean' },
    seeds: { type: 'string', default: '5000' },
    seed: { type: 'string' },
    only: { type: 'string' },
  },
})
const chosen = PARSERS.filter(({ name }) => values.only === undefined || name === values.only)
const count = Number(values.seeds)
const first = values.seed === undefined ? Date.now() % 1e9 : Number(values.seed)
if (
  !values.parsers === !values.routes ||
  chosen.length === 0 ||
  !(count > 0) ||
  !Number.isInteger(first)
) {
  console.error(USAGE)
  process.exit(2)
}

if (values.routes) process.exit((await fuzzServer(first, count)) > 0 ? 1 : 0)

let reds = 0
console.log(`seeds ${first} to ${first + count - 1}`)
for (const parser of chosen) {
  const began = performance.now()
  let ofIts = 0
  for (let seed = first; seed < first + count; seed += 1) {
    const red = tried(parser, seed)
    if (red === undefined) continue
    ofIts += 1
    if (ofIts <= 3) console.log(shown(red))
  }
  reds += ofIts
  const seconds = ((performance.now() - began) / 1_000).toFixed(1)
  console.log(`${parser.name}: ${count} texts, ${ofIts} red, ${seconds} s`)
}
process.exit(reds > 0 ? 1 : 0)
