/**
 * `npm run bench -- workers`: the bundled Worker beside the same work on Cloudflare Workflows, both in
 * workerd on this machine, in turn. Ratios of medians of one run are what counts.
 *
 *   --rounds N       alternations (5)
 *   --think A,B      think times of the scripted model in ms (0,50)
 *   --only A,B       these cases alone: plain, fanout_8, fanout_50, concurrent_100
 *   --json           one JSON object
 */

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { parseArgs } from 'node:util'
import { startBenchModel } from './processes.ts'

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    think: { type: 'string', default: '0,50' },
    only: { type: 'string' },
    json: { type: 'boolean', default: false },
  },
})

interface Home {
  readonly pid: number
  /** One turn: resolves with its last text. */
  turn(input: string): Promise<string>
  stop(): void
}

const CASES = {
  plain: { runs: 30, at: 1, children: 0 },
  fanout_8: { runs: 8, at: 1, children: 8 },
  fanout_50: { runs: 3, at: 1, children: 50 },
  concurrent_100: { runs: 100, at: 100, children: 0 },
} as const
type Case = keyof typeof CASES

/** The closing call sees tool results there, and announced runs here. */
const INPUTS = {
  strata: (n: number) => `@spawn ${n} {"task":"@say part {i}"}\n@await\n@say all`,
  workflows: (n: number) => `@spawn ${n} {"task":"@say part {i}"}\n@say all`,
} as const
type Name = keyof typeof INPUTS

async function program(
  name: Name,
  model: string,
): Promise<{ child: ChildProcess; said: unknown; folder: string }> {
  const folder = await mkdtemp(join(tmpdir(), `strata-bench-${name}-`))
  const args = ['test/measure/bench/workers-home.ts', name, model, folder]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  for await (const line of createInterface({ input: child.stdout! })) {
    if (!line.startsWith('{')) continue
    child.stdout!.resume()
    return { child, said: JSON.parse(line), folder }
  }
  throw new Error(`${name} ended before it was ready`)
}

const stopped = (child: ChildProcess, folder: string) => (): void => {
  child.kill()
  void once(child, 'exit').then(() => rm(folder, { recursive: true, force: true }))
}

async function strata(model: string): Promise<Home> {
  const { child, said, folder } = await program('strata', model)
  const { url, key } = said as { url: string; key: string }
  const headers = {
    authorization: `Bearer ${key}`,
    'content-type': 'application/json',
    prefer: 'wait=60',
  }
  return {
    pid: child.pid!,
    async turn(input) {
      const body = JSON.stringify({ input })
      const response = await fetch(`${url}/v1/runs`, { method: 'POST', headers, body })
      const run = (await response.json()) as { status: string; output?: { text: string } }
      if (run.status !== 'completed') throw new Error(`a run is ${run.status} after its wait`)
      return run.output!.text
    },
    stop: stopped(child, folder),
  }
}

async function workflows(model: string): Promise<Home> {
  const { child, said, folder } = await program('workflows', model)
  const { url } = said as { url: string }
  const waiting = new Map<string, (text: string) => void>()
  const listener = createServer(async (request, response) => {
    let text = ''
    for await (const chunk of request) text += chunk
    waiting.get(request.url!)?.(text)
    response.end()
  })
  listener.listen(0, '127.0.0.1')
  await once(listener, 'listening')
  const { port } = listener.address() as AddressInfo
  let turns = 0
  const stop = stopped(child, folder)
  return {
    pid: child.pid!,
    async turn(input) {
      const path = `/${(turns += 1)}`
      const ended = new Promise<string>((resolve) => waiting.set(path, resolve))
      const body = JSON.stringify({ input, done: `http://127.0.0.1:${port}${path}` })
      const response = await fetch(url, { method: 'POST', body })
      if (!response.ok) throw new Error(`workflows: ${response.status} ${await response.text()}`)
      const text = await ended
      waiting.delete(path)
      return text
    },
    stop() {
      listener.closeAllConnections()
      listener.close()
      stop()
    },
  }
}

