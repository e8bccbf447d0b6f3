/**
 * `npm run bench:fairness`: how much does a hundred times the load of one tenant slow the others, on
 * one Node server with SQLite? Three tenants each have one run after another under way. They are
 * timed alone, and again while a fourth keeps a hundred times as many runs under way as one of them,
 * in turn, so that both see the same machine. `ratio` is that of the medians of the rounds' p99.
 *
 *   --think MS      think time of the scripted model (50)    --rounds N   alternations (5)
 *   --runs N        runs of each of the three a round (100)  --load N     times the load (100)
 *   --bound N       fails above this ratio (default: says it alone)       --json
 */

import { mkdtemp, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { startBenchModel, startBenchServer } from './processes.ts'
import { apiCalls, type Works, works } from './works.ts'

const { values } = parseArgs({
  options: {
    think: { type: 'string', default: '50' },
    rounds: { type: 'string', default: '5' },
    runs: { type: 'string', default: '100' },
    load: { type: 'string', default: '100' },
    bound: { type: 'string' },
    json: { type: 'boolean', default: false },
  },
})
const OTHERS = ['first', 'second', 'third']
/** Until as many are under way as will be. */
const SETTLE_MS = 2_000

const sorted = (all: readonly number[]) => [...all].sort((one, other) => one - other)
const quantile = (all: readonly number[], part: number): number =>
  sorted(all)[Math.min(all.length - 1, Math.floor(all.length * part))]!
const median = (all: readonly number[]): number => quantile(all, 0.5)
const round = (value: number): number => Math.round(value * 100) / 100

async function timed(tenants: readonly Works[]): Promise<number[]> {
  const all = tenants.map(async (tenant) => {
    const took: number[] = []
    for (let run = 0; run < Number(values.runs); run += 1) {
      const began = performance.now()
      await tenant.run('@say done')
      took.push(performance.now() - began)
    }
    return took
  })
  return (await Promise.all(all)).flat()
}

/** Keeps so many runs under way until it is told to stop; how many have ended a second. */
function flood(tenant: Works): () => Promise<number> {
  const began = performance.now()
  let over = false
  let count = 0
  const loops = Array.from({ length: Number(values.load) }, async () => {
    while (!over) {
      await tenant.run('@say done')
      count += 1
    }
  })
  return async () => {
    over = true
    const seconds = (performance.now() - began) / 1_000
    await Promise.all(loops)
    return count / seconds
  }
}

async function main(): Promise<void> {
  const dir = await mkdtemp('.bench-')
  const model = await startBenchModel(Number(values.think))
  const env = { LOG_LEVEL: 'error' }
  const server = await startBenchServer(resolve(join(dir, 'data')), model.url, { env })
  try {
    const made = async (id: string): Promise<Works> => {
      const answer = await server.api.call('POST', '/v1/tenants', { id })
      const { key } = (await answer.json()) as { readonly key: { readonly text: string } }
      return works(apiCalls(server.url, key.text))
    }
    const others = await Promise.all(OTHERS.map(made))
    const heavy = await made('heavy')
    await timed(others)
    const [alone, beside, rates]: number[][] = [[], [], []]
    const typical: number[][] = [[], []]
    for (let turn = 0; turn < Number(values.rounds); turn += 1) {
      const quiet = await timed(others)
      const stop = flood(heavy)
      await new Promise((done) => setTimeout(done, SETTLE_MS))
      const loud = await timed(others)
      rates!.push(await stop())
      alone!.push(quantile(quiet, 0.99))
      beside!.push(quantile(loud, 0.99))
      typical[0]!.push(median(quiet))
      typical[1]!.push(median(loud))
    }
    report({
      ...{ p99_alone_ms: median(alone!), p99_beside_ms: median(beside!) },
      ratio: median(beside!) / median(alone!),
      ...{ p50_alone_ms: median(typical[0]!), p50_beside_ms: median(typical[1]!) },
      ...{ heavy_runs_per_second: median(rates!), think_ms: Number(values.think) },
    })
  } finally {
    server.stop()
    model.stop()
    await rm(dir, { recursive: true, force: true })
  }
}

function report(figures: Readonly<Record<string, number>> & { readonly ratio: number }): void {
  const rounded = Object.entries(figures).map(([name, value]) => [name, round(value)] as const)
  const text = values.json
    ? JSON.stringify(Object.fromEntries(rounded))
    : rounded.map(([name, value]) => `${name.padEnd(24)} ${value}`).join('\n')
  process.stdout.write(`${text}\n`)
  if (values.bound !== undefined && figures.ratio > Number(values.bound)) process.exitCode = 1
}

await main()
