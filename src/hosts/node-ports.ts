/**
 * Provides the storage and queue of a Node process: local storage (SQLite, a folder, in-process
 * lanes), or a cloud's store, bucket, and queue. Local storage belongs to one process; cloud
 * storage can be shared. Cloud clients are loaded on first use.
 */

import { existsSync } from 'node:fs'
import { chmod, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { LIMITS } from '../core/limits.ts'
import { withMarker } from '../engine/worker/storage-marker.ts'
import { tellingTrouble } from '../lib/unavailable.ts'
import type { Objects, Queue, Settings, Store, Wake } from '../ports/world.ts'
import { DATABASE } from './node/backup.ts'
import type { BackupSource } from './node/backup-socket.ts'
import { type DeferredDeletes, deferredDeletes } from './node/deferred-deletes.ts'
import { openFiles } from './node/files.ts'
import { isTrouble, startTrouble } from './node/machine-failures.ts'
import type { NodeMetrics } from './node/metrics.ts'
import type { NodeOptions } from './node/options.ts'
import { lanes } from './node/queue.ts'
import { masterKey } from './node/secrets.ts'
import { openSqlite } from './node/sqlite.ts'
import { systemClock } from './shared/clock.ts'
import { CLOUD_SETTINGS } from './shared/options.ts'
import { masterKeyFrom } from './shared/secrets.ts'

export interface NodePorts {
  readonly store: Store
  readonly objects: Objects
  readonly queue: Queue
  readonly settings: Pick<
    Settings,
    'singleProcess' | 'spillBytes' | 'flushMs' | 'deliveries' | 'keepsOrder'
  >
  /**
   * Interval of the clock in milliseconds; longer for a cloud store, where each query for due rows
   * costs money.
   */
  readonly tickMs: number
  /** Starts receiving wakes from the queue. */
  start(): void
  /** Stops receiving wakes and waits at most `waitMs` milliseconds for handlers in progress. */
  stop(waitMs: number): Promise<unknown>
  /** Deletes expired rows if the store does not delete them automatically. */
  sweep(now: number): Promise<void>
  /** Closes the store; settles when all accepted writes are stored. */
  close(): unknown
  /** Source of backups; undefined if this machine stores no data. */
  readonly backup?: BackupSource | undefined
}

export interface Doors {
  readonly handle: (wake: Wake) => Promise<void>
  readonly onError: (where: string, error: unknown) => void
  readonly metrics: NodeMetrics
}

/** Maximum number of sweep pages per minute: 1,600 rows per second, more than runs leave behind. */
const SWEEP_PAGES = 200
const LOCAL_TICK_MS = 1_000
const CLOUD_TICK_MS = 10_000
/**
 * Time for which a marker check of local files stays valid, in milliseconds; reading the marker
 * takes microseconds.
 */
const LOCAL_MARKER_MS = 50
const LOCAL_SPILL = 32_768
const LOCAL_FLUSH_MS = 250

export async function openPorts(options: NodeOptions, doors: Doors): Promise<NodePorts> {
  const { objects, defer } = deferredDeletes(await openObjects(options))
  if (options.objects === 's3') await reach(options, 'STRATA_BUCKET', () => objects.list('_/'))
  const statePorts =
    options.store === 'sqlite' ? await local(options, defer) : await cloud(options, objects)
  if (options.store === 'dynamodb')
    await reach(options, 'STRATA_TABLE', () => statePorts.store.heads(['_/start']))
  const standsMs =
    options.objects === 'files' ? LOCAL_MARKER_MS : LIMITS.storage_marker_seconds * 1_000
  const marked = withMarker(objects, {
    store: () => statePorts.store,
    clock: systemClock,
    standsMs,
  })
  const wakes = options.queue === 'memory' ? inProcess(options, doors) : await bySqs(options, doors)
  const { delivery, background } = options.widths
  // A cloud's queue transports webhook deliveries in the background lane.
  const deliveries = options.queue === 'memory' ? delivery : background
  const keepsOrder = options.queue !== 'memory'
  const settings = { ...statePorts.settings, deliveries, ...(keepsOrder ? { keepsOrder } : {}) }
  return { ...statePorts, ...wakes, objects: marked, settings }
}

/**
 * Opens the data folder and its sealing key before all other storage. Throws a one-line error if
 * the folder is unusable or the database's key is missing.
 */
export async function openFolder(options: NodeOptions): Promise<Uint8Array> {
  const { dataDir, env, store } = options
  return explainErrors(dataDir, async () => {
    if (isLocal(options)) await ownFolder(dataDir)
    if (env.STRATA_MASTER_KEY !== undefined || store !== 'sqlite') return masterKeyFrom(env)
    const path = join(dataDir, 'master.key')
    if (existsSync(path) || !existsSync(join(dataDir, DATABASE))) return masterKey(path)
    throw new Error(
      `${path} is missing from the folder of ${DATABASE}; no other key can decrypt the ` +
        'stored secrets. Restore the file, or set STRATA_MASTER_KEY to its 64 hex digits.',
    )
  })
}

/** Restricts the data folder to its owner, because it stores transcripts and settings. */
async function ownFolder(dataDir: string): Promise<void> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  // An existing data folder may be readable by other users.
  await chmod(dataDir, 0o700)
}

