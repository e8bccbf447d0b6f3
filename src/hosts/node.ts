/**
 * Runs the server on Node: one process with SQLite, a directory, and in-process lanes, or one of
 * several processes on a cloud's store, bucket, and queue. Starts the HTTP server, the queue
 * consumer, and a clock.
 */

import { join } from 'node:path'
import { dispatch } from '../engine/dispatch.ts'
import { wasAway } from '../engine/partition/clock-steps.ts'
import { DEFAULT_TENANT } from '../engine/partition/keys.ts'
import { wakeRounds } from '../engine/rounds.ts'
import { ADMIN, createKey, noteShownKey } from '../engine/tenant/api-keys.ts'
import { beat } from '../engine/worker/beat.ts'
import { giveAllBack } from '../engine/worker/crash-count.ts'
import { endProcesses } from '../engine/worker/end-processes.ts'
import { resume } from '../engine/worker/tick.ts'
import { createApp } from '../http/app.ts'
import { isLoopback } from '../http/request/host-names.ts'
import type { SeenRequest } from '../http/request/request-log.ts'
import type { Log, Wake, World } from '../ports/world.ts'
import { processRole } from './aws/role.ts'
import { type AtWork, openAtWork } from './node/active-partitions.ts'
import { builtAssets } from './node/assets.ts'
import { listenForBackups } from './node/backup-socket.ts'
import { listen } from './node/listen.ts'
import { machineOf } from './node/machine.ts'
import { type NodeMetrics, nodeMetrics } from './node/metrics.ts'
import { modelFetch } from './node/model-fetch.ts'
import type { NodeOptions } from './node/options.ts'
import { pinnedFetch } from './node/outbound.ts'
import { ownAddresses } from './node/own-addresses.ts'
import { fairPace, HELD_OF_KEY } from './node/pace.ts'
import { sourceAssets } from './node/source-assets.ts'
import { openStdio } from './node/stdio.ts'
import { openFolder, openPorts } from './node-ports.ts'
import { openMachineSandbox } from './sandbox/open-sandbox.ts'
import { isolatedTools } from './sandbox/processes.ts'
import { systemClock } from './shared/clock.ts'
import { requestLog } from './shared/log.ts'
import { adoptAdminKey, composeWorld, type OnError } from './shared/world.ts'

export interface NodeHost {
  readonly url: string
  readonly world: World
  /** Warnings about the settings, logged for the operator at startup. */
  readonly warnings: readonly string[]
  /** Admin key that this start created; shown once and stored only as a hash. */
  readonly adminKey: string | undefined
  /**
   * Confirms that the admin key was shown, so that the next start creates no other key. After a
   * crash before this call, a key that was never shown remains.
   */
  keyShown(): Promise<void>
  /** Stops accepting work, allows active runs to reach a commit, and closes the store. */
  close(): Promise<void>
}

const NO_LOG: Log = { write() {} }

const SWEEP_MS = 60_000
/** Interval between checks whether a bucket sweep is due, in milliseconds. */
const OBJECTS_MS = 60_000
/** Maximum duration of a stop, in milliseconds; unfinished work is recovered at the next start. */
export const STOP_MS = 5_000
/** Part of the stop time in which active runs can reach a commit, in milliseconds. */
const FINISH_MS = 3_000
/**
 * Part of the stop time for request handlers whose connection is closed, in milliseconds; some
 * handlers only wait for a run.
 */
const ANSWER_MS = 1_000
/** Part of the stop time in which the store can finish its writes, in milliseconds. */
const CLOSE_MS = 1_000

/** Warns that requests to other host names are rejected until these names are configured. */
function nameWarnings({ host, limits: { hosts = [], publicUrl } }: NodeOptions): string[] {
  if (isLoopback(host) || hosts.length > 0 || publicUrl !== undefined) return []
  const remedy = 'set STRATA_PUBLIC_URL or STRATA_HOSTS to accept other names'
  return [`HOST=${host}, but the server accepts only requests to loopback names; ${remedy}`]
}

