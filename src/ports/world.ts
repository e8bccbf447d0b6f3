/**
 * The ports, and a log: everything that the engine may touch, with the weakest promise each
 * host must keep. Outcomes that can be expected (a conflict, a refusal, a model that is down) are
 * values; a port throws only for a bug of ours or when its host is broken beyond this one call.
 *
 * Adding a verb: 1 say the weakest promise here, 2 add it to the contract suite in
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
  /** Document conversion; absent: unavailable (`settings.lacks`). */
  readonly documents?: Documents | undefined
  /** Shell commands; absent: unavailable (`settings.lacks`). */
  readonly shell?: Shell | undefined
  /** Long-running processes; absent: unavailable (`settings.lacks`). */
  readonly processes?: Processes | undefined
  /** Web search; absent: not configured (`settings.lacks`). */
  readonly search?: Search | undefined
  readonly feed: Feed
  readonly settings: Settings
  /** The machine that runs programs, if any. */
  readonly machine?: Machine | undefined
  /** The operator's log, if any. */
  readonly log?: Log | undefined
  /** Exporter for the spans of ended runs; absent: none, and logs contain no traces. */
  readonly traces?: Traces | undefined
  /** Metrics, if the platform provides any. */
  readonly metrics?: Metrics | undefined
  /** Scheduler of a thread that tenants share; absent: it is not shared. */
  readonly pace?: Pace | undefined
  /** Scheduler for the requests of API keys. */
  readonly keyPace?: Pace | undefined
  /**
   * The world of a waiting client's request, which handles its first wake within the request.
   * Absent: wakes use the queue, which is equally fast.
   */
  readonly attended?: (() => World) | undefined
  /**
   * Returns the ID prefix of the tenant's next root, so that roots accepted together share a
   * location. Absent: each has a separate one.
   */
  readonly place?: ((tenant: string) => string) | undefined
}

export interface Pace {
  /** Waits for the turn of the next piece of work of this name; undefined: immediately. */
  turn(name: string, piece?: Piece): Promise<void> | undefined
}
interface Piece {
  /** Approximate number of characters that it reads or writes. */
  readonly length?: number
  /** Whether a client waits for the response. */
  readonly isRequest?: boolean
}

/** Configuration of a deployment; plain data. Times are milliseconds. */
export interface Settings {
  /** Name of this worker process in leases. */
  readonly worker: string
  /** True when no other process can share the store: leases of other workers are then void. */
  readonly singleProcess: boolean
  /**
   * True when only this process passes over its partitions, though others read and write them. Its
   * passes ignore other workers' leases; its writes to other processes' partitions do not. Default:
   * `singleProcess`.
   */
  readonly soleWorker?: boolean | undefined
  /** True when related partitions are stored together, and children are named for that. */
  readonly placesByKin?: boolean | undefined
  /** True when a commit wakes its partition if the head requests it, without a separate wake. */
  readonly wakesWithCommit?: boolean | undefined
  /** True when a request must not await a promise of another request. */
  readonly eventBound?: boolean | undefined
  /** How long results that no client waits for can stay uncommitted. */
  readonly flushMs: number
  /** How long one invocation may advance a partition before it hands over by a wake. */
  readonly sliceMs: number
  /** Time after which the platform ends an invocation; undefined: never. */
  readonly lifeMs?: number | undefined
  /** Bodies above this many bytes are stored by digest instead of inside a fact. */
  readonly spillBytes: number
  /** Facts between snapshots of a log; undefined: the engine's default. */
  readonly snapshotFacts?: number | undefined
  /** True when queued runs start in order of arrival, regardless of priority. */
  readonly keepsOrder?: boolean | undefined
  /** Concurrent deliveries of this process; undefined: unknown. */
  readonly deliveries?: number | undefined
  readonly maxLiveChildren: number
  readonly maxDepth: number
  /** Default time to wait out a model outage; 0: three attempts. */
  readonly modelPatienceSeconds: number
  /** Retention of ended runs; null: unlimited. */
  readonly retentionMs: number | null
  /** Unavailable built-in tools, each with what would enable it. */
  readonly lacks?: Readonly<Record<string, string>> | undefined
  /**
   * True when nothing starts: no pass, tick, outbound connection, or changing request. Absent:
   * false.
   */
  readonly paused?: boolean | undefined
  readonly allowStdioMcp: boolean
  /** Origin at which browsers reach this deployment; undefined: each request's. */
  readonly publicUrl?: string | undefined
  /** Host names of this deployment; absent: the platform routes only its names here. */
  readonly hosts?: readonly string[] | undefined
  /** Origins whose pages may read responses; absent: none. */
  readonly corsOrigins?: readonly string[] | undefined
  readonly allowLoopback: boolean
  /** Rate limits of each API key and tenant; absent: those of the limits table. */
  readonly rateLimits?: { readonly key: RateLimits; readonly tenant: RateLimits } | undefined
  /** Number of the operator's proxies that append to `X-Forwarded-For`; absent: none. */
  readonly trustedProxies?: number | undefined
}

// ── Queue: addresses, never commands ───────────────────────────────────────────────────────────

/**
 * "Make a pass over this partition." Duplicates and reordering are harmless; the tick recovers
 * losses.
 */
