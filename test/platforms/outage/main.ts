/**
 * `node test/platforms/outage/main.ts`: the provider of the models is away in the middle of a
 * fan-out of 50, on each home: for a minute in which the server is killed, for ten minutes of a
 * clock that is moved, and again and again for a second. Every task must complete, and none may be
 * answered twice.
 */

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Open } from '../../support/launch.ts'
import { temporaryFolder } from '../../support/launch.ts'
import { command, given, WrongUse } from '../../support/options.ts'
import { HOMES, type HomeName, openHome, type Running } from '../versions/homes.ts'
import { thisTree } from '../versions/tree.ts'
import { type Provider, startProvider } from './provider.ts'

const USAGE = `
node test/platforms/outage/main.ts [--home ${HOMES.join('|')}]

  --home NAME   one home (default: all)

Exits with 0 when every task has completed, with 1 otherwise, with 2 when it was asked wrongly.`

const TASKS = 50
/** So many answers are given before the provider goes away. */
const BEFORE = 20
const MINUTE = 60_000
/** After it the longest pause is over, with time for the rest of the work. */
const LONGEST_MS = 12 * MINUTE

interface Fanout {
  readonly id: string
  readonly status: string
  readonly children: Readonly<Record<string, number>>
  readonly results: readonly Task[]
}
interface Task {
  readonly run_id: string | null
  readonly status: string
  readonly usage: { readonly model_calls: number }
}

const TASK = '@text one\n@call no_such_tool {}\n@text two\n@call no_such_tool {}\n@say three'

const begin = (server: Running, name: string): Promise<Fanout> =>
  server.get<Fanout>('/v1/fanouts', {
    method: 'POST',
    json: {
      tasks: Array.from({ length: TASKS }, (_, index) => ({ task: `${TASK} ${name} ${index}` })),
    },
  })

async function until(what: string, met: () => Promise<boolean>, ms = LONGEST_MS): Promise<void> {
  const end = performance.now() + ms
  while (!(await met())) {
    if (performance.now() > end) throw new Error(`${what}: not within ${ms} ms`)
    await sleep(200)
  }
}

interface Stage {
  readonly home: HomeName
  readonly provider: Provider
  /** The server as it is now. */
  server: Running
  readonly restart: () => Promise<Running>
  /** Undefined where the clock of the platform cannot be moved. */
  readonly moveClock: ((ms: number) => void) | undefined
}

/** What happens while the fan-out is under way; it ends with the provider back. */
type Outage = (stage: Stage) => Promise<void>

const OUTAGES: Readonly<Record<string, Outage>> = {
  'a minute of refused connections, and the server killed in its middle': async (stage) => {
    await stage.provider.gone()
    await sleep(MINUTE / 2)
    stage.server = await stage.restart()
    await sleep(MINUTE / 2)
    await stage.provider.back()
  },
  'ten minutes of refusals, by a clock that is moved': async ({ provider, moveClock }) => {
    provider.refuses()
    for (let minute = 0; minute < 10; minute += 1) {
      await sleep(3_000)
      moveClock?.(MINUTE)
    }
    await provider.back()
  },
  'refusals every other second for a minute': async ({ provider }) => {
    for (let second = 0; second < 60; second += 2) {
      provider.refuses()
      await sleep(1_000)
      await provider.back()
      await sleep(1_000)
    }
  },
}

async function staged(name: string, outage: Outage, stage: Stage): Promise<readonly string[]> {
  const { provider } = stage
  const before = provider.counts()
  const { id } = await begin(stage.server, name)
  await until('some answers', async () => provider.counts().answered >= before.answered + BEFORE)
  await outage(stage)
  const back = performance.now()
  const spread: number[] = []
  let ended = 0
  await until('the end of the fan-out', async () => {
    const fanout = await stage.server.get<Fanout>(`/v1/fanouts/${id}`)
    const over = (fanout.children.completed ?? 0) + (fanout.children.failed ?? 0)
    for (; ended < over; ended += 1) spread.push(performance.now() - back)
    return ['completed', 'failed', 'cancelled'].includes(fanout.status)
  })
  const { results } = await stage.server.get<Fanout>(`/v1/fanouts/${id}`)
  const faults = results
    .filter(({ status }) => status !== 'completed')
    .map(({ run_id, status }) => `${name}: ${run_id} ${status}`)
  if (results.length !== TASKS) faults.push(`${name}: ${results.length} tasks`)
  const after = provider.counts()
  const counted = results.reduce((sum, { usage }) => sum + usage.model_calls, 0)
  const seconds = (ms = 0): string => `${(ms / 1_000).toFixed(0)} s`
  console.log(
    `  ${name}: ${after.answered - before.answered} answers, ` +
      `${after.repeated - before.repeated} of them twice, ${counted} counted, ` +
      `${after.refused - before.refused} refused; tasks ended after its end: ` +
      `${seconds(spread[0])}, median ${seconds(spread[spread.length >> 1])}, last ${seconds(spread.at(-1))}`,
  )
  return faults
}

async function onHome(home: HomeName): Promise<readonly string[]> {
  const open: Open = []
  try {
    const provider = await startProvider()
    open.push(() => provider.gone())
    const clock = join(await temporaryFolder(open), 'ahead')
    writeFileSync(clock, '0')
    const preload = join(import.meta.dirname, 'moved-clock.ts')
    const moved = { NODE_OPTIONS: `--import=${preload}`, MOVED_CLOCK: clock }
    const isWorker = home === 'cloudflare'
    const env = { OPENAI_BASE_URL: provider.url, ...(isWorker ? {} : moved) }
    const made = await openHome(home, { ...env, LANE_SUBAGENT: '32' }, open)
    console.log(made.name)
    let ahead = 0
    const stage: Stage = {
      home,
      provider,
      server: await made.start(thisTree()),
      async restart() {
        if (isWorker) await stage.server.stop()
        else await stage.server.kill()
        return made.start(thisTree())
      },
      moveClock: isWorker
        ? undefined
        : (ms) => {
            ahead += ms
            writeFileSync(clock, String(ahead))
          },
    }
    if (isWorker)
      console.log('  workerd is stopped, not killed, and its clock stays as it is: half a minute')
    const faults: string[] = []
    for (const [name, outage] of Object.entries(OUTAGES)) {
      faults.push(...(await staged(name, outage, stage)))
    }
    await stage.server.stop()
    return faults
  } finally {
    for (const close of open.splice(0).reverse()) await close()
  }
}

async function run(): Promise<boolean> {
  const { values } = given(process.argv.slice(2), { home: { type: 'string' } })
  const only = values.home as HomeName | undefined
  if (only !== undefined && !HOMES.includes(only))
    throw new WrongUse(`--home is one of ${HOMES.join(', ')}, not ${only}`)
  const faults: string[] = []
  for (const home of only === undefined ? HOMES : [only]) faults.push(...(await onHome(home)))
  for (const fault of faults) console.log(`FAULT ${fault}`)
  console.log(`${faults.length} faults`)
  return faults.length === 0
}

await command(USAGE, run)
