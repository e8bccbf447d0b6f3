/**
 * Defines the ports, which provide all external access of the engine, with the weakest guarantee
 * that each platform must keep. Expected outcomes (a conflict, a rejection, an unavailable model)
 * are values. A port throws only for a bug, or if its platform is broken beyond a single call.
 *
 * To add an operation: 1. state the weakest guarantee here; 2. extend the contract suite in
 * test/contract; 3. implement the operation in hosts/memory; 4. then in the other hosts.
 */

import type { Machine } from '../core/config/skill/gating.ts'
import type { Issuer } from '../core/issuer.ts'
import type { RateLimits } from '../core/rate-limits.ts'
import type { QuotaKey } from '../core/tenant-quotas.ts'
import type { Outcome } from '../lib/outcome.ts'
import type { Documents } from './documents.ts'
import type { Log } from './log.ts'
import type { Metrics } from './metrics.ts'
import type { Delta, Model } from './model.ts'
import type { Objects } from './objects.ts'
import type { RequestOrigin } from './origin.ts'
import type { Search } from './search.ts'
import type { Secrets } from './secrets.ts'
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
export * from './origin.ts'
export * from './search.ts'
export * from './secrets.ts'
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
  /** Document converter; absent if unavailable (`settings.lacks` states the reason). */
  readonly documents?: Documents | undefined
  /** Shell for commands; absent if unavailable (`settings.lacks` states the reason). */
  readonly shell?: Shell | undefined
  /** Long-running processes; absent if unavailable (`settings.lacks` states the reason). */
  readonly processes?: Processes | undefined
  /** Web search; absent if not configured (`settings.lacks` states the reason). */
  readonly search?: Search | undefined
  readonly feed: Feed
  readonly settings: Settings
  /** Machine that can run programs; absent on platforms without one. */
  readonly machine?: Machine | undefined
  /** Log for the operator; absent if the platform keeps none. */
  readonly log?: Log | undefined
  /** Exporter for spans of ended runs; absent if traces are disabled. */
  readonly traces?: Traces | undefined
  /** Metrics of the process; absent if the platform provides none. */
  readonly metrics?: Metrics | undefined
  /** Scheduler for a thread that tenants share; absent if the thread is not shared. */
  readonly pace?: Pace | undefined
  /** Scheduler that shares the thread between the requests of API keys. */
  readonly keyPace?: Pace | undefined
  /** Returns a world that handles a waiting client's first wake; else wakes use the queue. */
  readonly attended?: (() => World) | undefined
  /**
   * Returns the ID prefix for the tenant's next root run, so that root runs accepted together share
   * a location. If absent, each root run has a separate location.
   */
  readonly place?: ((tenant: string) => string) | undefined
  /** Origin of the request that this world serves, if any. */
  readonly origin?: RequestOrigin | undefined
  /** ID of the API key behind the request's credential; absent for an identity or without one. */
  readonly keyId?: string | undefined
  /** API key whose quotas count the run that this world serves, if any. */
  readonly runKey?: QuotaKey | undefined
}

export interface Pace {
  /** Waits until the next piece of work of this name may run; undefined means immediately. */
  turn(name: string, piece?: Piece): Promise<void> | undefined
}
interface Piece {
  /** Approximate number of characters that the unit of work reads or writes. */
  readonly length?: number
  /** True if a client waits for the work's result. */
  readonly isRequest?: boolean
}

