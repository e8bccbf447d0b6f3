/**
 * Defines the ports and a log: all external access of the engine, with the weakest guarantee that
 * each host must keep. Expected outcomes (a conflict, a refusal, an unavailable model) are values.
 * A port throws only for a bug, or if its host is broken beyond this one call.
 *
 * Adding an operation: 1 state the weakest guarantee here, 2 extend the contract suite in
 * test/contract, 3 implement it in hosts/memory, 4 then in the other hosts.
 */

import type { Bindings } from '../core/config/server/secret-binding.ts'
import type { Machine } from '../core/config/skill/gating.ts'
import type { RateLimits } from '../core/rate-limits.ts'
import type { Outcome } from '../lib/outcome.ts'
import type { Documents } from './documents.ts'
import type { Log } from './log.ts'
import type { Metrics } from './metrics.ts'
import type { Delta, Model } from './model.ts'
import type { Objects } from './objects.ts'
import type { Search } from './search.ts'
import type { Processes, Shell } from './shell.ts'
import type { Lane, Store } from './store.ts'
import type { Tools } from './tools.ts'
import type { Traces } from './traces.ts'

export * from './authorization.ts'
export * from './documents.ts'
export * from './log.ts'
export * from './metrics.ts'
export * from './model.ts'
export * from './objects.ts'
export * from './search.ts'
export * from './shell.ts'
export * from './store.ts'
export * from './tools.ts'
export * from './traces.ts'

export interface World {
  readonly store: Store
  readonly objects: Objects
  readonly queue: Queue
  readonly clock: Clock
  readonly model: Model
  readonly tools: Tools
  readonly web: Web
  readonly secrets: Secrets
  /** Document conversion; absent if unavailable (`settings.lacks`). */
  readonly documents?: Documents | undefined
  /** Shell commands; absent if unavailable (`settings.lacks`). */
  readonly shell?: Shell | undefined
  /** Long-running processes; absent if unavailable (`settings.lacks`). */
  readonly processes?: Processes | undefined
  /** Web search; absent if not configured (`settings.lacks`). */
  readonly search?: Search | undefined
  readonly feed: Feed
  readonly settings: Settings
  /** Machine that runs programs, if any. */
  readonly machine?: Machine | undefined
  /** Log of the operator, if any. */
  readonly log?: Log | undefined
  /** Exporter for the spans of ended runs; absent if traces are disabled. */
  readonly traces?: Traces | undefined
  /** Metrics, if the platform provides any. */
  readonly metrics?: Metrics | undefined
  /** Scheduler of a thread that tenants share; absent if the thread is not shared. */
  readonly pace?: Pace | undefined
  /** Scheduler for the requests of API keys. */
  readonly keyPace?: Pace | undefined
  /**
   * World for the request of a waiting client, which handles its first wake within the request. If
   * absent, wakes use the queue, which is equally fast.
   */
  readonly attended?: (() => World) | undefined
  /**
   * Returns the ID prefix for the tenant's next root run, so that root runs accepted together share
   * a location. If absent, each has a separate location.
   */
  readonly place?: ((tenant: string) => string) | undefined
}

export interface Pace {
  /** Waits until the next piece of work of this name may run; undefined means immediately. */
  turn(name: string, piece?: Piece): Promise<void> | undefined
}
interface Piece {
  /** Approximate number of characters that the piece reads or writes. */
  readonly length?: number
  /** True if a client waits for the response. */
  readonly isRequest?: boolean
}

