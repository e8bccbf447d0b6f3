/**
 * `node test/fuzz/main.ts --parsers --seeds N`: more seeds of each parser than the tests try.
 * `node test/fuzz/main.ts --routes --seeds N`: requests to every route of a real server.
 */

import { parseArgs } from 'node:util'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { PARSERS, shown, tried } from './parsers.ts'
import { fuzzServer } from './server.ts'

const USAGE = `node test/fuzz/main.ts --parsers [--seeds N] [--seed S] [--only NAME]
node test/fuzz/main.ts --minutes N [--seed S] [--only NAME]
node test/fuzz/main.ts --routes [--seeds N] [--seed S]

  --parsers    texts for everything that reads text from outside
  --minutes N  texts for each of them for so long (npm run fuzz -- --minutes 10)
  --routes     requests made from openapi.yaml, to a server started for it
  --seeds N    so many seeds of each (default 5,000)
  --seed S     from this one (default: by the clock; it is printed)
  --only NAME  of one parser alone: ${PARSERS.map(({ name }) => name).join(', ')}

Exits with 1 when something is red.`

const { values } = parseArgs({
  options: {
    parsers: { type: 'boolean' },
    routes: { type: 'boolean' },
    minutes: { type: 'string' },
    seeds: { type: 'string', default: '5000' },
    seed: { type: 'string' },
    only: { type: 'string' },
  },
})
const chosen = PARSERS.filter(({ name }) => values.only === undefined || name === values.only)
const minutes = values.minutes === undefined ? undefined : Number(values.minutes)
const count = minutes === undefined ? Number(values.seeds) : Number.MAX_SAFE_INTEGER
const first = values.seed === undefined ? Date.now() % 1e9 : Number(values.seed)
if (
  (minutes === undefined ? !values.parsers === !values.routes : values.routes) ||
  (minutes !== undefined && !(minutes > 0)) ||
  chosen.length === 0 ||
  !(count > 0) ||
  !Number.isInteger(first)
) {
  console.error(USAGE)
  process.exit(2)
}

if (values.routes) process.exit((await fuzzServer(first, count)) > 0 ? 1 : 0)

/** More than any of them may keep between texts, whose caches are bounded too. */
const KEPT_BYTES = 64 * 1_048_576
const TEXTS = 20_000

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

/** What is kept: garbage that waits for the collector is not. */
function keptBytes(): number {
  collect()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}
const SHOWN = 3

let reds = 0
console.log(
  minutes === undefined ? `seeds ${first} to ${first + count - 1}` : `seeds from ${first}`,
)
for (const parser of chosen) {
  const began = performance.now()
  const until = minutes === undefined ? Number.POSITIVE_INFINITY : began + minutes * 60_000
  const before = keptBytes()
  let most = before
  let ofIts = 0
  let texts = 0
  for (let seed = first; seed < first + count && performance.now() < until; seed += 1) {
    const red = tried(parser, seed)
    texts += 1
    // What answers later is heard.
    if (texts % 1_000 === 0) await new Promise(setImmediate)
    if (texts % TEXTS === 0) most = Math.max(most, keptBytes())
    if (red === undefined) continue
    ofIts += 1
    if (ofIts <= SHOWN) console.log(shown(red))
  }
  const grown = Math.max(most, keptBytes()) - before
  if (grown > KEPT_BYTES) ofIts += 1
  reds += ofIts
  const seconds = ((performance.now() - began) / 1_000).toFixed(1)
  const megabytes = Math.round(grown / 1_048_576)
  console.log(`${parser.name}: ${texts} texts, ${ofIts} red, ${seconds} s, ${megabytes} MB more`)
}
process.exit(reds > 0 ? 1 : 0)
