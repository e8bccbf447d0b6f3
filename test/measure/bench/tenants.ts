/**
 * `npm run bench -- tenants [OPTIONS…]`: what a run costs beside other tenants, on two servers with
 * SQLite that take equal numbers of runs in turn. One has one tenant, the other has many, each of
 * which starts its next run when all others have had theirs. `ratio` is the median of the rounds'
 * times, and `last` that of the last fifth, when the most is stored. `beside` is the 99th percentile
 * of the runs of quiet tenants while one tenant starts a hundred times as many, beside that of the
 * same runs alone. All of them start at fixed times, whether or not earlier runs have ended; those of
 * the loud tenant in a thread of their own, so that they do not delay the measurement itself.
 *
 *   --tenants N     (990)             --runs N    of each tenant (100)
 *   --at N          runs at once (32) --quiet N   runs of the quiet tenants (400)
 *   --rate N        runs per second of each quiet tenant (1)
 *   --bound N       largest ratio; fails above it     --beside N   largest `beside`
 */

import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { isMainThread, Worker, workerData } from 'node:worker_threads'
import { type BenchServer, startBenchModel, startBenchServer } from './processes.ts'
import { apiCalls, type Works, works } from './works.ts'

const { values } = parseArgs({
  options: {
    tenants: { type: 'string', default: '990' },
    runs: { type: 'string', default: '100' },
    at: { type: 'string', default: '32' },
    quiet: { type: 'string', default: '400' },
    rate: { type: 'string', default: '1' },
    bound: { type: 'string' },
    beside: { type: 'string' },
  },
})
const QUIET_TENANTS = 4
/** Number of runs of the loud tenant for each run of a quiet one. */
const LOUD = 100
const PERIOD_MS = 1_000 / Number(values.rate)

/** Address and API key of the loud tenant, for its thread. */
interface Loud {
  readonly url: string
  readonly key: string
}

const median = (values: readonly number[]): number =>
  values.toSorted((left, right) => left - right)[values.length >> 1]!
const percentile99 = (values: readonly number[]): number =>
  values.toSorted((left, right) => left - right)[Math.floor(values.length * 0.99)]!
const hundredths = (value: number): number => Math.round(value * 100) / 100

async function newTenants({ api, url }: BenchServer, count: number, name: string) {
  const tenants: Works[] = []
  for (let index = 0; index < count; index += 1)
    tenants.push(works(apiCalls(url, await newKey({ api }, `${name}-${index}`))))
  return tenants
}

/** Creates a tenant; returns its first API key. */
async function newKey({ api }: Pick<BenchServer, 'api'>, id: string): Promise<string> {
  const response = await api.call('POST', '/v1/tenants', { id })
  const { key } = (await response.json()) as { readonly key: { readonly text: string } }
  return key.text
}

/** Runs once for each tenant, several at once; returns milliseconds. */
async function round(tenants: readonly Works[]): Promise<number> {
  const began = performance.now()
  let next = 0
  const loops = Array.from({ length: Number(values.at) }, async () => {
    for (let tenant = tenants[next++]; tenant; tenant = tenants[next++])
      await tenant.run('@say done')
  })
  await Promise.all(loops)
  return performance.now() - began
}

async function ratios(servers: readonly [BenchServer, BenchServer]): Promise<readonly number[]> {
  const [one, many] = servers
  const count = Number(values.tenants)
  const [alone] = await newTenants(one, 1, 'alone')
  const same = Array.from({ length: count }, () => alone!)
  const each = await newTenants(many, count, 'tenant')
  // The first rounds compile code and read each tenant.
  for (const tenants of [same, each]) await round(tenants)
  const results: number[] = []
  for (let turn = 0; turn < Number(values.runs); turn += 1) {
    const early = turn % 2 === 1 ? await round(each) : undefined
    const base = await round(same)
    results.push((early ?? (await round(each))) / base)
  }
  return results
}

/** Waits until a time of the monotonic clock. */
const until = (time: number): Promise<void> => sleep(Math.max(0, time - performance.now()))

/** Starts a run in each period; returns the milliseconds from the planned start of each to its end. */
async function pacedRuns(tenant: Works, count: number, periodMs: number): Promise<number[]> {
  const began = performance.now()
  const runs = Array.from({ length: count }, async (_, index) => {
    const planned = began + index * periodMs
    await until(planned)
    await tenant.run('@say done')
    return performance.now() - planned
  })
  return Promise.all(runs)
}

/** Returns the 99th percentile of the runs of quiet tenants, whose periods begin evenly spread. */
async function quietPercentile(tenants: readonly Works[], runs: number): Promise<number> {
  const count = Math.ceil(runs / tenants.length)
  const loops = tenants.map(async (tenant, index) => {
    await sleep((index * PERIOD_MS) / tenants.length)
    return pacedRuns(tenant, count, PERIOD_MS)
  })
  return percentile99((await Promise.all(loops)).flat())
}

/** Compares quiet tenants alone with quiet tenants beside a loud one. */
async function besideLoud(server: BenchServer): Promise<readonly [number, number]> {
  const quiet = await newTenants(server, QUIET_TENANTS, 'quiet')
  const key = await newKey(server, 'loud')
  await quietPercentile(quiet, QUIET_TENANTS * 10)
  const alone = await quietPercentile(quiet, Number(values.quiet))
  const loud: Loud = { url: server.url, key }
  const worker = new Worker(new URL(import.meta.url), {
    workerData: loud,
    argv: process.argv.slice(2),
  })
  // The first runs of the loud tenant read its configuration.
  await sleep(PERIOD_MS)
  const beside = await quietPercentile(quiet, Number(values.quiet))
  await worker.terminate()
  return [alone, beside]
}

/** Starts runs of the loud tenant until the thread is ended. */
async function beLoud({ url, key }: Loud): Promise<never> {
  const tenant = works(apiCalls(url, key))
  const began = performance.now()
  for (let index = 0; ; index += 1) {
    await until(began + (index * PERIOD_MS) / LOUD)
    void tenant.run('@say done')
  }
}

async function main(): Promise<void> {
  const dir = await mkdtemp('.bench-')
  const model = await startBenchModel(0)
  const servers: BenchServer[] = []
  const env = { LOG_LEVEL: 'error' }
  try {
    for (const name of ['one', 'many'])
      servers.push(await startBenchServer(join(dir, name), model.url, { env }))
    const [one, many] = servers as [BenchServer, BenchServer]
    const results = await ratios([one, many])
    const ratio = median(results)
    const last = median(results.slice(-Math.ceil(results.length / 5)))
    const [alone, loud] = await besideLoud(many)
    const beside = loud / alone
    const tenants = Number(values.tenants)
    console.log(
      `a run beside ${tenants} tenants: ${hundredths(ratio)} of one tenant's time, ` +
        `${hundredths(last)} at the end\n` +
        `p99 of quiet tenants: ${hundredths(alone)} ms alone, ${hundredths(loud)} ms beside a ` +
        `tenant with ${LOUD} times their load (${hundredths(beside)})`,
    )
    const { bound = Number.POSITIVE_INFINITY, beside: most = Number.POSITIVE_INFINITY } = values
    if (Math.max(ratio, last) > Number(bound) || beside > Number(most)) process.exitCode = 1
  } finally {
    for (const server of servers) server.stop()
    model.stop()
    await rm(dir, { recursive: true, force: true })
  }
}

await (isMainThread ? main() : beLoud(workerData as Loud))
