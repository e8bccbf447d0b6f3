/**
 * The nine ports: everything that the engine may touch, with the weakest promise each host must
 * keep. Outcomes that can be expected (a conflict, a refusal, a model that is down) are values;
 * a port throws only for a bug of ours or when its host is broken beyond this one call.
 *
 * Adding a verb: 1 say the weakest promise here, 2 add it to the contract suite in
 * test/contract, 3 implement it in hosts/memory, 4 then in the other hosts.
 */

import type { ServerEntry } from '../core/config/types.ts'
import type { AssistantPart, Message, ToolSpec, Usage } from '../core/message.ts'
import type { Outcome } from '../lib/outcome.ts'

export interface World {
  readonly store: Store
  readonly objects: Objects
  readonly queue: Queue
  readonly clock: Clock
  readonly model: Model
  readonly tools: Tools
  readonly web: Web
  readonly secrets: Secrets
  readonly feed: Feed
  readonly settings: Settings
}

/** What a deployment chooses; plain data. Times are milliseconds. */
export interface Settings {
  /** Names this worker process in leases. */
  readonly worker: string
  /** True when no other process can share the store: leases of other workers are then void. */
  readonly exclusive: boolean
  /** How long results that nobody must wait for may stay uncommitted. */
  readonly flushMs: number
  /** How long one invocation may advance a partition before it hands over by a wake. */
  readonly sliceMs: number
  /** Bodies above this many bytes are stored by digest instead of inside a fact. */
  readonly spillBytes: number
  readonly maxLiveChildren: number
  readonly maxDepth: number
  readonly allowStdioMcp: boolean
  readonly allowLoopback: boolean
}

// ── Store: (partition, key) → body, version ────────────────────────────────────────────────────

export type Lane = 'main' | 'subagent' | 'background'

/** When a partition must be looked at, and by whom. Started runs go before queued ones. */
export interface Alarm {
  /** Milliseconds since 1970. */
  readonly at: number
  readonly lane: Lane
  readonly started: boolean
}

/** Makes a partition (or a row) appear under a list; `at` orders it, unique within `under`. */
export interface Listing {
  readonly under: string
  readonly at: string
}

/** The reserved key of a partition's head row. It sorts after fact rows (`f/…`), before `in/…`. */
export const HEAD = 'head'

export interface Row {
  readonly key: string
  /** Rises by one with each write of the row; 1 when the row is created. */
  readonly version: number
  readonly body: string
}

export type Write =
  | {
      readonly op: 'put'
      readonly key: string
      readonly body: string
      /** `absent`: the row must not exist, else the whole commit is a conflict. */
      readonly expect: 'absent' | 'any'
      readonly alarm?: Alarm | undefined
      readonly listed?: Listing | undefined
      /** After this time the row may vanish; conditions must not rely on it. */
      readonly expiresAt?: number | undefined
    }
  | { readonly op: 'delete'; readonly key: string }

export interface HeadWrite {
  /** The version that was read, or `null`: the head must not exist yet. */
  readonly expect: number | null
  readonly body: string
  readonly alarm?: Alarm | undefined
  readonly listed?: Listing | undefined
}

export type CommitResult = 'ok' | 'conflict' | 'ambiguous'

export interface DueEntry {
  readonly partition: string
  readonly alarm: Alarm
}
export interface Due {
  readonly entries: readonly DueEntry[]
  readonly cursor?: string | undefined
}
export interface Listed {
  readonly partition: string
  readonly key: string
  readonly at: string
  readonly body: string
}

/**
 * A key-value store of partitions. The commit is the only lock and covers one partition.
 * Partitions and keys are ASCII without NUL; keys order by code unit; a body is at most 128 KiB.
 */
export interface Store {
  /** All rows with a key greater than `after`, ordered by key, strongly consistent, complete. */
  read(partition: string, after?: string): Promise<Row[]>
  /** The head rows of many partitions, in the order asked. */
  heads(partitions: readonly string[]): Promise<(Row | null)[]>
  /**
   * All or nothing. With `head`, refuses (`conflict`) unless the head stands at the expected
   * version. `ambiguous`: may or may not have happened; read to find out.
   */
  commit(partition: string, writes: readonly Write[], head?: HeadWrite): Promise<CommitResult>
  /** Rows with an alarm at or before `now`, started first, then oldest. May lag or repeat. */
  due(now: number, cursor?: string): Promise<Due>
  /** Listed rows under a prefix, newest (`at` descending) first, strictly before `before`. */
  list(under: string, before?: string, limit?: number): Promise<Listed[]>
  /** Removes a partition whole. Idempotent. */
  drop(partition: string): Promise<void>
}

// ── Objects: key → bytes, etag ─────────────────────────────────────────────────────────────────

export interface ObjectInfo {
  readonly key: string
  readonly etag: string
  readonly size: number
}
export interface StoredObject {
  readonly body: Uint8Array
  readonly etag: string
}
export interface ObjectPage {
  /** At most 1,000, ordered by key (code units of UTF-8). */
  readonly objects: readonly ObjectInfo[]
  readonly cursor?: string | undefined
}

/** Files in a bucket. Read-after-write consistent; an etag changes whenever the bytes do. */
export interface Objects {
  get(key: string): Promise<StoredObject | null>
  /** `conflict` when the object is not as expected; never a moment without the object. */
  put(key: string, body: Uint8Array, expect: Expect): Promise<{ etag: string } | 'conflict'>
  /** Deleting what is absent is `ok` when `any` was expected. */
  delete(key: string, expect: Expect): Promise<'ok' | 'conflict'>
  list(prefix: string, cursor?: string): Promise<ObjectPage>
}
export type Expect = 'absent' | 'any' | { readonly etag: string }

