/**
 * World on Cloudflare, shared by requests, the clock, and Durable Objects. They differ in store,
 * queue, and feed, and share settings, models, tools, and the outbound guard.
 */

import { LIMITS } from '../../core/limits.ts'
import { shareMemory } from '../../engine/partition/process.ts'
import { withMarker } from '../../engine/worker/storage-marker.ts'
import { boundedCache } from '../../lib/lru-cache.ts'
import type { Feed, Log, Objects, Queue, Settings, Store } from '../../ports/world.ts'
import { type Measure, measured } from '../metrics/measures.ts'
import type { Fetch } from '../outbound/fetch.ts'
import { systemClock } from '../shared/clock.ts'
import { createLog, failureEntry, jsonLine } from '../shared/log.ts'
import {
  CLOUD_SETTINGS,
  type CommonOptions,
  commonOptions,
  type Environment,
} from '../shared/options.ts'
import { masterKeyFrom } from '../shared/secrets.ts'
import { type Composed, composeWorld } from '../shared/world.ts'
import { holderOf, listerOf } from './bindings/address.ts'
import type { Bindings } from './bindings/bindings.ts'
import type { Budget } from './bindings/budget.ts'
import { meteredD1 } from './bindings/budget.ts'
import { remoteSandbox } from './bindings/sandbox.ts'
import { hourLists } from './lists/hour-lists.ts'
import { d1Store } from './ports/d1.ts'
import { partitionStore, type Rows, remoteRows } from './ports/partitions.ts'
import { r2Objects } from './ports/r2.ts'

/** Environment of a Worker: its bindings, and the strings of `[vars]` and secrets. */
export type WorkerEnv = Bindings & Readonly<Record<string, unknown>>

/** Logs a failure regardless of the log level, because the settings may be wrong. */
export const onError = (where: string, error: unknown): void =>
  console.error(jsonLine(failureEntry(where, error)))

export function logOf(env: WorkerEnv): Log {
  const log = createLog({
    level: optionsOf(env).logLevel,
    sink: (line, level) => console[level](line),
  })
  const { METRICS } = env
  return METRICS ? measured(log, (measure) => METRICS.writeDataPoint(pointOf(measure))) : log
}

/**
 * Converts a measure to an Analytics Engine data point. The measure's name is the sampling index;
 * its labels are blobs in the order of the label names.
 */
const pointOf = ({ name, value, labels }: Measure) => ({
  indexes: [name],
  blobs: [
    name,
    ...Object.keys(labels)
      .sort()
      .map((label) => labels[label]!),
  ],
  doubles: [value],
})

/** Returns the string members of the environment, without the bindings. */
function variablesOf(env: WorkerEnv): Environment {
  return Object.fromEntries(
    Object.entries(env).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  )
}

const optionsCache = new WeakMap<WorkerEnv, CommonOptions>()

/**
 * Returns the deployment's options, read once because an isolate has only one environment. Throws
 * like `commonOptions`.
 */
export function optionsOf(env: WorkerEnv): CommonOptions {
  const options =
    optionsCache.get(env) ?? commonOptions(variablesOf(env), { ai: env.AI !== undefined })
  optionsCache.set(env, options)
  return options
}

/** Returns the store for one event; `own` is the event's local storage. */
export function storeOf(
  env: WorkerEnv,
  {
    budget,
    own: local,
  }: { budget?: Budget; own?: { readonly object: string; readonly rows: Rows } } = {},
): Store {
  const db = budget ? meteredD1(env.DB, budget) : env.DB
  const objects = boundedCache<Rows>(REMEMBERED)
  const at = (object: string): Rows => {
    if (object === local?.object) return local.rows
    const rows = objects.get(object) ?? remoteRows(env.PARTITIONS, object, budget)
    objects.set(object, rows)
    return rows
  }
  const index = d1Store(db)
  return partitionStore({ index, holderOf, listerOf, at, lists: hourLists(at) })
}

/** Maximum number of objects whose pending calls a world tracks. */
const REMEMBERED = 1_000

/** Size above which bodies go to the bucket, in bytes; large because SQLite bills per row. */
const SPILL_BYTES = 32_768

export interface Event {
  readonly store: Store
  readonly queue: Queue
  readonly feed: Feed
  readonly settings: Pick<
    Settings,
    'eventBound' | 'sliceMs' | 'lifeMs' | 'soleWorker' | 'wakesWithCommit' | 'placesByKin'
  >
  readonly connect?: Fetch
  /** Returns the current event, on platforms where a world outlives its event. */
  readonly eventOf?: () => object
}

const connectTo: Fetch = (url, init) => fetch(url, init)

/** Returns the bucket of this deployment, checked by its deployment marker. */
export const bucketOf = (env: WorkerEnv): Objects =>
  withMarker(r2Objects(env.BUCKET), {
    store: () => storeOf(env),
    clock: systemClock,
    standsMs: LIMITS.storage_marker_seconds * 1_000,
    owner: env.BUCKET,
  })

export function composeWorker(env: WorkerEnv, event: Event): Composed {
  const options = optionsOf(env)
  const { connect = connectTo } = event
  const composed = composeWorld({
    store: event.store,
    objects: bucketOf(env),
    queue: event.queue,
    options: { ...options, limits: { ...options.limits, allowStdioMcp: false } },
    key: masterKeyFrom(options.env),
    connect,
    modelFetch: (url, init) => connect(url instanceof Request ? url.url : url, init),
    ...(env.AI ? { modelMeans: { ai: env.AI } } : {}),
    mcpIdleMs: 0,
    ...(env.SANDBOX ? remoteSandbox(env.SANDBOX, onError) : {}),
    settings: { ...CLOUD_SETTINGS, spillBytes: SPILL_BYTES, ...event.settings },
    feed: event.feed,
    eventOf: event.eventOf,
    onError,
    log: logOf(env),
  })
  shareMemory(composed.world.store, env.DB)
  shareMemory(composed.world.objects, env.BUCKET)
  return composed
}
