/**
 * `npm run bench -- profile`: where the event loop's time goes in one case of the benchmark. A sampled
 * profile of the server, in milliseconds a run: what waits, what is ours, what belongs to the
 * packages below it. Sampling makes everything slower; the shares are what counts.
 *
 *   --case NAME   (fanout_50)     --think MS   (0)     --runs N   (40)
 *   --against FOLDER   profiles the server of another checkout too, where `npm ci` has run, twice
 *                      each in turn, and prints both columns
 */

import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { CASES, type Case } from './cases.ts'
import { startBenchModel, startBenchServer } from './processes.ts'

const { values } = parseArgs({
  options: {
    case: { type: 'string', default: 'fanout_50' },
    think: { type: 'string', default: '0' },
    runs: { type: 'string', default: '40' },
    against: { type: 'string' },
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
/** With `--against`: profiles of each server. */
const TURNS = 2

/** Milliseconds per run, by area. */
type Areas = Map<string, number>

async function main(): Promise<void> {
  const columns: Record<string, string | undefined> = { ours: undefined }
  if (values.against !== undefined) columns.other = resolve(values.against)
  const turns = values.against === undefined ? 1 : TURNS
  const figures = Object.keys(columns).map((): Areas => new Map())
  for (let turn = 0; turn < turns; turn += 1) {
    for (const [column, root] of Object.values(columns).entries()) {
      for (const [area, ms] of await profile(root)) {
        figures[column]!.set(area, (figures[column]!.get(area) ?? 0) + ms / turns)
      }
    }
  }
  report(Object.keys(columns), figures)
}

async function profile(root: string | undefined): Promise<Areas> {
  const dir = await mkdtemp('.bench-')
  const model = await startBenchModel(Number(values.think))
  try {
    const prof = resolve(dir, 'prof')
    const flags = ['--cpu-prof', `--cpu-prof-dir=${prof}`, `--cpu-prof-interval=${INTERVAL_US}`]
    const of = root === undefined ? {} : { root }
    const server = await startBenchServer(resolve(dir, 'data'), model.url, { flags, ...of })
    const { act } = CASES[values.case as Case]
    for (let run = 0; run < WARM_UP; run += 1) await act(server)
    const began = performance.now()
    for (let run = 0; run < Number(values.runs); run += 1) await act(server)
    const ms = performance.now() - began
    await server.end()
    const [file] = await readdir(prof)
    return areasOf(JSON.parse(await readFile(join(prof, file!), 'utf8')) as Profile, ms)
  } finally {
    model.stop()
    await rm(dir, { recursive: true, force: true })
  }
}

/** The last `ms` of the profile, which are the counted runs. */
function areasOf({ nodes, samples, timeDeltas }: Profile, ms: number): Areas {
  const areas = new Map<number, string>()
  const byId = new Map(nodes.map((node) => [node.id, node]))
  const name = (id: number, above: readonly Frame[]): void => {
    const { callFrame, children = [] } = byId.get(id)!
    const stack = [callFrame, ...above]
    areas.set(id, areaOf(stack))
    for (const child of children) name(child, stack)
  }
  name(nodes[0]!.id, [])
  const spent: Areas = new Map()
  const runs = Number(values.runs)
  let left = ms
  for (let at = samples.length - 1; at >= 0 && left > 0; at -= 1) {
    const took = timeDeltas[at]! / 1_000
    const area = areas.get(samples[at]!)!
    spent.set(area, (spent.get(area) ?? 0) + took / runs)
    left -= took
  }
  return spent
}

function report(columns: readonly string[], figures: readonly Areas[]): void {
  const line = (cells: readonly string[], area: string) =>
    process.stdout.write(`${cells.map((cell) => cell.padStart(8)).join('')}  ${area}\n`)
  process.stdout.write(`${values.case} at ${values.think} ms: milliseconds a run\n`)
  if (columns.length > 1) line(columns, '')
  const busy = (areas: Areas) =>
    [...areas].reduce((sum, [area, ms]) => (WAITING.has(area) ? sum : sum + ms), 0)
  line(
    figures.map((areas) => busy(areas).toFixed(2)),
    'busy',
  )
  const most = (area: string) => Math.max(...figures.map((areas) => areas.get(area) ?? 0))
  const areas = [...new Set(figures.flatMap((each) => [...each.keys()]))]
  for (const area of areas.sort((one, other) => most(other) - most(one))) {
    if (most(area) >= 0.05)
      line(
        figures.map((each) => (each.get(area) ?? 0).toFixed(2)),
        area,
      )
  }
}

/** `(program)`: native code outside of any function, such as a wait of the loop. */
const WAITING: ReadonlySet<string> = new Set(['(idle)', '(program)'])

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