/** Configuration of a deployment, as plain data. Times are in milliseconds. */
export interface Settings {
  /** Name of this worker process, recorded in leases. */
  readonly worker: string
  /** True if no other process can share the store, so leases of other workers are void. */
  readonly singleProcess: boolean
  /**
   * True if only this process runs passes over its partitions, although other processes read and
   * write them. Its passes ignore other workers' leases; its writes to other processes' partitions
   * respect them. Default: `singleProcess`.
   */
  readonly soleWorker?: boolean | undefined
  /** True if related partitions are stored together, and children get matching names. */
  readonly placesByKin?: boolean | undefined
  /** True if a commit can wake its partition when the head requests it, without a separate wake. */
  readonly wakesWithCommit?: boolean | undefined
  /** True if a request must not await a promise that another request created. */
  readonly eventBound?: boolean | undefined
  /** Maximum time for which results may stay uncommitted if no client waits for them. */
  readonly flushMs: number
  /**
   * Maximum time for which one invocation may advance a partition before a wake continues the work.
   */
  readonly sliceMs: number
  /** Time after which the platform ends an invocation; undefined if invocations have no limit. */
  readonly lifeMs?: number | undefined
  /** Maximum size of a body inside a fact, in bytes; larger bodies are stored by digest. */
  readonly spillBytes: number
  /** Number of facts between two snapshots of a log; undefined selects the engine's default. */
  readonly snapshotFacts?: number | undefined
  /** True if queued runs start in order of arrival, regardless of their priority. */
  readonly keepsOrder?: boolean | undefined
  /** Maximum number of concurrent webhook deliveries in this process; undefined if unknown. */
  readonly deliveries?: number | undefined
  readonly maxLiveChildren: number
  readonly maxDepth: number
  /** Default time that runs wait during a model outage, in seconds; 0 means three attempts. */
  readonly modelPatienceSeconds: number
  /** Time for which ended runs are kept; null if they are kept indefinitely. */
  readonly retentionMs: number | null
  /** The same for audit entries; also indefinite if absent. */
  readonly auditRetentionMs?: number | null | undefined
  /** Unavailable built-in tools by name, each with a description of what would enable the tool. */
  readonly lacks?: Readonly<Record<string, string>> | undefined
  /**
   * True if the server starts no work: no pass, tick, outbound connection, or changing request.
   * Defaults to false.
   */
  readonly paused?: boolean | undefined
  readonly allowStdioMcp: boolean
  /** Origin at which browsers reach this deployment; undefined means the origin of each request. */
  readonly publicUrl?: string | undefined
  /** OpenID Connect issuers whose tokens authenticate requests; absent if there are none. */
  readonly issuers?: readonly Issuer[] | undefined
  /** Host names of this deployment; absent means that the platform routes only its names here. */
  readonly hosts?: readonly string[] | undefined
  /** Origins whose pages may read responses (CORS); if absent, no origin is allowed. */
  readonly corsOrigins?: readonly string[] | undefined
  readonly allowLoopback: boolean
  /** Rate limits for each API key and tenant; default to those of the limits table. */
  readonly rateLimits?: { readonly key: RateLimits; readonly tenant: RateLimits } | undefined
  /** Number of the operator's proxies that append to `X-Forwarded-For`; defaults to none. */
  readonly trustedProxies?: number | undefined
}

// ── Queue: addresses, never commands ───────────────────────────────────────────────────────────

/**
 * Request for a pass over a partition. Duplicate and reordered wakes are harmless; the tick
 * recovers lost wakes.
 */
export interface Wake {
  readonly partition: string
  readonly lane: Lane
  /** True if the run has started; started runs take precedence over queued runs. */
  readonly started: boolean
  /** Number of consecutive wakes without a new fact; above a threshold, the tick takes over. */
  readonly staleCount: number
  /**
   * Key of the mail that caused the wake. A worker that finds later mail leaves the pass to the
   * later mail's wake.
   */
  readonly mail?: string | undefined
  /**
   * Priority among the tenant's queued runs, unless `Settings.keepsOrder` is set; absent means 0.
   */
  readonly priority?: number | undefined
  /** Length of the partition's log as known to the sender; short logs have no snapshot. */
  readonly facts?: number | undefined
  /** True if this pass may have crashed a worker; such passes are counted (PROTOCOL.md rule 34). */
  readonly suspect?: boolean | undefined
}

