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
  /** Absent: this deployment reads no documents (`settings.lacks`). */
  readonly documents?: Documents | undefined
  /** Absent: this deployment runs no commands (`settings.lacks`). */
  readonly shell?: Shell | undefined
  /** Absent: this deployment runs no long processes (`settings.lacks`). */
  readonly processes?: Processes | undefined
  /** Absent: no provider of web search is configured (`settings.lacks`). */
  readonly search?: Search | undefined
  readonly feed: Feed
  readonly settings: Settings
  /** The machine that programs run on; absent: there is none. */
  readonly machine?: Machine | undefined
  /** The log of the operator; absent: none. */
  readonly log?: Log | undefined
  /** Takes the spans of ended runs; absent: none are exported, and logs say nothing of traces. */
  readonly traces?: Traces | undefined
  /** Absent: this host shows none. */
  readonly metrics?: Metrics | undefined
  /** Set where tenants share a thread; absent: they do not. */
  readonly pace?: Pace | undefined
  /** The same for the requests of API keys. */
  readonly keyPace?: Pace | undefined
  /**
   * The world for a request whose client waits: the first wake that it causes is handled in the
   * invocation of the request. Absent: wakes use the queue, which is as fast here.
   */
  readonly attended?: (() => World) | undefined
  /**
   * With what the id of the tenant's next root begins, where several lie in one place. Absent:
   * each begins a place of its own.
   */
  readonly place?: ((tenant: string) => string) | undefined
}

export interface Pace {
  /** Settles when the next piece of work of this name may begin; undefined: at once. */
  turn(name: string, piece?: Piece): Promise<void> | undefined
}
interface Piece {
  /** About how many characters it reads or writes. */
  readonly length?: number
  /** A client waits for the response. */
  readonly isRequest?: boolean
}

/** The choices of a deployment; plain data. Times are milliseconds. */
export interface Settings {
  /** Names this worker process in leases. */
  readonly worker: string
  /** True when no other process can share the store: leases of other workers are then void. */
  readonly singleProcess: boolean
  /**
   * True when only this process makes passes over what it is woken for, though others read and
   * write it: to its passes leases of other workers are void too, but not where it writes to what
   * another one is woken for. Default: what `singleProcess` says.
   */
  readonly soleWorker?: boolean | undefined
  /** True when partitions whose ids belong together lie in one place: children are named for that. */
  readonly placesByKin?: boolean | undefined
  /** True when a commit wakes its partition where its head says so, and no wake need be sent. */
  readonly wakesWithCommit?: boolean | undefined
  /** True when a request must not wait for a promise that another request began. */
  readonly eventBound?: boolean | undefined
  /** How long results that no client waits for can stay uncommitted. */
  readonly flushMs: number
  /** How long one invocation may advance a partition before it hands over by a wake. */
  readonly sliceMs: number
  /** When the platform ends an invocation, whatever it is at; undefined: never. */
  readonly lifeMs?: number | undefined
  /** Bodies above this many bytes are stored by digest instead of inside a fact. */
  readonly spillBytes: number
  /** A log that has grown by so many facts is worth a snapshot; undefined: as the engine sees fit. */
  readonly snapshotFacts?: number | undefined
  /** True when queued runs start in the order of arrival, whatever their priority. */
  readonly keepsOrder?: boolean | undefined
  /** How many deliveries this process handles at once; undefined: the host does not know. */
  readonly deliveries?: number | undefined
  readonly maxLiveChildren: number
  readonly maxDepth: number
  /** How long an outage of a model is waited out where nothing nearer says; 0: three attempts. */
  readonly modelPatienceSeconds: number
  /** How long what has ended is kept; null: for ever. */
  readonly retentionMs: number | null
  /** Built-in tools that this deployment cannot perform, each with what would bring it. */
  readonly lacks?: Readonly<Record<string, string>> | undefined
  /**
   * True when nothing is started: no pass, no tick, no connection to another host, and no request
   * that changes something. Absent: false.
   */
  readonly paused?: boolean | undefined
  readonly allowStdioMcp: boolean
  /** The origin at which browsers reach this deployment; undefined: that of each request. */
  readonly publicUrl?: string | undefined
  /** Names by which clients reach it; absent: the platform routes only its own names here. */
  readonly hosts?: readonly string[] | undefined
  /** Origins whose pages may read answers; absent: none. */
  readonly corsOrigins?: readonly string[] | undefined
  readonly allowLoopback: boolean
  /** Limits of each API key and of each tenant; absent: those of the table of limits. */
  readonly rateLimits?: { readonly key: RateLimits; readonly tenant: RateLimits } | undefined
  /** Proxies of the operator that append to `X-Forwarded-For`; absent: none. */
  readonly trustedProxies?: number | undefined
}

