/**
 * `npm run bench -- encryption [OPTIONS…]`: what encryption of a tenant's rows costs, on one server
 * with SQLite. Two tenants, one with a data key, take equal rounds of runs in turn. `time` and
 * `processor` are the medians of the rounds' ratios: the encrypted tenant's, divided by the other's.
 * `short` runs make one model call; `long` ones have an answer of 100 KB.
 *
 *   --rounds N (40)     --runs N    runs of a round (100)     --at N   runs at once (8)
 *   --bound N           largest ratio of short runs; fails above it
 */

import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type BenchServer, startBenchModel, startBenchServer } from './processes.ts'
import { apiCalls, type Works, works } from './works.ts'

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '40' },
    runs: { type: 'string', default: '100' },
    at: { type: 'string', default: '8' },
    bound: { type: 'string' },
  },
})
const INPUTS = { short: '@say done', long: `@say ${'a sentence of the answer. '.repeat(4_000)}` }

const median = (numbers: readonly number[]): number =>
  numbers.toSorted((left, right) => left - right)[numbers.length >> 1]!
const hundredths = (value: number): number => Math.round(value * 100) / 100

interface Cost {
  readonly ms: number
  /** Processor time of the server, in seconds. */
  readonly cpu: number
}

async function newTenant({ api, url }: BenchServer, id: string, encryption: string) {
  const response = await api.call('POST', '/v1/tenants', { id, encryption })
  const { key } = (await response.json()) as { readonly key: { readonly text: string } }
  return works(apiCalls(url, key.text))
}

/** Makes the runs of one round, several at once. */
async function round(server: BenchServer, tenant: Works, input: string): Promise<Cost> {
  const [began, cpu] = [performance.now(), await server.cpuSeconds()]
  let left = Number(values.runs)
  const loops = Array.from({ length: Number(values.at) }, async () => {
    while (left-- > 0) await tenant.run(input)
  })
  await Promise.all(loops)
  return { ms: performance.now() - began, cpu: (await server.cpuSeconds()) - cpu }
}

/** Alternates the tenants strictly: a second round of the same tenant in a row takes longer. */
async function ratios(server: BenchServer, tenants: readonly [Works, Works], input: string) {
  const [plain, encrypted] = tenants
  const times: number[] = []
  const processor: number[] = []
  for (let turn = 0; turn <= Number(values.rounds); turn += 1) {
    const base = await round(server, plain, input)
    const cost = await round(server, encrypted, input)
    // The first round compiles code and opens the key.
    if (turn === 0) continue
    times.push(cost.ms / base.ms)
    processor.push(cost.cpu / base.cpu)
  }
  return { time: hundredths(median(times)), processor: hundredths(median(processor)) }
}

async function main(): Promise<void> {
  const dir = await mkdtemp('.bench-')
  const model = await startBenchModel(0)
  const env = { LOG_LEVEL: 'error' }
  const server = await startBenchServer(join(dir, 'data'), model.url, { env })
  try {
    const plain = await newTenant(server, 'plain', 'none')
    const encrypted = await newTenant(server, 'encrypted', 'tenant_key')
    for (const [name, input] of Object.entries(INPUTS)) {
      const { time, processor } = await ratios(server, [plain, encrypted], input)
      console.log(`${name} runs, encrypted: time ${time}, processor time ${processor} of plain`)
      const { bound = Number.POSITIVE_INFINITY } = values
      if (name === 'short' && time > Number(bound)) process.exitCode = 1
    }
  } finally {
    server.stop()
    model.stop()
    await rm(dir, { recursive: true, force: true })
  }
}

await main()