export async function startNode(
  options: NodeOptions,
  onError: OnError,
  log?: Log,
): Promise<NodeHost> {
  const handleWake = (wake: Wake): Promise<void> =>
    journal ? journal.during(wake.partition, () => dispatch(world, wake)) : dispatch(world, wake)
  const key = await openFolder(options)
  const metrics = nodeMetrics(options.metricsOpen)
  const ports = await openPorts(options, { handle: handleWake, onError, metrics })
  const store = metrics.store(ports.store)
  // From this line on, this process owns the store's lock.
  const { allowLoopback, allowStdioMcp, paused } = options.limits
  // A paused process is not recorded as alive, because run clocks stop during the pause.
  const hasJournal = ports.settings.singleProcess && !paused
  const journal = hasJournal ? openAtWork(join(options.dataDir, 'at-work')) : undefined
  const localAddresses = ownAddresses()
  const machine = machineOf(options.env, options.skillConfig)
  const confined = { hidden: [process.cwd(), options.dataDir], has: machine.has }
  const sandbox = options.allowShell ? await openMachineSandbox(confined) : undefined
  const composed = composeWorld({
    ...ports,
    store,
    options,
    key,
    own: localAddresses,
    connect: pinnedFetch({ allowLoopback, own: localAddresses }),
    modelFetch: modelFetch(),
    modelMeans: { credentials: processRole },
    stdio: allowStdioMcp ? openStdio : undefined,
    ...isolatedTools(),
    machineSandbox: sandbox,
    settings: { sliceMs: Number.MAX_SAFE_INTEGER, ...ports.settings },
    onError,
    log: metrics.log(log ?? NO_LOG),
    machine,
    pace: fairPace(),
    keyPace: fairPace(undefined, undefined, HELD_OF_KEY),
  })
  const { close } = composed
  const backups = ports.backup && (await listenForBackups(options.dataDir, ports.backup, onError))
  const warnings = [...composed.warnings, ...nameWarnings(options), ...(backups?.warnings ?? [])]
  const world = { ...composed.world, model: metrics.model(composed.world.model), metrics }
  const adminKey = (await adoptAdminKey(world, options)) ? undefined : await firstKey(world)
  const logged = log && requestLog(log)
  const onRequest = (request: SeenRequest): void => {
    metrics.request(request)
    logged?.(request)
  }
  const { app, routes } = createApp(world, {
    onError: (error, id) => onError(id, error),
    onRequest,
    assets: builtAssets() ?? sourceAssets(() => routes),
  })
  const server = await listen(app, options, onRequest)
  localAddresses.ports.add(Number(new URL(server.url).port || 80))
  // No other process can use this store, so all existing leases are void and recovery is immediate.
  if (journal) {
    if (journal.lastAlive !== undefined) wasAway(world, journal.lastAlive)
    await resume(world, journal.interrupted)
  }
  // A paused copy must not receive from the cloud's queue, which may belong to the original
  // deployment.
  if (!paused) ports.start()
  const timers = [
    every(ports.tickMs, () => clockBeat(world, journal, metrics), onError),
    every(SWEEP_MS, () => (paused ? undefined : ports.sweep(world.clock.now())), onError),
    every(OBJECTS_MS, () => wakeRounds(world), onError),
  ]
  return {
    url: server.url,
    world,
    warnings,
    adminKey,
    keyShown: () => noteShownKey(world, adminKey),
    async close() {
      const ticks = timers.map((timer) => timer.stop())
      await within(STOP_MS - CLOSE_MS, async () => {
        // Requests are stopped before passes; work in progress can still use the store.
        const requests = within(ANSWER_MS, () => Promise.all([server.close(), ...ticks]))
        await Promise.all([requests, ports.stop(FINISH_MS)])
        await Promise.all([giveAllBack(world), close(), sandbox?.ok && sandbox.value.close()])
      })
      backups?.close()
      journal?.close()
      await within(CLOSE_MS, ports.close)
    },
  }
}

async function clockBeat(
  world: World,
  journal: AtWork | undefined,
  metrics: NodeMetrics,
): Promise<void> {
  journal?.alive()
  const [beaten] = await Promise.all([beat(world), endProcesses(world)])
  metrics.beat(beaten)
}

/** Waits for the action `act` for at most `ms` milliseconds. */
async function within(ms: number, act: () => unknown): Promise<void> {
  const timer = new AbortController()
  const late = systemClock.sleep(ms, timer.signal)
  await Promise.race([act(), late]).finally(() => timer.abort('over'))
}

/** Creates a new admin key at each start until one was shown; only the key's hash is stored. */
async function firstKey(world: World): Promise<string | undefined> {
  const [adminRow] = await world.store.heads([ADMIN])
  return adminRow ? undefined : (await createKey(world, DEFAULT_TENANT, ['*'])).key
}

interface Repeating {
  /** Starts no further calls and waits for the call in progress. */
  stop(): Promise<void>
}

/** Calls `act` every `ms` milliseconds; skips a call while the previous call is running. */
function every(ms: number, act: () => unknown, onError: OnError): Repeating {
  let running: Promise<void> | undefined
  const call = async (): Promise<void> => {
    try {
      await act()
    } catch (error) {
      onError('timer', error)
    }
    running = undefined
  }
  const timer = setInterval(() => {
    running ??= call()
  }, ms)
  timer.unref()
  return {
    async stop() {
      clearInterval(timer)
      await running
    },
  }
}
