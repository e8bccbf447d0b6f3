/**
 * Cloudflare Workers: requests and the minute's clock come to this program; runs are made by
 * objects (`cloudflare/partition-object.ts`), one for each, which answer the calls of both. Each
 * event composes a world of its own, because connections and waiting promises of one event must
 * not be touched by another; only the app stays with the isolate. What requests may wait for
 * together (a body on its way to the bucket, a command in line, a time-out) hangs on the bucket,
 * which each has anew: promises and timers of one that its client has left never settle.
 */

import { AsyncLocalStorage } from 'node:async_hooks'
import { refusal } from '../core/problem.ts'
import { shareMemory } from '../engine/partition/process.ts'
import { mark } from '../engine/worker/beat.ts'
import { objectsWithTimeouts } from '../engine/worker/port-timeouts.ts'
import { wakeSweep } from '../engine/worker/sweep.ts'
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

/** Nothing is passed over where this world is: it has no slice. */
const compose = (env: WorkerEnv): Composed =>
  composeWorker(env, {
    store: storeOf(env),
    queue: objectQueue({ objects: env.PARTITIONS }),
    feed: followingFeed(env.PARTITIONS, (error) => onError('following', error)),
    settings: { sliceMs: 0, wakesWithCommit: true, placesByKin: true, eventBound: true },
    eventOf: () => bucket.getStore() ?? env,
  })

let app: App | undefined
/** For all requests that come to this isolate. */
const place = sharedPlaces(systemClock)
let warned = false
/** The bucket of the request that is being answered: it knows of no other's writes. */
const bucket = new AsyncLocalStorage<Objects>()

function objectsFor(env: WorkerEnv): Objects {
  const objects = objectsWithTimeouts(bucketOf(env), systemClock)
  shareMemory(objects, env.BUCKET)
  return objects
}

async function request(received: Request, env: WorkerEnv): Promise<Response> {
  // The platform repairs the path before it can be read: the original is unknown.
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

/** A body that a build has compressed is sent as it is: the platform would compress it again. */
function asEncoded(response: Response): Response {
  const { body, headers, status } = response
  if (!headers.has('content-encoding')) return response
  const init: ResponseInit & { encodeBody: 'manual' } = { headers, status, encodeBody: 'manual' }
  return new Response(body, init)
}

/** The answer when the app could not start: a secret or a variable is missing, or is malformed. */
function incomplete({ url }: Request, error: unknown): Response {
  const request_id = random('req', systemClock.random(17))
  onError(request_id, error)
  const unavailable = refusal(
    'unavailable',
    'The deployment is missing a setting; its log names it.',
  )
  const problem = problemDocument(unavailable, { instance: new URL(url).pathname, request_id })
  const headers = { 'content-type': PROBLEM_TYPE, 'retry-after': '60' }
  return Response.json(problem, { status: 503, headers })
}

/** Kept by the isolate once the admin key is in the store. */
async function openApp(env: WorkerEnv): Promise<App> {
  const { world: composed, warnings } = compose(env)
  // Once for an isolate that answers requests, as other homes do when they start.
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

/** A thousand rows a second; it ends with the first page that comes short. */
const SWEEP_PAGES = 130

/** Removes what has expired; all that is due has an object, whose alarm wakes it. */
async function minute(env: WorkerEnv): Promise<void> {
  await d1Store(env.DB).sweep(systemClock.now(), SWEEP_PAGES)
  await wakeSweep(compose(env).world)
  // The lateness of alarms is unknown, because not all objects can be asked.
  await mark({ store: storeOf(env), clock: systemClock }, null)
}

export default {
  fetch: request,
  scheduled: (_event: unknown, env: WorkerEnv): Promise<void> => minute(env),
}
