/**
 * `npm run bench`: how much slower is a durable run than the bare model calls it makes? The same
 * calls are made twice, in turn: by the floor (keep-alive fetch, all children at once, nothing
 * stored) and by the server over HTTP with SQLite at `synchronous=FULL`. Ratios of medians of one
 * process run are what counts; the machine is whatever it is.
 *
 *   --json          one JSON object     --think MS   think time of the scripted model (default 0)
 *   --rounds N      alternations (5)    --data DIR   where the store lies (default: a folder here)
 *   --warm-up N     rounds before them, not counted (1): a server that has run for a while
 *   --only A,B      these cases alone
 *   --starts N      servers, one after another, each with all the rounds (1): two processes of the
 *                   same code differ by up to a fifth, as their code is compiled otherwise
 *   --sdk           the same calls by the AI SDK's provider package too, as another floor
 *   --ports         the same calls by that package and the same commits by the store, nothing else
 *                   (cases of one run at a time)
 *   --against DIR   alternates with the server of another checkout (installed with `npm ci`) too:
 *                   how much slower than that one this one is
 *   --telemetry     exports traces to a receiver on this machine; against a server of this checkout
 *                   that exports none, unless `--against` names another; whoever runs next waits
 *                   until all traces have come
 *   --encrypted     an encrypted tenant, against a plain one of another server (tenants of one
 *                   process share its thread): what its sealed rows and objects cost
 */

import { mkdtemp, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { startModelServer } from '../support/model-server.ts'
import { CASES, type Case } from './cases.ts'
import { bySdk, Floor } from './floor.ts'
import { portsFloor, recordCommits } from './ports.ts'
import {
  type BenchServer,
  startBenchModel,
  startBenchReceiver,
  startBenchServer,
} from './processes.ts'

const { values } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    think: { type: 'string', default: '0' },
    rounds: { type: 'string', default: '5' },
    'warm-up': { type: 'string', default: '1' },
    starts: { type: 'string', default: '1' },
    data: { type: 'string', default: '.' },
    only: { type: 'string' },
    sdk: { type: 'boolean', default: false },
    ports: { type: 'boolean', default: false },
    against: { type: 'string' },
    telemetry: { type: 'boolean', default: false },
    encrypted: { type: 'boolean', default: false },
  },
})

interface Figure {
  readonly ms: number
  readonly floor_ms: number
  readonly ratio: number
  /** With `--sdk`: that floor, and ours divided by it. */
  readonly sdk_ms?: number
  readonly over_sdk?: number
  /** With `--ports`: that floor, its distance to the bare calls, and ours divided by it. */
  readonly ports_ms?: number
  readonly ports_ratio?: number
  readonly over_ports?: number
  /** With `--against`: its time, and ours divided by it (median of the rounds). */
  readonly other_ms?: number
  readonly slower?: number
}

type Ports = Awaited<ReturnType<typeof portsFloor>>

const names = (Object.keys(CASES) as Case[]).filter(
  (name) => values.only === undefined || values.only.split(',').includes(name),
)

async function main(): Promise<void> {
  const dir = await mkdtemp(join(values.data, '.bench-'))
  const model = await startBenchModel(Number(values.think))
  const receiver = values.telemetry ? await startBenchReceiver() : undefined
  try {
    const floors = await recordFloors(join(dir, 'record'))
    const times = {} as Record<Case, Times>
    for (let start = 0; start < Number(values.starts); start += 1) {
      const { server, other, stop } = await startServers(start, dir, model.url, receiver)
      for (const name of names) {
        const at = join(dir, `${start}-${name}`)
        const ports = values.ports ? await openPorts(name, at, model.url) : undefined
        times[name] ??= noTimes()
        const rivals = { server, other, ports, receiver, floor: floors[name], url: model.url }
        await measure(name, rivals, times[name])
        await ports?.close()
      }
      stop()
    }
    const figures = {} as Record<Case, Figure>
    for (const name of names) figures[name] = figureOf(times[name])
    const rss_mb = await restingMemory(join(dir, 'resting'), model.url)
    const p50_ms = (await model.stats()).p50_ms
    report({ ...figures, rss_mb, model_p50_ms: p50_ms, think_ms: Number(values.think) })
  } finally {
    for (const stop of open) stop()
    model.stop()
    receiver?.stop()
    await rm(dir, { recursive: true, force: true })
  }
}

/** Whatever is left of a bench that broke off. */
const open = new Set<() => void>()

/** The server that is measured and the one that it is compared with, in turn the first to start. */
async function startServers(start: number, dir: string, url: string, receiver: Rivals['receiver']) {
  const env = receiver ? { OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url } : {}
  const root = values.against ?? (receiver || values.encrypted ? '.' : undefined)
  const launch = async (name: string, options: Parameters<typeof startBenchServer>[2]) => {
    const server = await startBenchServer(resolve(dir, `${start}-${name}`), url, options)
    open.add(server.stop)
    return server
  }
  const rival = () => (root === undefined ? undefined : launch('other', { root }))
  const early = start % 2 === 1 ? await rival() : undefined
  const server = await launch('data', { env })
  const other = early ?? (await rival())
  const stop = (): void => {
    for (const one of open) one()
    open.clear()
  }
  if (!values.encrypted) return { server, other, stop }
  const sealed = await server.tenant('acme', true)
  return { server: sealed, other: await other!.tenant('acme', false), stop }
}

