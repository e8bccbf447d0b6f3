/**
 * Cloudflare Workers entry point. Requests and the cron trigger arrive here, and each run has a
 * Durable Object (`cloudflare/partition-object.ts`). Each event creates a separate world, because
 * events must not share connections and pending promises. Only the app is kept per isolate. State
 * that requests may await together (a body upload, a queued command, a time-out) belongs to the
 * bucket, which is created per request. Promises and timers of a disconnected request never settle.
 */

import { AsyncLocalStorage } from 'node:async_hooks'
import { refusal } from '../core/problem.ts'
import { shareMemory } from '../engine/partition/process.ts'
import { wakeRounds } from '../engine/rounds.ts'
import { type CipherOf, encryptedObjects } from '../engine/tenant/encrypted-ports.ts'
import { mark } from '../engine/worker/beat.ts'
import { objectsWithTimeouts } from '../engine/worker/port-timeouts.ts'
import { createApp } from '../http/app.ts'
import { PROBLEM_TYPE, problemDocument } from '../http/request/problem.ts'
import type { App } from '../http/request/route.ts'
import { random } from '../lib/id.ts'
import type { Objects, World } from '../ports/world.ts'
import {
  bucketOf,
  composeWorker,
  logOf,
  onError,
  optionsOf,
  storeOf,
  type WorkerEnv,
} from './cloudflare/compose.ts'
import { sharedPlaces } from './cloudflare/places.ts'
import { boundAssets } from './cloudflare/ports/assets.ts'
import { d1Store } from './cloudflare/ports/d1.ts'
import { followingFeed } from './cloudflare/ports/feed.ts'
import { objectQueue } from './cloudflare/ports/queue.ts'
import { systemClock } from './shared/clock.ts'
import { requestLog } from './shared/log.ts'
import type { Composed } from './shared/world.ts'
import { adoptAdminKey } from './shared/world.ts'

export { LaneObject } from './cloudflare/lanes/lane-object.ts'
export { Outbound } from './cloudflare/object/outbound.ts'
export { PartitionObject } from './cloudflare/object/partition-object.ts'

/** Composes the world for requests without a time slice, because passes run in Durable Objects. */
const compose = (env: WorkerEnv): Composed =>
  composeWorker(env, {
    store: storeOf(env),
    queue: objectQueue({ objects: env.PARTITIONS }),
    feed: followingFeed(env.PARTITIONS, (error) => onError('following', error)),
    settings: { sliceMs: 0, wakesWithCommit: true, placesByKin: true, eventBound: true },
    eventOf: () => bucket.getStore() ?? env,
  })

let app: App | undefined
/** Cipher of the world of `app`, which exists before a request reads an object. */
let cipherOf: CipherOf
/** State shared by all requests of this isolate. */
const place = sharedPlaces(systemClock)
let warned = false
/** Bucket of the current request, which does not share the writes of other requests. */
const bucket = new AsyncLocalStorage<Objects>()

function objectsFor(env: WorkerEnv): Objects {
  const encrypted = encryptedObjects(bucketOf(env), (tenant) => cipherOf(tenant))
  const objects = objectsWithTimeouts(encrypted, systemClock)
  shareMemory(objects, env.BUCKET)
  return objects
}

async function request(received: Request, env: WorkerEnv): Promise<Response> {
  // The platform normalizes the path before the app reads it, so the original path is unknown.
  const answer = async () =>
    (app ?? (await openApp(env))).fetch(received, {
      address: received.headers.get('cf-connecting-ip') ?? undefined,
    })
  try {
    return asEncoded(await bucket.run(objectsFor(env), answer))
  } catch (error) {
    return incomplete(received, error)
  }
}

/**
 * Sends a precompressed response body unchanged; the platform would otherwise compress it again.
 */
function asEncoded(response: Response): Response {
  const { body, headers, status } = response
  if (!headers.has('content-encoding')) return response
  const init: ResponseInit & { encodeBody: 'manual' } = { headers, status, encodeBody: 'manual' }
  return new Response(body, init)
}

/**
 * Returns the response for a failed startup, when a secret or a variable is missing or malformed.
 */
function incomplete({ url }: Request, error: unknown): Response {
  const request_id = random('req', systemClock.random(17))
  onError(request_id, error)
  const unavailable = refusal(
    'unavailable',
    "A setting is missing from the deployment; see the deployment's log for its name.",
  )
  const problem = problemDocument(unavailable, { instance: new URL(url).pathname, request_id })
  const headers = { 'content-type': PROBLEM_TYPE, 'retry-after': '60' }
  return Response.json(problem, { status: 503, headers })
}

/** Creates the app; the isolate keeps the app once the admin key is stored. */
async function openApp(env: WorkerEnv): Promise<App> {
  const { world: composed, warnings, cipherOf: openCipher } = compose(env)
  cipherOf = openCipher
  // Warnings are logged once per isolate that serves requests, as other platforms log them at
  // startup.
  if (!warned) for (const warning of warnings) console.warn(JSON.stringify({ warning }))
  warned = true
  const world: World = {
    ...composed,
    place,
    get objects() {
      return bucket.getStore() ?? objectsFor(env)
    },
  }
  const opened = createApp(world, {
    onError: (error, id) => onError(id, error),
    onRequest: requestLog(logOf(env)),
    assets: boundAssets(env.ASSETS),
  }).app
  try {
    await adoptAdminKey(world, optionsOf(env))
    app = opened
  } catch (error) {
    onError('admin key', error)
  }
  return opened
}

/**
 * Maximum number of pages per sweep, enough for a thousand rows per second; the sweep ends with the
 * first incomplete page.
 */
const SWEEP_PAGES = 130

/** Deletes expired rows every minute. Due rows belong to a Durable Object, whose alarm wakes it. */
async function minute(env: WorkerEnv): Promise<void> {
  await d1Store(env.DB).sweep(systemClock.now(), SWEEP_PAGES)
  await wakeRounds(compose(env).world)
  // The delay of alarms is unknown, because not all Durable Objects can be queried.
  await mark({ store: storeOf(env), clock: systemClock }, null)
}

export default {
  fetch: request,
  scheduled: (_event: unknown, env: WorkerEnv): Promise<void> => minute(env),
}
