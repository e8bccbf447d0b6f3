/**
 * AWS on a clock of its own: the ports in memory, each call of which takes as long as a table says,
 * and processes as Lambda has them, one event at a time, warm and sharing nothing. Time stands still
 * while anybody computes, so what passes is the longest chain of calls that wait for one another.
 */

import { dispatch } from '../../../src/engine/dispatch.ts'
import { type QueueName, queueOf } from '../../../src/hosts/aws/sqs.ts'
import { attendedWorld } from '../../../src/hosts/shared/attended-request.ts'
import { processFeed } from '../../../src/hosts/shared/feed.ts'
import { liveFeed } from '../../../src/hosts/shared/live.ts'
import { CLOUD_SETTINGS } from '../../../src/hosts/shared/options.ts'
import { createApp } from '../../../src/http/app.ts'
import type { App } from '../../../src/http/request/route.ts'
import type { Clock, Objects, Queue, Store, Wake, World } from '../../../src/ports/world.ts'
import { TENANT, testWorld } from '../../support/drive.ts'

export const KINDS = [
  'store read',
  'store write',
  'store transaction',
  'object get',
  'object put',
  'object list',
  'queue send',
] as const
export type Kind = (typeof KINDS)[number]

/** Milliseconds by kind of call, and from the end of a send to the function that it begins. */
export type Latencies = Readonly<Record<Kind | 'queue delivery', number>>

/** What is called, when, for how long: milliseconds of the clock. */
export interface Call {
  readonly kind: Kind
  readonly what: string
  readonly from: number
  readonly to: number
  readonly process: string
}

export interface Backing {
  readonly store: Store
  readonly objects: Objects
}

/** One message's time in a function: milliseconds of the clock. */
interface Invocation {
  readonly queue: QueueName
  readonly from: number
  readonly to: number
}

export interface Aws {
  readonly app: App
  readonly world: World
  readonly calls: Call[]
  readonly invocations: Invocation[]
  /** When the log of each partition was committed with its end. */
  readonly ended: ReadonlyMap<string, number>
  now(): number
  /** Lets time pass until this is done. */
  elapse<T>(work: Promise<T>): Promise<T>
  /** Lets time pass until no function is at work. */
  idle(): Promise<void>
}

export interface AwsOptions {
  readonly latencies: Latencies
  readonly backing: Backing
  /** Absent: time is real, and calls take what they take. */
  readonly clock?: VirtualClock | undefined
  readonly realClock: Clock
  /** How long a model takes, by the clock; 0 unless set. */
  readonly thinkMs?: number
}

