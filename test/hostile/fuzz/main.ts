/**
 * `node test/hostile/fuzz/main.ts --parsers --seeds N`: more seeds of each parser than the tests try.
 * `node test/hostile/fuzz/main.ts --routes --seeds N`: requests to every route of a real server.
 */

import { command, given, WrongUse, whole } from '../../support/options.ts'
import { reference } from '../../support/reference.ts'
import { HELD_MS, PARSERS, shown, tried } from './parsers.ts'
import { fuzzServer } from './server.ts'

const USAGE = `
node test/hostile/fuzz/main.ts --parsers [--seeds N | --minutes M] [--seed S] [--only NAME]
node test/hostile/fuzz/main.ts --routes [--seeds N | --minutes M] [--seed S]

  --parsers    texts for everything that reads text from outside
  --routes     requests made from openapi.yaml, to a server started for it
  --seeds N    so many seeds of each (default 5,000)
  --minutes M  as many seeds as these minutes have, of all parsers together
  --seed S     from this one (default: by the clock; it is printed)
  --only NAME  of one parser alone: ${PARSERS.map(({ name }) => name).join(', ')}

Exits with 0 when all was held, with 1 when something is red, and with 2 when it was asked wrongly.`

const MINUTE_MS = 60_000
const MOST = 2 ** 31

/** Seeds from the first one, at most so many, until the time is over. */
function* seedsOf(first: number, count: number, forMs: number): Generator<number> {
  const end = performance.now() + forMs
  for (let seed = first; seed < first + count && performance.now() < end; seed += 1) yield seed
}

function fuzzParsers(chosen: typeof PARSERS, first: number, count: number, forMs: number): number {
  const slower = Math.max(1, reference())
  const check = { heldMs: HELD_MS * slower }
  console.log(`seeds from ${first}; a text may hold the thread for ${check.heldMs.toFixed(0)} ms`)
  let reds = 0
  for (const parser of chosen) {
    const began = performance.now()
    let [texts, ofIts] = [0, 0]
    for (const seed of seedsOf(first, count, forMs / chosen.length)) {
      texts += 1
      const red = tried(parser, seed, check)
      if (red === undefined) continue
      ofIts += 1
      if (ofIts <= 3) console.log(shown(red))
    }
    reds += ofIts
    const seconds = ((performance.now() - began) / 1_000).toFixed(1)
    console.log(`${parser.name}: ${texts} texts, ${ofIts} red, ${seconds} s`)
  }
  return reds
}

async function run(): Promise<boolean> {
  const [text, flag] = [{ type: 'string' }, { type: 'boolean' }] as const
  const options = {
    parsers: flag,
    routes: flag,
    seeds: text,
    minutes: text,
    seed: text,
    only: text,
  }
  const { values } = given(process.argv.slice(2), options)
  const number = (name: string, usual: number, low: number): number =>
    whole(`--${name}`, String(values[name] ?? usual), low, MOST)
  const chosen = PARSERS.filter(({ name }) => values.only === undefined || name === values.only)
  if (chosen.length === 0) throw new WrongUse(`there is no parser ${values.only}`)
  if (!values.parsers === !values.routes) throw new WrongUse('name one of --parsers and --routes')
  if (values.seeds !== undefined && values.minutes !== undefined)
    throw new WrongUse('--seeds and --minutes do not go together')
  const forMs =
    values.minutes === undefined ? Number.POSITIVE_INFINITY : number('minutes', 1, 1) * MINUTE_MS
  const count = values.minutes === undefined ? number('seeds', 5_000, 1) : MOST
  const first = number('seed', Date.now() % 1e9, 0)
  const reds = values.routes
    ? await fuzzServer(seedsOf(first, count, forMs))
    : fuzzParsers(chosen, first, count, forMs)
  return reds === 0
}

await command(USAGE, run)
// A server's connections keep nobody.
process.exit()
