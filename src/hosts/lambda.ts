/**
 * AWS Lambda: one bundle, four handlers. `http` answers a function URL with streams, `work`
 * receives wakes from the lanes, `clock` is called each minute, and `dead` receives dead-letter
 * messages. The world is composed once per process from environment variables.
 */

import { AsyncLocalStorage } from 'node:async_hooks'
import { LIMITS } from '../core/limits.ts'
import { dispatch } from '../engine/dispatch.ts'
import { wakeRounds } from '../engine/rounds.ts'
import { beat } from '../engine/worker/beat.ts'
import { withMarker } from '../engine/worker/storage-marker.ts'
import { createApp } from '../http/app.ts'
import type { Log, World } from '../ports/world.ts'
import { measureLine, metricLine } from './aws/metrics.ts'
import { closed, originDoor } from './aws/origin-key.ts'
import { openObjects, openQueue, openStore } from './aws/ports.ts'
import { processRole } from './aws/role.ts'
import { answer, type Context, type LambdaRuntime, type StreamingHandler } from './aws/url.ts'
import { measured } from './metrics/measures.ts'
import { builtAssets } from './node/assets.ts'
import { modelFetch } from './node/model-fetch.ts'
import { pinnedFetch } from './node/outbound.ts'
import { isolatedTools } from './sandbox/processes.ts'
import { attendedWorld } from './shared/attended-request.ts'
import { systemClock } from './shared/clock.ts'
import { createLog, failureEntry, logFields, requestLog } from './shared/log.ts'
import { CLOUD_SETTINGS, commonOptions, type Environment } from './shared/options.ts'
import { masterKeyFrom } from './shared/secrets.ts'
import { wakeOf } from './shared/wake.ts'
import { adoptAdminKey, type Composed, composeWorld, type OnError } from './shared/world.ts'

export interface SqsEvent {
  readonly Records: readonly { readonly messageId: string; readonly body: string }[]
}
export interface SqsAnswer {
  readonly batchItemFailures: readonly { readonly itemIdentifier: string }[]
}

export interface LambdaHandlers {
  readonly http: StreamingHandler
  readonly work: (event: SqsEvent, context: Context) => Promise<SqsAnswer>
  readonly clock: () => Promise<void>
}

/**
 * Time slice of a pass in milliseconds: a third of a function's time limit, so that started effects
 * have time to end.
 */
const SLICE_MS = 300_000
/** Minimum remaining time of a function for starting a pass, in milliseconds. */
const LEAST_MS = 60_000

export type Print = (line: string) => void

export function lambdaHandlers(
  env: Environment,
  runtime: LambdaRuntime,
  print: Print,
  assets = builtAssets(),
): LambdaHandlers {
  const lines = createLog({ level: commonOptions(env, HOME).logLevel, sink: print })
  const log = measured(lines, (measure) => {
    const line = measureLine(measure, Date.now())
    if (line !== undefined) print(line)
  })
  // Logs a failure as a line that a CloudWatch alarm also counts.
  const onError = (where: string, error: unknown): void =>
    print(metricLine({ Errors: 1 }, Date.now(), logFields(failureEntry(where, error))))
  const { world, warnings } = lambdaWorld(env, onError, log)
  const requests = new AsyncLocalStorage<Invocation>()
  for (const warning of warnings) print(JSON.stringify({ warning }))
  const attended = (): World => attendedIn(world, requests.getStore(), onError)
  const { app } = createApp(
    { ...world, attended },
    {
      onError: (error, id) => onError(id, error),
      onRequest: requestLog(log),
      assets,
    },
  )
  const door = originDoor(env)
  // Adoption of the admin key, performed once per process; after a failure, the next request
  // retries.
  let adopted: Promise<unknown> | undefined
  const adopt = (): Promise<unknown> => {
    adopted ??= adoptAdminKey(world, commonOptions(env, HOME)).catch((error: unknown) => {
      adopted = undefined
      onError('admin key', error)
    })
    return adopted
  }
  return {
    http: runtime.streamifyResponse(async (event, stream, context) => {
      const admitted = door(event)
      if (!admitted) return answer(closed, event, stream, { runtime, context })
      await adopt()
      const passes: Promise<void>[] = []
      await requests.run({ context, passes }, () =>
        answer(app, admitted, stream, { runtime, context }),
      )
      // Lambda stops all work with the handler, so the remaining passes are awaited after the
      // response.
      await Promise.all(passes)
    }),
    work: (event, context) => work(world, event, context, onError),
    clock: () => clock(world, print),
  }
}

