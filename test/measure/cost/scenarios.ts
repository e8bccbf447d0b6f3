/** What is measured, and the engine that does it: production code on a store that is counted. */

import { dispatch } from '../../../src/engine/dispatch.ts'
import { readRun } from '../../../src/engine/logs/run.ts'
import { runPartition } from '../../../src/engine/partition/keys.ts'
import { tick } from '../../../src/engine/worker/tick.ts'
import { queueOf } from '../../../src/hosts/aws/sqs.ts'
import { memoryObjects } from '../../../src/hosts/memory/objects.ts'
import { systemClock } from '../../../src/hosts/shared/clock.ts'
import { CLOUD_SETTINGS } from '../../../src/hosts/shared/options.ts'
import type { Clock, Model, Objects, Queue, Store, Wake, World } from '../../../src/ports/world.ts'
import { look, startRun, TENANT, testWorld } from '../../support/drive.ts'
import { scriptModel } from '../../support/script.ts'

const child = '{"task":"@say part {i}"}'

export const SCENARIOS = {
  'a plain run': { input: '@say hello', children: 0, models: 1, tools: 0 },
  'a run with a tool': {
    input: '@call file_list {"path": "."}\n@say done',
    children: 0,
    models: 2,
    tools: 1,
  },
  'a fan-out of 3': fanOut(3),
  'a fan-out of 8': fanOut(8),
  'a fan-out of 100': fanOut(100),
} as const
export type Name = keyof typeof SCENARIOS

function fanOut(children: number) {
  const input = `@spawn ${children} ${child}\n@await\n@say {results} of us`
  // The parent asks twice, before and after the barrier.
  return { input, children, models: children + 2, tools: children }
}

export interface Work {
  readonly objects: { puts: number; gets: number; lists: number }
  readonly queue: { sends: number; messages: number }
  /** Messages by queue: its lane, or `resume`. */
  readonly lanes: Record<string, number>
  /** Calls that reached the model, whatever the log counts. */
  readonly model: { calls: number }
}

/** Runs are kept so long; their deletion after that is measured by itself. */
const DAY_MS = 86_400_000
const MONTH_MS = 30 * DAY_MS

export interface Performing {
  readonly spillBytes: number
  /** Called when the first run has ended, which is not counted. */
  readonly begin?: () => void
  /** Called when all has ended, before it is deleted; absent: it is not deleted. */
  readonly deleting?: (work: Work) => void
  /** Whether each event remembers nothing of those before it, as on Workers. */
  readonly forgetful?: boolean
}

/**
 * What the engine remembers hangs on the ports, so with new ones it remembers nothing. The queue
 * and the counters behind them are the same.
 */
const newborn = (world: World): World => ({
  ...world,
  store: { ...world.store },
  objects: { ...world.objects },
})

/**
 * One run from its request to the end of everything that it set off, where processes have run
 * before. Each wake is an invocation of its own at the moment when it arrives, in whatever process
 * is free: the ends of a hundred children wake as many at once.
 */
export async function perform(
  store: Store,
  input: string,
  { spillBytes, begin = () => {}, deleting, forgetful = false }: Performing,
): Promise<Work> {
  const { objects, counts } = countedObjects()
  const script = scriptModel()
  const work: Work = {
    objects: counts,
    queue: { sends: 0, messages: 0 },
    lanes: {},
    model: { calls: 0 },
  }
  const model: Model = {
    ...script,
    respond(request, options) {
      work.model.calls += 1
      return script.respond(request, options)
    },
  }
  const settings = { ...CLOUD_SETTINGS, spillBytes }
  const memory = testWorld({ store, objects, settings, model })
  let skippedMs = 0
  const clock: Clock = { ...systemClock, now: () => systemClock.now() + skippedMs }
  // The first run stays for ever: only the one that is counted is deleted.
  let retentionMs: number | null = null
  const kept = Object.defineProperty({ ...memory.settings }, 'retentionMs', {
    enumerable: true,
    get: () => retentionMs,
  })
  const inner = invocations(() => newborn(world), forgetful)
  const queue: Queue = {
    send(wakes, delayMs) {
      work.queue.messages += wakes.length
      for (const wake of wakes) work.lanes[queueOf(wake)] = (work.lanes[queueOf(wake)] ?? 0) + 1
      work.queue.sends += Math.ceil(wakes.length / 10)
      return inner.queue.send(wakes, delayMs)
    },
  }
  const world: World = { ...memory, settings: kept, clock, queue }
  const started = { ...memory, ...world } as typeof memory
  const toEnd = async (text: string): Promise<string> => {
    const id = await startRun(started, { input: text })
    await inner.idle()
    const { status } = (await look(started, id)).state
    if (status !== 'completed') throw new Error(`${id} is ${status}`)
    return id
  }
  await toEnd('@say I am the first')
  // A listing that it keeps for others is written beside it.
  await systemClock.sleep(200)
  Object.assign(counts, { puts: 0, gets: 0, lists: 0 })
  Object.assign(work.queue, { sends: 0, messages: 0 })
  work.model.calls = 0
  for (const lane of Object.keys(work.lanes)) delete work.lanes[lane]
  retentionMs = MONTH_MS
  begin()
  const id = await toEnd(input)
  if (deleting) {
    deleting(work)
    skippedMs = MONTH_MS + DAY_MS
    await tick(newborn(world))
    await inner.idle()
    if (await readRun(newborn(world), runPartition(TENANT, id)))
      throw new Error(`${id} is still there after its retention`)
  }
  inner.stop()
  return work
}

/** A queue whose every message begins an invocation at once; later ones when they are due. */
function invocations(begin: () => World, forgetful: boolean) {
  const free: World[] = []
  const timers = new Set<NodeJS.Timeout>()
  const under = new Set<Promise<void>>()
  let workers = 0
  const invoke = async (wake: Wake): Promise<void> => {
    const process = free.pop() ?? begin()
    const worker = `worker-${(workers += 1)}`
    await dispatch({ ...process, settings: { ...process.settings, worker } }, wake)
    if (!forgetful) free.push(process)
  }
  const arrive = (wakes: readonly Wake[]): void => {
    for (const wake of wakes) {
      const one = invoke(wake).finally(() => under.delete(one))
      under.add(one)
    }
  }
  const queue: Queue = {
    async send(wakes, delayMs = 0) {
      if (delayMs === 0) arrive(wakes)
      else {
        const timer = setTimeout(() => {
          timers.delete(timer)
          arrive(wakes)
        }, delayMs)
        timers.add(timer)
      }
      return 'ok'
    },
  }
  return {
    queue,
    /** Nothing is under way; what is due later does not count. */
    async idle() {
      while (under.size > 0) await Promise.all(under)
    },
    stop() {
      for (const timer of timers) clearTimeout(timer)
    },
  }
}

/** One call of the port is one request of S3 or R2. */
function countedObjects() {
  const inner = memoryObjects()
  const counts = { puts: 0, gets: 0, lists: 0 }
  const objects: Objects = {
    get(key) {
      counts.gets += 1
      return inner.get(key)
    },
    put(key, body, expect) {
      counts.puts += 1
      return inner.put(key, body, expect)
    },
    delete: inner.delete,
    list(prefix, cursor) {
      counts.lists += 1
      return inner.list(prefix, cursor)
    },
  }
  return { objects, counts }
}
