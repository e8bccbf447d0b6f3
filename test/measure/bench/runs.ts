/**
 * `npm run bench`: how much slower is a durable run than the bare model calls it makes? The same
 * calls are made twice, in turn: by the floor (keep-alive fetch, all children at once, nothing
 * stored) and by the server over HTTP with SQLite at `synchronous=FULL`. Ratios of medians of one
 * process run are what counts; the machine is whatever it is.
 *
 *   --json          one JSON object     --think MS   think time of the scripted model (default 0)
 *   --rounds N      alternations (5)    --data DIR   where the store lies (default: a folder here)
 *   --only A,B      these cases alone
 *   --sdk           the same calls by the AI SDK's provider package too, as another floor
 *   --ports         the same calls by that package and the same commits by the store, nothing else
 *                   (cases of one run at a time)
 *   --against REF   alternates with the server of a commit, or of a folder where `npm ci` has run:
 *                   how much slower than that one this one is
 *   --judge         exits with 1 when every round of a case was slower than the other's
 *   --telemetry     exports traces to a receiver on this machine; against a server of this checkout
 *                   that exports none, unless `--against` names another
 */

import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { checkout } from '../../platforms/versions/tree.ts'
import type { Open } from '../../support/launch.ts'
import { startModelServer } from '../../support/model-server.ts'
import { CASES, type Case, LONG } from './cases.ts'
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
    data: { type: 'string', default: '.' },
    only: { type: 'string' },
    sdk: { type: 'boolean', default: false },
    ports: { type: 'boolean', default: false },
    against: { type: 'string' },
    judge: { type: 'boolean', default: false },
    telemetry: { type: 'boolean', default: false },
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
  /** With `--against`: its time, and ours divided by it: median, least and most of the rounds. */
  readonly other_ms?: number
  readonly slower?: number
  readonly spread?: readonly [least: number, most: number]
  /** Processor time of all rounds, ours divided by its: it does not depend on what else runs. */
  readonly cpu?: number
}

type Ports = Awaited<ReturnType<typeof portsFloor>>

const names = (Object.keys(CASES) as Case[]).filter(
  (name) => values.only?.split(',').includes(name) ?? !LONG.has(name),
)

async function main(): Promise<void> {
  const dir = await mkdtemp(join(values.data, '.bench-'))
  const model = await startBenchModel(Number(values.think))
  const receiver = values.telemetry ? await startBenchReceiver() : undefined
  const env = receiver ? { OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url } : {}
  const server = await startBenchServer(join(dir, 'data'), model.url, { env })
  const open: Open = []
  const against = await folderOf(values.against ?? (receiver ? '.' : undefined), open)
  const other =
    against === undefined
      ? undefined
      : await startBenchServer(resolve(dir, 'other'), model.url, { root: against })
  try {
    const floors = await recordFloors(join(dir, 'record'))
    const figures = {} as Record<Case, Figure>
    for (const name of names) {
      const ports = values.ports ? await openPorts(name, join(dir, name), model.url) : undefined
      const rivals = { server, other, ports, floor: floors[name], url: model.url }
      figures[name] = await measure(name, rivals)
      await ports?.close()
    }
    server.stop()
    other?.stop()
    const rss_mb = await restingMemory(join(dir, 'resting'), model.url)
    const p50_ms = (await model.stats()).p50_ms
    report({ ...figures, rss_mb, model_p50_ms: p50_ms, think_ms: Number(values.think) })
    if (values.judge) judge(figures)
  } finally {
    server.stop()
    other?.stop()
    model.stop()
    receiver?.stop()
    for (const close of open.reverse()) await close()
    await rm(dir, { recursive: true, force: true })
  }
}

/** The folder of a server: it was named, or a commit was, which is unpacked. */
async function folderOf(ref: string | undefined, open: Open): Promise<string | undefined> {
  if (ref === undefined || existsSync(ref)) return ref
  return (await checkout(ref, open)).folder
}