/** Call of a Lambda function, and the passes that must end before the call ends. */
interface Invocation {
  readonly context: Context
  readonly passes: Promise<void>[]
}

function attendedIn(world: World, request: Invocation | undefined, onError: OnError): World {
  const lifeMs = request?.context.getRemainingTimeInMillis() ?? 0
  if (!request || lifeMs < LEAST_MS) return world
  return attendedWorld({
    world: { ...world, settings: { ...world.settings, lifeMs } },
    hold: (pass) => request.passes.push(pass),
    onError: (error, { partition }) => onError(partition, error),
  })
}

/** Platform capabilities of Lambda: the function has a role. */
const HOME = { role: true } as const

function lambdaWorld(env: Environment, onError: OnError, log: Log): Composed {
  const options = commonOptions(env, HOME)
  const objects = openObjects(env)
  const { limits } = options
  const store = openStore(env, objects)
  const standsMs = LIMITS.storage_marker_seconds * 1_000
  return composeWorld({
    store,
    objects: withMarker(objects, { store: () => store, clock: systemClock, standsMs }),
    queue: openQueue(env),
    options: { ...options, limits: { ...limits, allowStdioMcp: false } },
    key: masterKeyFrom(env),
    connect: pinnedFetch({ allowLoopback: limits.allowLoopback }),
    modelFetch: modelFetch(),
    ...isolatedTools(),
    modelMeans: { credentials: processRole },
    settings: { ...CLOUD_SETTINGS, sliceMs: SLICE_MS, keepsOrder: true },
    onError,
    log,
  })
}

/**
 * Runs passes for wakes. A failed pass also counts as done: the alarm retries the partition
 * (PROTOCOL.md rule 33). Wakes return to the queue if there was no time for their pass, or if
 * another deployment sent them. The latter end in the dead-letter queue, where a person is
 * notified.
 */
async function work(
  world: World,
  { Records }: SqsEvent,
  context: Context,
  onError: OnError,
): Promise<SqsAnswer> {
  const failed: string[] = []
  for (const { messageId, body } of Records) {
    const wake = wakeOf(body)
    const lifeMs = context.getRemainingTimeInMillis()
    if (!wake || lifeMs < LEAST_MS) {
      failed.push(messageId)
      continue
    }
    try {
      await dispatch({ ...world, settings: { ...world.settings, lifeMs } }, wake)
    } catch (error) {
      onError(wake.partition, error)
    }
  }
  return { batchItemFailures: failed.map((itemIdentifier) => ({ itemIdentifier })) }
}

async function clock(world: World, print: Print): Promise<void> {
  const now = world.clock.now()
  const { due, oldestDueSeconds } = await beat(world)
  await wakeRounds(world)
  print(metricLine({ Due: due, OldestDueSeconds: oldestDueSeconds }, now))
}

/**
 * Counts dead-letter messages and drops them; only the log of a partition determines its state
 * (PROTOCOL.md rule 33).
 */
export const deadLetters =
  (print: Print) =>
  async ({ Records }: SqsEvent): Promise<SqsAnswer> => {
    const messages = Records.map(({ body }) => body.slice(0, 1_000))
    print(metricLine({ DeadLetters: Records.length }, Date.now(), { messages }))
    return { batchItemFailures: [] }
  }
