/**
 * `npm run bench -- tenants [OPTIONS…]`: what a run costs beside other tenants, on two servers with
 * SQLite that take equal numbers of runs in turn. One has one tenant, the other has many, each of
 * which starts its next run when all others have had theirs. `ratio` is the median of the rounds'
 * times, and `last` that of the last fifth, when the most is stored. `beside` is the 99th percentile
 * of the runs of quiet tenants while one tenant sends a hundred times their load, beside that of the
 * same runs alone.
 *
 *   --tenants N     (990)             --runs N    of each tenant (100)
 *   --at N          runs at once (32) --quiet N   runs of the quiet tenants (400)
 *   --bound N       largest ratio; fails above it     --beside N   largest `beside`
 */

import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type BenchServer, startBenchModel, startBenchServer } from './processes.ts'
import { apiCalls, type Works, works } from './works.ts'

const { values } = parseArgs({
  options: {
    tenants: { type: 'string', default: '990' },
    runs: { type: 'string', default: '100' },
    at: { type: 'string', default: '32' },
    quiet: { type: 'string', default: '400' },
    bound: { type: 'string' },
    beside: { type: 'string' },
  },
})
/** Number of quiet tenants, and of concurrent runs of the loud one. */
const QUIET_TENANTS = 4
const LOUD = 100

const median = (values: readonly number[]): number =>
  values.toSorted((left, right) => left - right)[values.length >> 1]!
const percentile99 = (values: readonly number[]): number =>
  values.toSorted((left, right) => left - right)[Math.floor(values.length * 0.99)]!
const hundredths = (value: number): number => Math.round(value * 100) / 100

async function newTenants({ api, url }: BenchServer, count: number, name: string) {
  const tenants: Works[] = []
  for (let index = 0; index < count; index += 1) {
    const response = await api.call('POST', '/v1/tenants', { id: `${name}-${index}` })
    const { key } = (await response.json()) as { readonly key: { readonly text: string } }
    tenants.push(works(apiCalls(url, key.text)))
  }
  return tenants
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

/** Returns the milliseconds of single runs of quiet tenants, one at a time for each. */
async function quietRuns(tenants: readonly Works[]): Promise<readonly number[]> {
  const times: number[] = []
  const count = Math.ceil(Number(values.quiet) / tenants.length)
  const loops = tenants.map(async (tenant) => {
    for (let run = 0; run < count; run += 1) {
      const began = performance.now()
      await tenant.run('@say done')
      times.push(performance.now() - began)
    }
  })
  await Promise.all(loops)
  return times
}

/** Compares quiet tenants alone with quiet tenants beside a loud one. */
async function besideLoud(server: BenchServer): Promise<readonly [number, number]> {
  const quiet = await newTenants(server, QUIET_TENANTS, 'quiet')
  const [loud] = await newTenants(server, 1, 'loud')
  await quietRuns(quiet)
  const alone = percentile99(await quietRuns(quiet))
  let isOver = false
  const loops = Array.from({ length: LOUD }, async () => {
    while (!isOver) await loud!.run('@say done')
  })
  const beside = percentile99(await quietRuns(quiet))
  isOver = true
  await Promise.all(loops)
  return [alone, beside]
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
        `tenant with ${LOUD} runs at once (${hundredths(beside)})`,
    )
    const { bound = Number.POSITIVE_INFINITY, beside: most = Number.POSITIVE_INFINITY } = values
    if (Math.max(ratio, last) > Number(bound) || beside > Number(most)) process.exitCode = 1
  } finally {
    for (const server of servers) server.stop()
    model.stop()
    await rm(dir, { recursive: true, force: true })
  }
}

await main()