/** The bodies of the calls that each case makes, recorded from a run of the product itself. */
async function recordFloors(data: string): Promise<Record<Case, Floor>> {
  const recorder = await startModelServer()
  const server = await startBenchServer(data, recorder.url)
  try {
    const floors = {} as Record<Case, Floor>
    for (const name of names) {
      const from = recorder.requests.length
      await CASES[name].act(server)
      const bodies = recorder.requests.slice(from).map(({ body }) => body)
      floors[name] = new Floor(bodies, CASES[name].order)
    }
    return floors
  } finally {
    server.stop()
    await recorder.close()
  }
}

async function openPorts(name: Case, dir: string, url: string): Promise<Ports | undefined> {
  const { order, at } = CASES[name]
  if (order !== 'run' || at !== 1) return undefined
  return portsFloor(dir, await recordCommits(dir, CASES[name]), bySdk(url))
}

interface Rivals {
  readonly ports: Ports | undefined
  readonly receiver: Awaited<ReturnType<typeof startBenchReceiver>> | undefined
  readonly server: BenchServer
  readonly other: BenchServer | undefined
  readonly floor: Floor
  readonly url: string
}

/** Of each round, in ms a run; `against`: ours divided by the other's. */
interface Times {
  readonly ours: number[]
  readonly bare: number[]
  readonly sdk: number[]
  readonly stored: number[]
  readonly others: number[]
  readonly against: number[]
}
const noTimes = (): Times => ({
  ...{ ours: [], bare: [], sdk: [], stored: [], others: [], against: [] },
})

async function measure(name: Case, rivals: Rivals, times: Times): Promise<void> {
  const { server, other, ports, receiver, floor, url } = rivals
  const { act, runs, at } = CASES[name]
  const call = values.sdk ? bySdk(url) : undefined
  const perRun = at === 1 ? runs : 1
  // Not counted: code is compiled and connections are made.
  const warm = Number(values['warm-up'])
  for (let round = 0; round < warm + Number(values.rounds); round += 1) {
    const a = await timed(runs, at, () => floor.play(url))
    const their = other && (() => timed(runs, at, () => act(other)))
    // One that always came second would be ahead by some hundredths, against itself too.
    const early = round % 2 === 1 ? await their?.() : undefined
    const b = await timed(runs, at, () => act(server))
    await receiver?.settled()
    const s = call && (await timed(runs, at, () => floor.play(url, call)))
    const p = ports && (await timed(runs, at, () => floor.play(url, ports.begin())))
    const c = early ?? (await their?.())
    if (round < warm) continue
    times.bare.push(a / perRun)
    times.ours.push(b / perRun)
    if (s !== undefined) times.sdk.push(s / perRun)
    if (p !== undefined) times.stored.push(p / perRun)
    if (c !== undefined) {
      times.others.push(c / perRun)
      times.against.push(b / c)
    }
  }
}

function figureOf({ ours, bare, sdk, stored, others, against }: Times): Figure {
  const ms = median(ours)
  const floor_ms = median(bare)
  return {
    ...{ ms, floor_ms, ratio: ms / floor_ms },
    ...(sdk.length > 0 && { sdk_ms: median(sdk), over_sdk: ms / median(sdk) }),
    ...(stored.length > 0 && {
      ports_ms: median(stored),
      ports_ratio: median(stored) / floor_ms,
      over_ports: ms / median(stored),
    }),
    ...(others.length > 0 && { other_ms: median(others), slower: median(against) }),
  }
}

async function timed(runs: number, at: number, act: () => Promise<unknown>): Promise<number> {
  const began = performance.now()
  if (at === 1) for (let run = 0; run < runs; run += 1) await act()
  else await Promise.all(Array.from({ length: runs }, act))
  return performance.now() - began
}

/** Resident memory of a server ten seconds after its first hundred runs, in MB. */
async function restingMemory(data: string, modelUrl: string): Promise<number> {
  const server = await startBenchServer(data, modelUrl)
  try {
    for (let run = 0; run < 100; run += 1) await server.run('@say done')
    await new Promise((resolve) => setTimeout(resolve, 10_000))
    return await server.rssMb()
  } finally {
    server.stop()
  }
}

function compared(figure: Figure): string {
  const { sdk_ms, over_sdk, ports_ms, ports_ratio, over_ports, other_ms, slower } = figure
  const texts = []
  if (sdk_ms !== undefined)
    texts.push(`; by the SDK ${round(sdk_ms)} ms, ratio ${round(over_sdk!)}`)
  if (ports_ms !== undefined) {
    const far = `${round(ports_ratio!)} of the floor`
    texts.push(`; by the ports ${round(ports_ms)} ms, ${far}, ratio ${round(over_ports!)}`)
  }
  if (other_ms !== undefined) {
    texts.push(`; the other ${round(other_ms)} ms, ours ${round(slower!)} of it`)
  }
  return texts.join('')
}

const round = (value: number): number => Math.round(value * 100) / 100

const median = (values: readonly number[]): number =>
  [...values].sort((left, right) => left - right)[values.length >> 1] ?? 0

function report(figures: Readonly<Record<string, Figure | number>>): void {
  if (values.json) {
    const text = JSON.stringify(figures, (_, value) =>
      typeof value === 'number' ? round(value) : value,
    )
    process.stdout.write(`${text}\n`)
    return
  }
  for (const [name, figure] of Object.entries(figures)) {
    const text =
      typeof figure === 'number'
        ? String(round(figure))
        : `${round(figure.ms)} ms, floor ${round(figure.floor_ms)} ms, ratio ${round(figure.ratio)}${compared(figure)}`
    process.stdout.write(`${name.padEnd(20)} ${text}\n`)
  }
}

await main()