/** Milliseconds of processor time of a process and all below it. */
async function cpuMs(pid: number): Promise<number> {
  const below = new Map<number, number[]>()
  const used = new Map<number, number>()
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name)) continue
    const text = await readFile(`/proc/${name}/stat`, 'utf8').catch(() => undefined)
    const fields = text?.slice(text.lastIndexOf(') ') + 2).split(' ')
    if (!fields) continue
    below.set(Number(fields[1]), [...(below.get(Number(fields[1])) ?? []), Number(name)])
    used.set(Number(name), (Number(fields[11]) + Number(fields[12])) * 10)
  }
  const sum = (one: number): number =>
    (used.get(one) ?? 0) + (below.get(one) ?? []).reduce((all, next) => all + sum(next), 0)
  return sum(pid)
}

interface Sample {
  readonly ms: number
  readonly cpu: number
}

/** Ms and processor ms for a turn, or for all of those that are made at once. */
async function sample(home: Home, name: Name, what: Case): Promise<Sample> {
  const { runs, at, children } = CASES[what]
  const input = children === 0 ? '@say done' : INPUTS[name](children)
  const wanted = children === 0 ? 'done' : 'all'
  const worked = await cpuMs(home.pid)
  const times: number[] = []
  for (let done = 0; done < runs; done += at) {
    const began = performance.now()
    const texts = await Promise.all(Array.from({ length: at }, () => home.turn(input)))
    times.push(performance.now() - began)
    for (const text of texts)
      if (text !== wanted) throw new Error(`${name} answered ${JSON.stringify(text)}`)
  }
  return { ms: median(times), cpu: ((await cpuMs(home.pid)) - worked) / runs }
}

function median(numbers: readonly number[]): number {
  const sorted = [...numbers].sort((one, other) => one - other)
  const half = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[half]! : (sorted[half - 1]! + sorted[half]!) / 2
}

interface Figure {
  readonly think: number
  readonly what: Case
  readonly strata: Sample
  readonly workflows: Sample
  /** Of the medians of each round; below 1 we are faster. */
  readonly ratio: number
  readonly ratios: readonly number[]
}

async function measure(think: number, names: readonly Case[]): Promise<Figure[]> {
  const model = await startBenchModel(think)
  const homes = { strata: await strata(model.url), workflows: await workflows(model.url) }
  try {
    const samples = new Map<Case, Record<Name, Sample[]>>(
      names.map((what) => [what, { strata: [], workflows: [] }]),
    )
    // The first round compiles and opens connections; it is not counted.
    for (let round = 0; round <= Number(values.rounds); round += 1) {
      for (const what of names) {
        const order: Name[] = round % 2 === 0 ? ['strata', 'workflows'] : ['workflows', 'strata']
        for (const name of order) {
          const one = await sample(homes[name], name, what)
          if (round > 0) samples.get(what)![name].push(one)
        }
      }
    }
    return names.map((what) => figure(think, what, samples.get(what)!))
  } finally {
    homes.strata.stop()
    homes.workflows.stop()
    model.stop()
  }
}

function figure(
  think: number,
  what: Case,
  { strata: ours, workflows: theirs }: Record<Name, Sample[]>,
): Figure {
  const ratios = ours.map(({ ms }, round) => ms / theirs[round]!.ms)
  const middle = (samples: readonly Sample[]): Sample => ({
    ms: median(samples.map(({ ms }) => ms)),
    cpu: median(samples.map(({ cpu }) => cpu)),
  })
  return {
    think,
    what,
    strata: middle(ours),
    workflows: middle(theirs),
    ratio: median(ratios),
    ratios,
  }
}

function line({ think, what, strata: ours, workflows: theirs, ratio, ratios }: Figure): string {
  const range = `${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)}`
  const shown = ({ ms, cpu }: Sample): string => `${ms.toFixed(1)} ms, CPU ${cpu.toFixed(1)}`
  const head = `${what.padEnd(15)} think ${String(think).padStart(2)}`
  return `${head}  ${ratio.toFixed(2)} (${range})  strata ${shown(ours)} | workflows ${shown(theirs)}`
}

const names = (Object.keys(CASES) as Case[]).filter(
  (name) => values.only === undefined || values.only.split(',').includes(name),
)
const figures: Figure[] = []
for (const think of values.think.split(',').map(Number)) {
  figures.push(...(await measure(think, names)))
  if (!values.json)
    for (const one of figures.filter((each) => each.think === think)) console.log(line(one))
}
if (values.json) console.log(JSON.stringify(figures))
