/**
 * `npm run bench -- profile`: where the event loop's time goes in one case of the benchmark. A sampled
 * profile of the server, in milliseconds a run: what waits, what is ours, what belongs to the
 * packages below it. Sampling makes everything slower; the shares are what counts.
 *
 *   --case NAME   (fanout_50)     --think MS   (0)     --runs N   (40)
 */

import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { CASES, type Case } from './cases.ts'
import { startBenchModel, startBenchServer } from './processes.ts'

const { values } = parseArgs({
  options: {
    case: { type: 'string', default: 'fanout_50' },
    think: { type: 'string', default: '0' },
    runs: { type: 'string', default: '40' },
  },
})

interface Frame {
  readonly functionName: string
  readonly url: string
}
interface Profile {
  readonly nodes: readonly { id: number; callFrame: Frame; children?: readonly number[] }[]
  readonly samples: readonly number[]
  readonly timeDeltas: readonly number[]
}

const INTERVAL_US = 250
const WARM_UP = 10

async function main(): Promise<void> {
  const dir = await mkdtemp('.bench-')
  const model = await startBenchModel(Number(values.think))
  try {
    const flags = ['--cpu-prof', `--cpu-prof-dir=${dir}/prof`, `--cpu-prof-interval=${INTERVAL_US}`]
    const server = await startBenchServer(join(dir, 'data'), model.url, { flags })
    const { act } = CASES[values.case as Case]
    for (let run = 0; run < WARM_UP; run += 1) await act(server)
    const began = performance.now()
    for (let run = 0; run < Number(values.runs); run += 1) await act(server)
    const ms = performance.now() - began
    await server.end()
    const [file] = await readdir(join(dir, 'prof'))
    report(JSON.parse(await readFile(join(dir, 'prof', file!), 'utf8')) as Profile, ms)
  } finally {
    model.stop()
    await rm(dir, { recursive: true, force: true })
  }
}

/** The last `ms` of the profile, which are the counted runs. */
function report({ nodes, samples, timeDeltas }: Profile, ms: number): void {
  const areas = new Map<number, string>()
  const byId = new Map(nodes.map((node) => [node.id, node]))
  const name = (id: number, above: readonly Frame[]): void => {
    const { callFrame, children = [] } = byId.get(id)!
    const stack = [callFrame, ...above]
    areas.set(id, areaOf(stack))
    for (const child of children) name(child, stack)
  }
  name(nodes[0]!.id, [])
  const spent = new Map<string, number>()
  let left = ms
  for (let at = samples.length - 1; at >= 0 && left > 0; at -= 1) {
    const took = timeDeltas[at]! / 1_000
    const area = areas.get(samples[at]!)!
    spent.set(area, (spent.get(area) ?? 0) + took)
    left -= took
  }
  const runs = Number(values.runs)
  process.stdout.write(`${values.case} at ${values.think} ms: ${(ms / runs).toFixed(1)} ms a run\n`)
  for (const [area, took] of [...spent].sort(([, one], [, other]) => other - one)) {
    const each = took / runs
    if (each >= 0.05) process.stdout.write(`${each.toFixed(2).padStart(8)}  ${area}\n`)
  }
}

const PLACES: readonly (readonly [RegExp, string])[] = [
  [/src\/hosts\/node\/(?:sqlite|commits)/, 'ours: SQLite'],
  [/src\/hosts\/node\/(?:files|walk|folders)/, 'ours: files'],
  [
    /node_modules\/(?:@ai-sdk|eventsource-parser|zod)\/|hosts\/models\//,
    'models: the call and its stream',
  ],
  [/internal\/(?:webstreams|encoding)/, 'AI SDK: web streams that carry it'],
  [/model-fetch|_http_client|_http_agent/, "Node's HTTP client"],
  [/node_modules\/(?:@hono|hono)\/|_http_server/, 'HTTP server'],
]

/** By the nearest frame that says whose it is, the innermost first. */
function areaOf(stack: readonly Frame[]): string {
  const [leaf] = stack
  if (leaf?.functionName.startsWith('(')) return leaf.functionName
  for (const [pattern, area] of PLACES) {
    if (stack.some(({ url }) => pattern.test(url))) return area
  }
  const ours = stack.map(({ url }) => /\/src\/(\w+)\//.exec(url)?.[1]).find(Boolean)
  return ours === undefined ? "Node's own" : `ours: ${ours}`
}

await main()