/** A function that has ended stays warm and takes the next event. */
export function aws({ latencies, backing, clock, realClock, thinkMs = 0 }: AwsOptions): Aws {
  const time: Clock = clock ?? realClock
  const calls: Call[] = []
  const invocations: Invocation[] = []
  const ended = new Map<string, number>()
  const under = new Set<Promise<unknown>>()
  const free: World[] = []
  let processes = 0

  const called = async <T>(
    { kind, what, process }: Pick<Call, 'kind' | 'what' | 'process'>,
    perform: () => Promise<T>,
  ): Promise<T> => {
    const from = time.monotonic()
    if (clock) await clock.sleep(latencies[kind])
    const answer = await perform()
    calls.push({ kind, what, process, from, to: time.monotonic() })
    return answer
  }

  const hold = (work: Promise<unknown>): void => {
    const one = work.finally(() => under.delete(one))
    under.add(one)
  }
  const invoke = async (wake: Wake): Promise<void> => {
    if (clock) await clock.sleep(latencies['queue delivery'])
    const world = free.pop() ?? born()
    const from = time.monotonic()
    await dispatch(world, wake)
    invocations.push({ queue: queueOf(wake), from, to: time.monotonic() })
    free.push(world)
  }

  function born(): World {
    const process = `process ${(processes += 1)}`
    const store = timedStore(backing.store, process)
    const queue: Queue = {
      async send(wakes, delayMs = 0) {
        const sends = batches(wakes)
        await Promise.all(
          sends.map((batch) =>
            called({ kind: 'queue send', what: `${batch.length}`, process }, async () => {
              // Later ones come after all that is measured here.
              if (delayMs === 0) for (const wake of batch) hold(invoke(wake))
            }),
          ),
        )
        return 'ok'
      },
    }
    const memory = testWorld({
      store,
      objects: timedObjects(backing.objects, process),
      settings: { ...CLOUD_SETTINGS, worker: process.replace(' ', '-'), retentionMs: null },
    })
    const local = processFeed(fail)
    const feed = liveFeed({ store, clock: time, local, onError: fail })
    const { model: script } = memory
    const model: World['model'] = {
      ...script,
      async respond(request, options) {
        if (thinkMs > 0) await time.sleep(thinkMs, options.signal)
        return script.respond(request, options)
      },
    }
    return { ...memory, model, queue, feed, clock: time }
  }

  function timedStore(inner: Store, process: string): Store {
    const read = { kind: 'store read', process } as const
    return {
      read: (partition, after) =>
        called({ ...read, what: `rows ${partition}` }, () => inner.read(partition, after)),
      heads: (partitions) =>
        called({ ...read, what: `heads ${partitions}` }, () => inner.heads(partitions)),
      due: (now, cursor) => called({ ...read, what: 'due' }, () => inner.due(now, cursor)),
      list: (under_, before, limit) =>
        called({ ...read, what: `list ${under_}` }, () => inner.list(under_, before, limit)),
      find: (under_, wanted) =>
        called({ ...read, what: `find ${under_}` }, () => inner.find(under_, wanted)),
      drop: (partition) =>
        called({ kind: 'store write', what: `drop ${partition}`, process }, () =>
          inner.drop(partition),
        ),
      async commit(partition, writes, head) {
        const kind = writes.length + (head ? 1 : 0) > 1 ? 'store transaction' : 'store write'
        const rows = [...writes.map(({ key }) => key), ...(head ? ['head'] : [])]
        const what = `commit ${partition} ${rows}`
        const result = await called({ kind, what, process }, () =>
          inner.commit(partition, writes, head),
        )
        const isEnd = head?.body.includes('"ended_at":"') ?? false
        if (result === 'ok' && isEnd && !ended.has(partition))
          ended.set(partition, time.monotonic())
        return result
      },
    }
  }

  function timedObjects(inner: Objects, process: string): Objects {
    const of = (kind: Kind, what: string) => ({ kind, what, process })
    return {
      get: (key) => called(of('object get', key), () => inner.get(key)),
      put: (key, body, expect) => called(of('object put', key), () => inner.put(key, body, expect)),
      delete: (key, expect) => called(of('object put', key), () => inner.delete(key, expect)),
      list: (prefix, cursor) => called(of('object list', prefix), () => inner.list(prefix, cursor)),
    }
  }

  const front = born()
  const attended = (): World => attendedWorld({ world: front, hold, onError: fail })
  const { app } = createApp({ ...front, attended }, { onError: fail })
  const elapse = <T>(work: Promise<T>): Promise<T> => (clock ? clock.during(work) : work)
  return {
    app,
    world: front,
    calls,
    invocations,
    ended,
    now: () => time.monotonic(),
    elapse,
    async idle() {
      while (under.size > 0) await elapse(Promise.all(under))
    },
  }
}

const fail = (error: unknown): void => {
  throw error
}

/** As SQS takes them: ten at a time, those of a lane together. */
function batches(wakes: readonly Wake[]): Wake[][] {
  const lanes = Map.groupBy(wakes, ({ lane, started }) => (started ? 'resume' : lane))
  return [...lanes.values()].flatMap((all) =>
    Array.from({ length: Math.ceil(all.length / 10) }, (_, at) => all.slice(10 * at, 10 * at + 10)),
  )
}

export const tenant = TENANT

export interface VirtualClock extends Clock {
  /** Time goes from one end of a sleep to the next as long as the work waits for nothing else. */
  during<T>(work: Promise<T>): Promise<T>
}

/** So many turns of the event loop, and whoever still computes would have slept or ended. */
const TURNS = 25
const THREADS_MS = 5

export function virtualClock(start = 1_800_000_000_000): VirtualClock {
  const sleepers = new Map<() => void, number>()
  let elapsed = 0
  return {
    now: () => start + Math.floor(elapsed),
    monotonic: () => elapsed,
    random: (bytes) => crypto.getRandomValues(new Uint8Array(bytes)),
    sleep: (ms, signal) =>
      new Promise((resolve) => {
        if (ms <= 0 || signal?.aborted) return resolve()
        const end = (): void => {
          sleepers.delete(end)
          signal?.removeEventListener('abort', end)
          resolve()
        }
        sleepers.set(end, elapsed + ms)
        signal?.addEventListener('abort', end, { once: true })
      }),
    async during(work) {
      let done = false
      const over = work.finally(() => {
        done = true
      })
      over.catch(() => undefined)
      while (!done) {
        // Keys and digests are computed in threads: they take real time.
        await new Promise((resolve) => setTimeout(resolve, THREADS_MS))
        for (let turn = 0; turn < TURNS && !done; turn += 1) await new Promise(setImmediate)
        if (done) break
        const next = Math.min(...sleepers.values())
        if (next === Number.POSITIVE_INFINITY) continue
        elapsed = Math.max(elapsed, next)
        for (const [end, until] of [...sleepers]) if (until <= elapsed) end()
      }
      return over
    },
  }
}