// ── Queue: addresses, never commands ───────────────────────────────────────────────────────────

/**
 * "Make a pass over this partition." Duplicates and reordering are harmless, the tick heals loss.
 */
export interface Wake {
  readonly partition: string
  readonly lane: Lane
  /** True when the run has started: it goes before queued ones. */
  readonly started: boolean
  /** Wakes in a row without a new fact; above a bound the tick takes over. */
  readonly staleCount: number
  /** The mail that it was sent for: who finds later mail leaves the pass to the wake of that. */
  readonly mail?: string | undefined
  /** Queued ones of a tenant with more come first, unless `Settings.keepsOrder`; absent: 0. */
  readonly priority?: number | undefined
  /** How many facts its log had, as far as the sender knew: a short one has no snapshot. */
  readonly facts?: number | undefined
  /** True when a worker may have died of it: such passes are counted (protocol rule 34). */
  readonly suspect?: boolean | undefined
}

export interface Queue {
  /** Best effort: `lost` when the queue refused; there is no retry, because `wakeAt` heals it. */
  send(wakes: readonly Wake[], delayMs?: number): Promise<'ok' | 'lost'>
  /**
   * The pass over this partition only waits for external parties from here on: its slot in the lane
   * is free for others. Absent: passes keep their slots.
   */
  leave?(partition: string): void
}

// ── Clock: time and chance ─────────────────────────────────────────────────────────────────────

export interface Clock {
  /** Milliseconds since 1970, whole; may step back. */
  now(): number
  /** Milliseconds that never step back; only differences mean anything. */
  monotonic(): number
  /** Resolves after `ms`, or early (never rejecting) when the signal aborts. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>
  /** Unpredictable bytes. */
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
  /** Decoded bytes of the answer that are kept; the rest is cut. */
  readonly maxBytes: number
  /**
   * The status decides: the body may take this long after the headers. When it takes longer or
   * breaks, the answer is cut there. Absent: such a body is a failure.
   */
  readonly bodyMs?: number | undefined
}
export interface WebAnswer {
  readonly status: number
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  /** The bytes as UTF-8. */
  readonly body: string
  /** As they came; absent: `body` is all there is. */
  readonly bytes?: Uint8Array | undefined
  /** More came than was kept. */
  readonly cut?: boolean | undefined
}
export interface Web {
  /** Policy on the text of a URL alone; a sentence when it is refused. */
  check(url: string): string | undefined
  /**
   * Sends one request without following redirects. Never throws; a failure is a sentence without
   * secrets.
   */
  send(request: WebRequest, signal?: AbortSignal): Promise<Outcome<WebAnswer, string>>
}

// ── Secrets ────────────────────────────────────────────────────────────────────────────────────

export interface Secrets {
  /** The value of a tenant's secret, read at the moment of use; never kept, never logged. */
  get(tenant: string, name: string): Promise<string | undefined>
  /** Names only, for diagnostics. */
  names(tenant: string): Promise<ReadonlySet<string>>
  /** Hosts of secrets that are bound; every sender of a secret asks this first. */
  bindings(tenant: string): Promise<Bindings>
  /** Encrypts for storage at rest, bound to `context` (AES-256-GCM, authenticated). */
  seal(text: string, context: string): Promise<string>
  /** Undefined when it was not sealed by this deployment for this context. */
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
   * A piece of an answer. One call of the model is known by epoch, step and when it `began` (ms since
   * 1970); `at`: so many characters (UTF-16) of its text come before.
   */
  | {
      readonly type: 'delta'
      readonly epoch: number
      readonly step: number
      readonly began: number
      readonly at: number
      readonly delta: Delta
    }
  /** That call is over: what it said stands in the log with the partition's next change. */
  | { readonly type: 'answered' }
  | { readonly type: 'ephemeral'; readonly name: string; readonly data: unknown }

export interface Feed {
  publish(partition: string, item: FeedItem): void
  /**
   * Calls the listener until the returned function is called. Can miss and repeat items. `live`: a
   * reader follows, so text of the model is fetched from other processes too, and the text so far
   * of the current answer comes first.
   */
  subscribe(partition: string, listener: (item: FeedItem) => void, live?: boolean): () => void
  /**
   * Resolves when the partition's head may no longer have this version, at the latest after `ms`. For
   * who only waits, where that costs less than to subscribe; absent: it does not. Never rejects.
   */
  changed?(partition: string, version: number, ms: number): Promise<void>
}