/** Fails where every round of a case was slower than the other server's. */
function judge(figures: Readonly<Record<string, Figure>>): void {
  for (const [name, { spread }] of Object.entries(figures)) {
    const [least] = spread ?? [0]
    if (least <= 1) continue
    console.error(`${name}: every round was slower than that of ${values.against}`)
    process.exitCode = 1
  }
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
  readonly server: BenchServer
  readonly other: BenchServer | undefined
  readonly floor: Floor
  readonly url: string
}

async function measure(name: Case, { server, other, ports, floor, url }: Rivals): Promise<Figure> {
  const { act, runs, at } = CASES[name]
  const ours: number[] = []
  const bare: number[] = []
  const sdk: number[] = []
  const stored: number[] = []
  const others: number[] = []
  const against: number[] = []
  let ourCpu = 0
  let theirCpu = 0
  const call = values.sdk ? bySdk(url) : undefined
  const perRun = at === 1 ? runs : 1
  // One round beforehand, not counted: code is compiled and connections are made.
  for (let round = 0; round <= Number(values.rounds); round += 1) {
    const a = await timed(runs, at, () => floor.play(url))
    const their =
      other &&
      (async (): Promise<number> => {
        const before = await other.cpuSeconds()
        const ms = await timed(runs, at, () => act(other))
        if (round > 0) theirCpu += (await other.cpuSeconds()) - before
        return ms
      })
    // One that always came second would be ahead by some hundredths, against itself too.
    const early = round % 2 === 1 ? await their?.() : undefined
    const before = await server.cpuSeconds()
    const b = await timed(runs, at, () => act(server))
    if (round > 0) ourCpu += (await server.cpuSeconds()) - before
    const s = call && (await timed(runs, at, () => floor.play(url, call)))
    const p = ports && (await timed(runs, at, () => floor.play(url, ports.begin())))
    const c = early ?? (await their?.())
    if (round === 0) continue
    bare.push(a / perRun)
    ours.push(b / perRun)
    if (s !== undefined) sdk.push(s / perRun)
    if (p !== undefined) stored.push(p / perRun)
    if (c !== undefined) {
      others.push(c / perRun)
      against.push(b / c)
    }
  }
  const ms = median(ours)
  const floor_ms = median(bare)
  const figure: Figure = { ms, floor_ms, ratio: ms / floor_ms }
  return {
    ...figure,
    ...(sdk.length > 0 && { sdk_ms: median(sdk), over_sdk: ms / median(sdk) }),
    ...(stored.length > 0 && {
      ports_ms: median(stored),
      ports_ratio: median(stored) / floor_ms,
      over_ports: ms / median(stored),
    }),
    ...(others.length > 0 && {
      other_ms: median(others),
      slower: median(against),
      spread: [Math.min(...against), Math.max(...against)] as const,
      cpu: ourCpu / theirCpu,
    }),
  }
}

async function timed(runs: number, at: number, act: () => Promise<unknown>): Promise<number> {
  const began = performance.now()
  if (at === 1) for (let run = 0; run < runs; run += 1) await act()
  else {
    let left = runs
    const worker = async (): Promise<void> => {
      while (left-- > 0) await act()
    }
    await Promise.all(Array.from({ length: at }, worker))
  }
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
  const { sdk_ms, over_sdk, ports_ms, ports_ratio, over_ports, other_ms, slower, spread } = figure
  const texts = []
  if (sdk_ms !== undefined)
    texts.push(`; by the SDK ${round(sdk_ms)} ms, ratio ${round(over_sdk!)}`)
  if (ports_ms !== undefined) {
    const far = `${round(ports_ratio!)} of the floor`
    texts.push(`; by the ports ${round(ports_ms)} ms, ${far}, ratio ${round(over_ports!)}`)
  }
  if (other_ms !== undefined) {
    const [least, most] = spread!.map(round)
    texts.push(`; the other ${round(other_ms)} ms, ours ${round(slower!)} of it (${least}–${most})`)
    texts.push(`, processor time ${round(figure.cpu!)} of it`)
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