export interface Wake {
  readonly partition: string
  readonly lane: Lane
  /** True when the run has started, which gives it precedence over queued ones. */
  readonly started: boolean
  /** Consecutive wakes without a new fact; above a limit the tick takes over. */
  readonly staleCount: number
  /**
   * Key of the mail that caused it; a worker that finds later mail leaves the pass to that mail's
   * wake.
   */
  readonly mail?: string | undefined
  /** Priority among the tenant's queued runs, unless `Settings.keepsOrder`; absent: 0. */
  readonly priority?: number | undefined
  /** Length of its log, as far as the sender knew; short logs have no snapshot. */
  readonly facts?: number | undefined
  /** True when a worker may have died of it; such passes are counted (protocol rule 34). */
  readonly suspect?: boolean | undefined
}

export interface Queue {
  /**
   * Best effort: `lost` when the queue refused; there is no retry, because `wakeAt` recovers it.
   */
  send(wakes: readonly Wake[], delayMs?: number): Promise<'ok' | 'lost'>
  /**
   * Frees the lane's slot when a pass only waits for external parties. Absent: passes keep their
   * slots.
   */
  leave?(partition: string): void
}

// ── Clock: time and chance ─────────────────────────────────────────────────────────────────────

export interface Clock {
  /** Returns whole milliseconds since 1970; may step back. */
  now(): number
  /** Returns milliseconds that never step back; only differences are meaningful. */
  monotonic(): number
  /** Resolves after `ms`, or early (never rejecting) when the signal aborts. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>
  /** Returns unpredictable bytes. */
  random(bytes: number): Uint8Array
}

// ── Web: the one outbound door ─────────────────────────────────────────────────────────────────

export interface WebRequest {
  readonly method: 'GET' | 'POST'
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string | undefined
  /** Total time, connecting included. */
  readonly timeoutMs: number
  /** Decoded bytes of the response that are kept; the rest is cut. */
  readonly maxBytes: number
  /**
   * Time for the body after the headers, once the status is known. A slower or broken body is cut.
   * Absent: it is a failure.
   */
  readonly bodyMs?: number | undefined
}
export interface WebAnswer {
  readonly status: number
  /** Headers with lower-case names. */
  readonly headers: Readonly<Record<string, string>>
  /** Body, decoded as UTF-8. */
  readonly body: string
  /** Raw bytes; absent: only `body` is available. */
  readonly bytes?: Uint8Array | undefined
  /** Whether the body was cut. */
  readonly cut?: boolean | undefined
}
export interface Web {
  /** Checks the URL's text against the policy; returns a sentence when it is refused. */
  check(url: string): string | undefined
  /**
   * Sends one request without following redirects. Never throws; a failure is a sentence without
   * secrets.
   */
  send(request: WebRequest, signal?: AbortSignal): Promise<Outcome<WebAnswer, string>>
}

// ── Secrets ────────────────────────────────────────────────────────────────────────────────────

export interface Secrets {
  /** Returns the value of a tenant's secret at the moment of use; never cached, never logged. */
  get(tenant: string, name: string): Promise<string | undefined>
  /** Returns the names only, for diagnostics. */
  names(tenant: string): Promise<ReadonlySet<string>>
  /** Returns the hosts of bound secrets; every sender of a secret checks these first. */
  bindings(tenant: string): Promise<Bindings>
  /** Encrypts for storage at rest, bound to `context` (AES-256-GCM, authenticated). */
  seal(text: string, context: string): Promise<string>
  /** Decrypts; undefined unless sealed by this deployment for this context. */
  open(sealed: string, context: string): Promise<string | undefined>
}

// ── Feed: what is worth seeing at once, and may be lost ────────────────────────────────────────

export type FeedItem =
  /**
   * The partition has new rows: read them. `by` names the worker that wrote them. With `letter`,
   * the mail of that key is all that is new: a reader of the rest need not read it again.
   */
  | {
      readonly type: 'changed'
      readonly by?: string | undefined
      readonly mail?: { readonly key: string; readonly fact: unknown } | undefined
    }
  /**
   * A piece of an answer. Epoch, step, and `began` (ms since 1970) identify the model call; `at` is
   * its offset in the text, in UTF-16 characters.
   */
  | {
      readonly type: 'delta'
      readonly epoch: number
      readonly step: number
      readonly began: number
      readonly at: number
      readonly delta: Delta
    }
  /** The model call is over; the partition's next change contains its text. */
  | { readonly type: 'answered' }
  | { readonly type: 'ephemeral'; readonly name: string; readonly data: unknown }

export interface Feed {
  publish(partition: string, item: FeedItem): void
  /**
   * Calls the listener until the returned function is called. Can miss and repeat items. `live`:
   * model text is also fetched from other processes, starting with the current answer so far.
   */
  subscribe(partition: string, listener: (item: FeedItem) => void, live?: boolean): () => void
  /**
   * Resolves when the head's version may have changed, after `ms` at the latest. For pure waiting,
   * where that is cheaper than a subscription; absent: it is not. Never rejects.
   */
  changed?(partition: string, version: number, ms: number): Promise<void>
}