/** Configuration of a deployment, as plain data. Times are in milliseconds. */
export interface Settings {
  /** Name of this worker process in leases. */
  readonly worker: string
  /** True if no other process can share the store; leases of other workers are then void. */
  readonly singleProcess: boolean
  /**
   * True if only this process runs passes over its partitions, although other processes read and
   * write them. Its passes ignore other workers' leases; its writes to other processes' partitions
   * do not. Default: `singleProcess`.
   */
  readonly soleWorker?: boolean | undefined
  /** True if related partitions are stored together, and children get matching names. */
  readonly placesByKin?: boolean | undefined
  /** True if a commit wakes its partition at the head's request, without a separate wake. */
  readonly wakesWithCommit?: boolean | undefined
  /** True if a request must not await a promise of another request. */
  readonly eventBound?: boolean | undefined
  /** Maximum time that results can stay uncommitted if no client waits for them. */
  readonly flushMs: number
  /**
   * Maximum time for which one invocation may advance a partition before it continues by a wake.
   */
  readonly sliceMs: number
  /** Time after which the platform ends an invocation; undefined means never. */
  readonly lifeMs?: number | undefined
  /** Maximum size of a body inside a fact, in bytes; larger bodies are stored by digest. */
  readonly spillBytes: number
  /** Number of facts between snapshots of a log; undefined means the engine's default. */
  readonly snapshotFacts?: number | undefined
  /** True if queued runs start in order of arrival, regardless of priority. */
  readonly keepsOrder?: boolean | undefined
  /** Maximum number of concurrent deliveries in this process; undefined if unknown. */
  readonly deliveries?: number | undefined
  readonly maxLiveChildren: number
  readonly maxDepth: number
  /** Default time to wait during a model outage, in seconds; 0 means three attempts. */
  readonly modelPatienceSeconds: number
  /** Retention of ended runs; null means unlimited. */
  readonly retentionMs: number | null
  /** Unavailable built-in tools, each with a description of what would enable it. */
  readonly lacks?: Readonly<Record<string, string>> | undefined
  /**
   * True if nothing starts: no pass, tick, outbound connection, or changing request. Absent means
   * false.
   */
  readonly paused?: boolean | undefined
  readonly allowStdioMcp: boolean
  /** Origin at which browsers reach this deployment; undefined means the origin of each request. */
  readonly publicUrl?: string | undefined
  /** Host names of this deployment; absent means that the platform routes only its names here. */
  readonly hosts?: readonly string[] | undefined
  /** Origins whose pages may read responses; absent means none. */
  readonly corsOrigins?: readonly string[] | undefined
  readonly allowLoopback: boolean
  /** Rate limits of each API key and tenant; absent means those of the limits table. */
  readonly rateLimits?: { readonly key: RateLimits; readonly tenant: RateLimits } | undefined
  /** Number of the operator's proxies that append to `X-Forwarded-For`; absent means none. */
  readonly trustedProxies?: number | undefined
}

// ── Queue: addresses, never commands ───────────────────────────────────────────────────────────

/**
 * Request for a pass over a partition. Duplicates and reordering are harmless; the tick recovers
 * losses.
 */
export interface Wake {
  readonly partition: string
  readonly lane: Lane
  /** True if the run has started, which gives it precedence over queued runs. */
  readonly started: boolean
  /** Number of consecutive wakes without a new fact; above a limit, the tick takes over. */
  readonly staleCount: number
  /**
   * Key of the mail that caused the wake; a worker that finds later mail leaves the pass to that
   * mail's wake.
   */
  readonly mail?: string | undefined
  /**
   * Priority among the tenant's queued runs, unless `Settings.keepsOrder` is set; absent means 0.
   */
  readonly priority?: number | undefined
  /** Length of the partition's log as known to the sender; short logs have no snapshot. */
  readonly facts?: number | undefined
  /** True if this pass may have crashed a worker; such passes are counted (protocol rule 34). */
  readonly suspect?: boolean | undefined
}

export interface Queue {
  /**
   * Sends wakes on a best-effort basis: `lost` if the queue refuses. There is no retry, because
   * `wakeAt` recovers lost wakes.
   */
  send(wakes: readonly Wake[], delayMs?: number): Promise<'ok' | 'lost'>
  /** Frees the lane's slot while a pass only waits; if absent, passes keep their slots. */
  leave?(partition: string): void
}

// ── Clock: time and randomness ─────────────────────────────────────────────────────────────────