export interface Queue {
  /**
   * Sends wakes on a best-effort basis; resolves to `lost` if the queue rejects them. Sending is
   * not retried, because `wakeAt` recovers lost wakes.
   */
  send(wakes: readonly Wake[], delayMs?: number): Promise<'ok' | 'lost'>
  /** Frees the lane's slot while a pass only waits; if absent, waiting passes keep their slots. */
  leave?(partition: string): void
}

// ── Clock: time and randomness ─────────────────────────────────────────────────────────────────

export interface Clock {
  /** Returns the current time in whole milliseconds since 1970; the time may step back. */
  now(): number
  /** Returns a time in milliseconds that never steps back; only differences are meaningful. */
  monotonic(): number
  /** Resolves after `ms` milliseconds, or earlier if the signal aborts. Never rejects. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>
  /** Returns unpredictable random bytes. */
  random(bytes: number): Uint8Array
}

// ── Web: outbound requests ─────────────────────────────────────────────────────────────────────

export interface WebRequest {
  readonly method: 'GET' | 'POST'
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string | undefined
  /** Maximum total time of the request, including connecting, in milliseconds. */
  readonly timeoutMs: number
  /** Maximum number of decoded response bytes to keep; further bytes are dropped. */
  readonly maxBytes: number
  /**
   * Maximum time for the body after the status and headers were received, in milliseconds. A slower
   * or broken body is truncated. If absent, such a body is a failure.
   */
  readonly bodyMs?: number | undefined
}
export interface WebAnswer {
  readonly status: number
  /** Response headers with lower-case names. */
  readonly headers: Readonly<Record<string, string>>
  /** Response body, decoded as UTF-8. */
  readonly body: string
  /** Raw bytes of the response body; absent if only `body` is available. */
  readonly bytes?: Uint8Array | undefined
  /** True if the response body was truncated. */
  readonly cut?: boolean | undefined
}
export interface Web {
  /** Checks the URL's text against the policy; returns a sentence if the URL is refused. */
  check(url: string): string | undefined
  /**
   * Sends one outbound request without following redirects. Never throws; a failure is a sentence
   * without secrets.
   */
  send(request: WebRequest, signal?: AbortSignal): Promise<Outcome<WebAnswer, string>>
}

// ── Feed: immediate notifications, which may be lost ───────────────────────────────────────────

export type FeedItem =
  /**
   * Reports new rows in the partition, written by the worker `by`. With `mail`, this mail is the
   * only new row, so readers of other rows need not reread.
   */
  | {
      readonly type: 'changed'
      readonly by?: string | undefined
      readonly mail?: { readonly key: string; readonly fact: unknown } | undefined
    }
  /**
   * Delta of an answer. Epoch, step, and `began` (milliseconds since 1970) identify the model call;
   * `at` is the delta's offset in the text, in UTF-16 code units.
   */
  | {
      readonly type: 'delta'
      readonly epoch: number
      readonly step: number
      readonly began: number
      readonly at: number
      readonly delta: Delta
    }
  /** Reports that the model call has ended; the partition's next change contains its text. */
  | { readonly type: 'answered' }
  | { readonly type: 'ephemeral'; readonly name: string; readonly data: unknown }
  /** Tells the executor that a client reads the text; subscribers with `live` do not get it. */
  | { readonly type: 'read' }

export interface Feed {
  publish(partition: string, item: FeedItem): void
  /**
   * Calls the listener for each item of the partition until the returned function is called. Items
   * may be missed or repeated. With `live`, model text is also fetched from other processes,
   * starting with the current answer so far.
   */
  subscribe(partition: string, listener: (item: FeedItem) => void, live?: boolean): () => void
  /**
   * Resolves when the head's version may have changed, or after `ms` milliseconds. Present only if
   * this wait costs less than a subscription. Never rejects.
   */
  changed?(partition: string, version: number, ms: number): Promise<void>
}
