/**
 * The world of the Cloudflare home, as requests, the clock and objects share it: their store,
 * queue and feed differ, their settings, models, tools and outbound door do not.
 */

import type { Feed, Log, Queue, Settings, Store } from '../../ports/world.ts'
import type { Fetch } from '../outbound/fetch.ts'
import { createLog, failureEntry, jsonLine } from '../shared/log.ts'
import { CLOUD_SETTINGS, commonOptions, type Environment } from '../shared/options.ts'
import { masterKeyFrom } from '../shared/secrets.ts'
import { type Composed, composeWorld } from '../shared/world.ts'
import { holderOf, listerOf } from './address.ts'
import type { Bindings } from './bindings.ts'
import type { Budget } from './budget.ts'
import { meteredD1 } from './budget.ts'
import { d1Store } from './d1.ts'
import { partitionStore, type Rows, remoteRows } from './partitions.ts'
import { r2Objects } from './r2.ts'

/** Bindings, and the texts of `[vars]` and secrets beside them. */
export type WorkerEnv = Bindings & Readonly<Record<string, unknown>>

/** Failures are logged whatever the level: the settings may be wrong. */
export const onError = (where: string, error: unknown): void =>
  console.error(jsonLine(failureEntry(where, error)))

export const logOf = (env: WorkerEnv): Log =>
  createLog({
    level: commonOptions(variablesOf(env)).logLevel,
    sink: (line, level) => console[level](line),
  })

/** The texts among the bindings. */
export function variablesOf(env: WorkerEnv): Environment {
  return Object.fromEntries(
    Object.entries(env).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  )
}

/** The store as one event sees it; `own`: what lies where the event is. */
export function storeOf(
  env: WorkerEnv,
  { budget, own }: { budget?: Budget; own?: { readonly object: string; readonly rows: Rows } } = {},
): Store {
  const db = budget ? meteredD1(env.DB, budget) : env.DB
  const at = (object: string): Rows =>
    object === own?.object ? own.rows : remoteRows(env.PARTITIONS, object, budget)
  return partitionStore({ index: d1Store(db), holderOf, listerOf, at })
}

/** SQLite bills by the row, not by the byte. */
const SPILL_BYTES = 32_768

export interface Event {
  readonly store: Store
  readonly queue: Queue
  readonly feed: Feed
  readonly settings: Pick<Settings, 'sliceMs' | 'lifeMs' | 'soleWorker'>
  readonly connect?: Fetch
}

const connectTo: Fetch = (url, init) => fetch(url, init)

export function composeWorker(env: WorkerEnv, event: Event): Composed {
  const variables = variablesOf(env)
  const options = commonOptions(variables)
  const { connect = connectTo } = event
  return composeWorld({
    store: event.store,
    objects: r2Objects(env.BUCKET),
    queue: event.queue,
    options: { ...options, limits: { ...options.limits, allowStdioMcp: false } },
    key: masterKeyFrom(variables),
    connect,
    modelFetch: (url, init) => connect(url instanceof Request ? url.url : url, init),
    mcpIdleMs: 0,
    settings: { ...CLOUD_SETTINGS, spillBytes: SPILL_BYTES, ...event.settings },
    feed: event.feed,
    onError,
    log: logOf(env),
  })
}
