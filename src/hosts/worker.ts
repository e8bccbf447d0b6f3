/**
 * Cloudflare Workers: requests, wakes of the lanes and the minute's clock come to one program. Each
 * event composes a world of its own, because connections and waiting promises of one event must not
 * be touched by another; only the app stays with the isolate, and the shared promise it may wait
 * for, a body on its way to the bucket, is made anew for each request.
 */

import { AsyncLocalStorage } from 'node:async_hooks'
import { refusal } from '../core/problem.ts'
import { dispatch } from '../engine/dispatch.ts'
import { tick } from '../engine/worker/tick.ts'
import { createApp } from '../http/app.ts'
import { PROBLEM_TYPE, problemDocument } from '../http/problem.ts'
import type { App } from '../http/route.ts'
import { random } from '../lib/id.ts'
import type { Feed, Log, Objects, Settings, Store, World } from '../ports/world.ts'
import type { Bindings, MessageBatch } from './cloudflare/bindings.ts'
import { type Budget, meteredD1 } from './cloudflare/budget.ts'
import { atMost, OUTBOUND } from './cloudflare/connections.ts'
import { d1Store } from './cloudflare/d1.ts'
import { cloudflareQueue } from './cloudflare/queue.ts'
import { r2Objects } from './cloudflare/r2.ts'
import type { Fetch } from './outbound/fetch.ts'
import { systemClock } from './shared/clock.ts'
import { createLog, failureEntry, jsonLine, requestLog } from './shared/log.ts'
import { CLOUD_SETTINGS, commonOptions, type Environment } from './shared/options.ts'
import { masterKeyFrom } from './shared/secrets.ts'
import { wakeOf } from './shared/wake.ts'
import { adoptAdminKey, composeWorld } from './shared/world.ts'

/** Bindings, and the texts of `[vars]` and secrets beside them. */
export type WorkerEnv = Bindings & Readonly<Record<string, unknown>>

/** A consumer may take a quarter of an hour. */
const LIFE_MS = 900_000
/** A third of that: effects that have begun by then need time to end. */
const SLICE_MS = 300_000

/** Nobody is notified at once: a follower of a run reads again, because events share no memory. */
const SILENT: Feed = { publish: () => {}, subscribe: () => () => {} }

/** Failures are logged whatever the level: the settings may be wrong. */
const onError = (where: string, error: unknown): void =>
  console.error(jsonLine(failureEntry(where, error)))

const logOf = (env: WorkerEnv): Log =>
  createLog({
    level: commonOptions(variablesOf(env)).logLevel,
    sink: (line, level) => console[level](line),
  })

/** The texts among the bindings. */
function variablesOf(env: WorkerEnv): Environment {
  return Object.fromEntries(
    Object.entries(env).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  )
}

/** The slice of an event is over when its time is, or when it has asked the database too often. */
function worldOf(env: WorkerEnv): World {
  const { db, budget } = meteredD1(env.DB)
  const outbound = atMost(OUTBOUND, (url, init) => fetch(url, init))
  const { world } = compose({ ...env, DB: db }, outbound)
  return { ...world, store: paged(world.store, budget), settings: sliced(world.settings, budget) }
}

/** The clock too goes home in time: the next minute reads on where this one has stopped. */
const paged = (store: Store, budget: Budget): Store => ({
  ...store,
  due: async (now, cursor) => (budget.isSpent() ? { entries: [] } : store.due(now, cursor)),
})

const sliced = (settings: Settings, budget: Budget): Settings => ({
  ...settings,
  get sliceMs() {
    return budget.isSpent() ? 0 : SLICE_MS
  },
})