async function explainErrors<T>(dataDir: string, act: () => Promise<T>): Promise<T> {
  try {
    return await act()
  } catch (error) {
    const sentence = startTrouble(error, dataDir)
    throw sentence === undefined ? error : new Error(sentence, { cause: error })
  }
}

/** Reads from the service once, so that a wrong setting fails at startup, not in a run. */
async function reach(
  { env }: NodeOptions,
  name: string,
  probe: () => Promise<unknown>,
): Promise<void> {
  try {
    await probe()
  } catch (error) {
    const { name: kind, message } = ((error as Error).cause ?? error) as Error
    const description = [kind, message]
      .filter((word) => !/^(?:Error|UnknownError)$/.test(word))
      .join(': ')
    const region = env.AWS_REGION === undefined ? ' (AWS_REGION is not set)' : ''
    throw new Error(`${name}=${env[name]} cannot be read: ${description}${region}`)
  }
}

const isLocal = ({ store, objects }: NodeOptions): boolean =>
  store === 'sqlite' || objects === 'files'

async function openObjects({ objects, dataDir, env }: NodeOptions): Promise<Objects> {
  if (objects === 'files') {
    const files = await explainErrors(dataDir, async () => openFiles(join(dataDir, 'objects')))
    return tellingTrouble(files, isTrouble)
  }
  const aws = await import('./aws/ports.ts')
  return aws.openObjects(env)
}

type StatePorts = Pick<NodePorts, 'store' | 'settings' | 'tickMs' | 'sweep' | 'close' | 'backup'>
type Wakes = Pick<NodePorts, 'queue' | 'start' | 'stop'>

async function local(
  { dataDir }: NodeOptions,
  deferDeletes: DeferredDeletes['defer'],
): Promise<StatePorts> {
  const store = await explainErrors(dataDir, () => openSqlite(join(dataDir, DATABASE)))
  return {
    store: tellingTrouble<Store>(store, isTrouble),
    settings: { singleProcess: true, spillBytes: LOCAL_SPILL, flushMs: LOCAL_FLUSH_MS },
    tickMs: LOCAL_TICK_MS,
    sweep: (now) => store.sweep(now, SWEEP_PAGES),
    close: store.close,
    backup: { copyDatabase: store.copyTo, deferDeletes },
  }
}

async function cloud({ env }: NodeOptions, objects: Objects): Promise<StatePorts> {
  const aws = await import('./aws/ports.ts')
  return {
    store: aws.openStore(env, objects),
    settings: CLOUD_SETTINGS,
    tickMs: CLOUD_TICK_MS,
    // Expired rows are deleted by the TTL of the DynamoDB table.
    sweep: async () => {},
    close: () => {},
  }
}

function inProcess({ widths }: NodeOptions, { handle, onError, metrics }: Doors): Wakes {
  const report = (error: unknown, wake: Wake): void => onError(wake.partition, error)
  const queue = lanes({ widths, handle, onError: report, onWaited: metrics.waited })
  metrics.lanes(queue.load)
  return { queue, start: () => {}, stop: queue.stop }
}

async function bySqs({ widths, env }: NodeOptions, doors: Doors): Promise<Wakes> {
  const [aws, { sqsQueue }, { pollQueues }] = await Promise.all([
    import('./aws/ports.ts'),
    import('./aws/sqs.ts'),
    import('./aws/poll.ts'),
  ])
  const { client, urls } = aws.openQueues(env)
  let poller: ReturnType<typeof pollQueues> | undefined
  return {
    queue: sqsQueue(client, urls),
    start() {
      poller = pollQueues({ client, urls, widths, ...doors })
    },
    stop: async (waitMs) => poller?.stop(waitMs),
  }
}