export interface Clock {
  /** Returns whole milliseconds since 1970; may step back. */
  now(): number
  /** Returns milliseconds that never step back; only differences are meaningful. */
  monotonic(): number
  /** Resolves after `ms` milliseconds, or early when the signal aborts. Never rejects. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>
  /** Returns unpredictable bytes. */
  random(bytes: number): Uint8Array
}

// ── Web: outbound requests ─────────────────────────────────────────────────────────────────────

export interface WebRequest {
  readonly method: 'GET' | 'POST'
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string | undefined
  /** Total time, including connecting. */
  readonly timeoutMs: number
  /** Maximum number of decoded response bytes to keep; further bytes are dropped. */
  readonly maxBytes: number
  /**
   * Time for the body after the headers, once the status is known. A slower or broken body is cut.
   * If absent, such a body is a failure.
   */
  readonly bodyMs?: number | undefined
}
export interface WebAnswer {
  readonly status: number
  /** Headers with lower-case names. */
  readonly headers: Readonly<Record<string, string>>
  /** Body, decoded as UTF-8. */
  readonly body: string
  /** Raw bytes; absent if only `body` is available. */
  readonly bytes?: Uint8Array | undefined
  /** True if the body was cut. */
  readonly cut?: boolean | undefined
}
export interface Web {
  /** Checks the URL's text against the policy; returns a sentence if the URL is refused. */
  check(url: string): string | undefined
  /**
   * Sends one request without following redirects. Never throws; a failure is a sentence without
   * secrets.
   */
  send(request: WebRequest, signal?: AbortSignal): Promise<Outcome<WebAnswer, string>>
}

// ── Secrets ────────────────────────────────────────────────────────────────────────────────────

export interface Secrets {
  /** Returns the value of a tenant's secret at the time of use; never cached, never logged. */
  get(tenant: string, name: string): Promise<string | undefined>
  /** Returns only the names of a tenant's secrets, for diagnostics. */
  names(tenant: string): Promise<ReadonlySet<string>>
  /** Returns the allowed hosts of bound secrets; every sender of a secret checks these first. */
  bindings(tenant: string): Promise<Bindings>
  /** Encrypts for storage at rest, bound to `context` (AES-256-GCM, authenticated). */
  seal(text: string, context: string): Promise<string>
  /** Decrypts a text; undefined unless sealed by this deployment for this context. */
  open(sealed: string, context: string): Promise<string | undefined>
}

// ── Feed: immediate notifications, which may be lost ───────────────────────────────────────────

export type FeedItem =
  /**
   * Announces new rows in the partition, written by the worker `by`. With `mail`, that mail is the
   * only new row, so readers of other rows need not reread.
   */
  | {
      readonly type: 'changed'
      readonly by?: string | undefined
      readonly mail?: { readonly key: string; readonly fact: unknown } | undefined
    }
  /**
   * A piece of an answer. Epoch, step, and `began` (milliseconds since 1970) identify the model
   * call; `at` is the piece's offset in the text, in UTF-16 characters.
   */
  | {
      readonly type: 'delta'
      readonly epoch: number
      readonly step: number
      readonly began: number
      readonly at: number
      readonly delta: Delta
    }
  /** The model call has ended; the partition's next change contains its text. */
  | { readonly type: 'answered' }
  | { readonly type: 'ephemeral'; readonly name: string; readonly data: unknown }

export interface Feed {
  publish(partition: string, item: FeedItem): void
  /**
   * Calls the listener until the returned function is called. Items may be missed or repeated. With
   * `live`, model text is also fetched from other processes, starting with the current answer so
   * far.
   */
  subscribe(partition: string, listener: (item: FeedItem) => void, live?: boolean): () => void
  /**
   * Resolves when the head's version may have changed, or after `ms` milliseconds. Absent unless
   * this wait is cheaper than a subscription. Never rejects.
   */
  changed?(partition: string, version: number, ms: number): Promise<void>
}