// ── Queue: addresses, never commands ───────────────────────────────────────────────────────────

/** "Look at this partition." Duplicates and reordering are harmless, loss is healed by the tick. */
export interface Wake {
  readonly partition: string
  readonly lane: Lane
  /** True when the run has started: it goes before queued ones. */
  readonly started: boolean
  /** Keys of rows worth looking at, at most a few. */
  readonly hint?: readonly string[] | undefined
  /** Wakes in a row without a new fact; above a bound the tick takes over. */
  readonly hops: number
}

export interface Queue {
  /** Best effort: `lost` when the queue refused; nobody retries, `wakeAt` heals it. */
  send(wakes: readonly Wake[], delayMs?: number): Promise<'ok' | 'lost'>
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

// ── Model ──────────────────────────────────────────────────────────────────────────────────────

export interface ModelInfo {
  /** `provider/model`, the name that is recorded with the answer. */
  readonly id: string
  /** Context window in tokens. */
  readonly window: number
}
export interface ModelRequest {
  readonly model: string
  /** The agent's own prompt, byte for byte. */
  readonly system: string
  /** A second system message: what is missing in this run. */
  readonly notes?: string | undefined
  /** Bodies are loaded: no references. */
  readonly messages: readonly Message[]
  readonly tools: readonly ToolSpec[]
  readonly max_output_tokens?: number | undefined
}
export interface ModelAnswer {
  /** Calls carry the provider's id in both fields; the engine names them. */
  readonly parts: readonly AssistantPart[]
  readonly usage: Usage
  readonly finish: 'stop' | 'calls' | 'length' | 'refusal' | 'other'
  /** The model that really answered, when the provider says so. */
  readonly model: string
}
export interface ModelFailure {
  readonly code: 'unavailable' | 'rate_limited' | 'rejected' | 'unauthorized' | 'aborted'
  readonly message: string
  /** Whether the same request may succeed later. */
  readonly retryable: boolean
  readonly retryAfterMs?: number | undefined
  /** Spent although nothing came of it, when known. */
  readonly usage?: Usage | undefined
}
export type Delta =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'reasoning'; readonly text: string }

export interface Model {
  /**
   * Which model a reference (alias, `provider/model`, or none for the default) means.
   * The failure is a sentence for people that names what is missing, e.g. a variable.
   */
  find(reference: string | undefined): Outcome<ModelInfo, { readonly message: string }>
  /** One call, no hidden retry. Never throws or rejects; an abort is a failure with `aborted`. */
  respond(
    request: ModelRequest,
    options: { signal: AbortSignal; onDelta: (delta: Delta) => void },
  ): Promise<Outcome<ModelAnswer, ModelFailure>>
}

// ── Tools: MCP servers ─────────────────────────────────────────────────────────────────────────

/** One tool as its server describes it, already filtered by the server entry's lists. */
export interface RemoteTool {
  readonly name: string
  readonly description: string
  readonly input_schema: Readonly<Record<string, unknown>>
  /** Read-only or idempotent by annotation: may be called again after a crash. */
  readonly repeatable: boolean
}
export interface ToolOutcome {
  readonly text: string
  readonly is_error: boolean
}
export interface ToolFailure {
  /** `unsent`: surely not executed. `unknown`: it may have been. */
  readonly code: 'unsent' | 'unknown' | 'timeout'
  readonly message: string
}
export interface Tools {
  /** The server's tools within its start-up time-out. Never throws. */
  list(tenant: string, server: ServerEntry): Promise<Outcome<readonly RemoteTool[], string>>
  /** One call within the server's tool time-out; the key travels in `_meta`. Never throws. */
  call(
    tenant: string,
    server: ServerEntry,
    call: { tool: string; arguments: Record<string, unknown>; key: string; signal: AbortSignal },
  ): Promise<Outcome<ToolOutcome, ToolFailure>>
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
}
export interface WebAnswer {
  readonly status: number
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}
export interface Web {
  /** Policy on the text of a URL alone; a sentence when it is refused. */
  check(url: string): string | undefined
  /** One request, redirects never followed. Never throws; a failure is a sentence without secrets. */
  send(request: WebRequest, signal?: AbortSignal): Promise<Outcome<WebAnswer, string>>
}

// ── Secrets ────────────────────────────────────────────────────────────────────────────────────

export interface Secrets {
  /** The value of a tenant's secret, read at the moment of use; never kept, never logged. */
  get(tenant: string, name: string): Promise<string | undefined>
  /** Names only, for diagnostics. */
  names(tenant: string): Promise<ReadonlySet<string>>
  /** Encrypts for storage at rest, bound to `context` (AES-256-GCM, authenticated). */
  seal(text: string, context: string): Promise<string>
  /** Undefined when it was not sealed by this deployment for this context. */
  open(sealed: string, context: string): Promise<string | undefined>
}

// ── Feed: what is worth seeing at once, and may be lost ────────────────────────────────────────

export type FeedItem =
  /** The partition has new rows: read them. `by` names the worker that wrote them. */
  | { readonly type: 'changed'; readonly by?: string | undefined }
  | { readonly type: 'delta'; readonly epoch: number; readonly step: number; readonly delta: Delta }
  | { readonly type: 'ephemeral'; readonly name: string; readonly data: unknown }

export interface Feed {
  publish(partition: string, item: FeedItem): void
  /** Calls the listener until the returned function is called. May miss, may repeat. */
  subscribe(partition: string, listener: (item: FeedItem) => void): () => void
}
