/**
 * `npm run bench:tenants`: does a run cost the same whoever else is there? Two servers with SQLite
 * take equal numbers of runs in turn: one has one tenant, the other so many, each of which starts
 * its next run when all the others had theirs. `ratio` is the median of the rounds' times, and `last`
 * that of the last fifth of the rounds, when the most is stored.
 *
 *   --tenants N     (1000)            --runs N    of each tenant (100)
 *   --at N          runs at once (32) --bound N   fails above this ratio (default: says it alone)
 *   --json
 */

import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type BenchServer, startBenchModel, startBenchServer } from './processes.ts'
import { apiCalls, type Works, works } from './works.ts'

const { values } = parseArgs({
  options: {
    tenants: { type: 'string', default: '1000' },
    runs: { type: 'string', default: '100' },
    at: { type: 'string', default: '32' },
    bound: { type: 'string' },
    json: { type: 'boolean', default: false },
  },
})

const median = (all: readonly number[]): number =>
  [...all].sort((one, other) => one - other)[all.length >> 1]!
const hundredths = (value: number): number => Math.round(value * 100) / 100

async function newTenants({ api, url }: BenchServer, count: number): Promise<Works[]> {
  const all: Works[] = []
  for (let at = 0; at < count; at += 1) {
    const response = await api.call('POST', '/v1/tenants', { id: `tenant-${at}` })
    const { key } = (await response.json()) as { readonly key: { readonly text: string } }
    all.push(works(apiCalls(url, key.text)))
  }
  return all
}

/** One run of each, so many at once; ms. */
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

async function main(): Promise<void> {
  const dir = await mkdtemp('.bench-')
  const model = await startBenchModel(0)
  const servers: BenchServer[] = []
  const env = { LOG_LEVEL: 'error' }
  try {
    for (const name of ['one', 'many'])
      servers.push(await startBenchServer(join(dir, name), model.url, { env }))
    const [one, many] = servers as [BenchServer, BenchServer]
    const count = Number(values.tenants)
    const [alone] = (await newTenants(one, 1)) as [Works]
    const same = Array.from({ length: count }, () => alone)
    const each = await newTenants(many, count)
    // Not counted: code is compiled, and each tenant is read for the first time.
    for (const tenants of [same, each]) await round(tenants)
    const ratios: number[] = []
    for (let turn = 0; turn < Number(values.runs); turn += 1) {
      const early = turn % 2 === 1 ? await round(each) : undefined
      const base = await round(same)
      ratios.push((early ?? (await round(each))) / base)
    }
    report(median(ratios), median(ratios.slice(-Math.ceil(ratios.length / 5))), count)
  } finally {
    for (const server of servers) server.stop()
    model.stop()
    await rm(dir, { recursive: true, force: true })
  }
}

function report(ratio: number, last: number, tenants: number): void {
  const figures = {
    tenants,
    runs: Number(values.runs),
    ratio: hundredths(ratio),
    last: hundredths(last),
  }
  const { bound } = values
  const text = `a run beside ${tenants} tenants: ${figures.ratio} of one tenant's, in the end ${figures.last}`
  console.log(values.json ? JSON.stringify(figures) : text)
  if (bound !== undefined && Math.max(ratio, last) > Number(bound)) process.exitCode = 1
}

await main()