function compose(env: WorkerEnv, connect: Fetch = (url, init) => fetch(url, init)) {
  const variables = variablesOf(env)
  const options = commonOptions(variables)
  return composeWorld({
    store: d1Store(env.DB),
    objects: r2Objects(env.BUCKET),
    queue: cloudflareQueue(env),
    options: { ...options, limits: { ...options.limits, allowStdioMcp: false } },
    key: masterKeyFrom(variables),
    connect,
    modelFetch: (url, init) => connect(url instanceof Request ? url.url : url, init),
    mcpIdleMs: 0,
    settings: {
      ...CLOUD_SETTINGS,
      spillBytes: SPILL_BYTES,
      sliceMs: SLICE_MS,
      lifeMs: LIFE_MS,
    },
    feed: SILENT,
    onError,
    log: logOf(env),
  })
}

/** D1 bills by the row, not by the byte. */
const SPILL_BYTES = 32_768

let app: App | undefined
let warned = false
/** The bucket of the request that is being answered: it knows of no other's writes. */
const bucket = new AsyncLocalStorage<Objects>()

async function request(received: Request, env: WorkerEnv): Promise<Response> {
  // The platform has repaired the path before anybody could see it: what it was is not known.
  const answer = async () => (app ?? (await openApp(env))).fetch(received, {})
  try {
    return await bucket.run(r2Objects(env.BUCKET), answer)
  } catch (error) {
    return incomplete(received, error)
  }
}

/** The answer when the app could not start: a secret or a variable is missing, or is malformed. */
function incomplete({ url }: Request, error: unknown): Response {
  const request_id = random('req', systemClock.random(17))
  onError(request_id, error)
  const refused = refusal('unavailable', 'The deployment lacks a setting: its log names it.')
  const problem = problemDocument(refused, { instance: new URL(url).pathname, request_id })
  const headers = { 'content-type': PROBLEM_TYPE, 'retry-after': '60' }
  return Response.json(problem, { status: 503, headers })
}

/** It stays with the isolate once the admin key stands in the store. */
async function openApp(env: WorkerEnv): Promise<App> {
  const { world: composed, warnings } = compose(env)
  // Once for an isolate that answers requests, as other homes do when they start.
  if (!warned) for (const warning of warnings) console.warn(JSON.stringify({ warning }))
  warned = true
  const world: World = {
    ...composed,
    get objects() {
      return bucket.getStore() ?? r2Objects(env.BUCKET)
    },
  }
  const opened = createApp(world, {
    onError: (error, id) => onError(id, error),
    onRequest: requestLog(logOf(env)),
  }).app
  try {
    await adoptAdminKey(world, commonOptions(variablesOf(env)))
    app = opened
  } catch (error) {
    onError('admin key', error)
  }
  return opened
}

const DEAD = /-dead$/

/**
 * A failed pass is done all the same: the alarm brings the partition back (protocol rule 33).
 * Foreign messages end in the dead-letter queue, which logs them and lets them go.
 */
async function wakes(batch: MessageBatch, env: WorkerEnv): Promise<void> {
  if (DEAD.test(batch.queue)) {
    const { queue, messages } = batch
    for (const message of messages) {
      const { id, body } = message
      console.error(JSON.stringify({ alarm: 'dead letter', queue, id, body }))
      message.ack()
    }
    return
  }
  for (const message of batch.messages) {
    const wake = wakeOf(message.body)
    if (!wake) {
      message.retry()
      continue
    }
    try {
      await dispatch(worldOf(env), wake)
    } catch (error) {
      onError(wake.partition, error)
    }
    message.ack()
  }
}

/** 160 rows a second, in twenty statements. */
const SWEEP_PAGES = 20

/** Each minute: what is due becomes wakes; what has expired goes. */
async function minute(env: WorkerEnv): Promise<void> {
  const world = worldOf(env)
  try {
    await tick(world)
  } finally {
    await d1Store(env.DB).sweep(world.clock.now(), SWEEP_PAGES)
  }
}

export default {
  fetch: request,
  queue: wakes,
  scheduled: (_event: unknown, env: WorkerEnv): Promise<void> => minute(env),
}
