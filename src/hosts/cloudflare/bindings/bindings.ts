/** Bindings that the platform passes to a Worker, limited to the members that this program uses. */

import type { Row, Store, Wake } from '../../../ports/world.ts'
import type { AiBinding } from '../../models/workers-ai.ts'
import type { SandboxCalls } from './sandbox.ts'

export interface D1Statement {
  bind(...values: readonly (string | number | null)[]): D1Statement
  all(): Promise<{ readonly results: readonly Readonly<Record<string, unknown>>[] }>
}
export interface D1 {
  prepare(sql: string): D1Statement
  /** Runs the statements in one transaction. */
  batch(statements: readonly D1Statement[]): Promise<unknown>
}

export interface R2Info {
  readonly key: string
  readonly etag: string
  readonly size: number
  readonly uploaded: Date
}
export interface R2 {
  get(key: string): Promise<(R2Info & { arrayBuffer(): Promise<ArrayBuffer> }) | null>
  head(key: string): Promise<R2Info | null>
  /** Writes an object; null when the condition fails. */
  put(
    key: string,
    body: Uint8Array,
    options: { onlyIf?: { etagMatches: string } | { etagDoesNotMatch: string } },
  ): Promise<R2Info | null>
  delete(key: string): Promise<void>
  list(options: {
    prefix: string
    limit: number
    startAfter?: string
  }): Promise<{ readonly objects: readonly R2Info[]; readonly truncated: boolean }>
}

/**
 * SQLite storage of one object: calls are synchronous, and their writes are durable before any
 * response is sent.
 */
export interface ObjectStorage {
  readonly sql: {
    exec(
      sql: string,
      ...params: readonly (string | number | null)[]
    ): { toArray(): readonly Readonly<Record<string, unknown>>[] }
  }
  /** Runs `act` in a transaction, which an exception rolls back. */
  transactionSync<T>(act: () => T): T
  /** Sets the only alarm of the object, replacing the previous alarm; milliseconds since 1970. */
  setAlarm(at: number): Promise<void>
  getAlarm(): Promise<number | null>
  deleteAlarm(): Promise<void>
  deleteAll(): Promise<void>
}

export interface ObjectState {
  readonly storage: ObjectStorage
  /** Delays all calls until the callback has finished. */
  blockConcurrencyWhile<T>(act: () => Promise<T>): Promise<T>
  waitUntil(promise: Promise<unknown>): void
  /** Exported classes of the program, callable like bindings. */
  readonly exports?: unknown
}

/** Asynchronous calls to an object; each is a message and returns a promise. */
export type Remote<T> = {
  readonly [K in keyof T]: T[K] extends (...args: infer A) => infer R
    ? (...args: A) => Promise<Awaited<R>>
    : never
}

/** Objects of one class; a name identifies one object globally. */
export interface Namespace<T> {
  getByName(name: string): Remote<T>
}

/** Read request to an object: rows of a partition after a key, or heads. */
export type Question =
  | { readonly of: string; readonly after: string | undefined }
  | { readonly heads: readonly string[] }

/** Name of a row. */
export type RowName = readonly [partition: string, key: string]

/** Calls of a partition's object: the store's operations, wakes, and the feed. */
export interface PartitionCalls
  extends Pick<Store, 'read' | 'heads' | 'commit' | 'drop' | 'list' | 'find'> {
  /** Performs several reads at once; the answers have the order of the requests. */
  answer(questions: readonly Question[]): Promise<readonly (readonly (Row | null)[])[]>
  wake(wakes: readonly Wake[], delayMs: number): Promise<void>
  /** Resolves when the head's version differs, or after `ms`. */
  changed(partition: string, version: number, ms: number): Promise<void>
  /** Streams items of the feed, one JSON line each, until the reader cancels. */
  follow(partition: string, live: boolean): Promise<ReadableStream<Uint8Array>>
  /**
   * Receives copies, as JSON, of rows of other objects that the lists of this object show, and the
   * names of removed rows.
   */
  copied(of: string, copies: string, removed: readonly RowName[]): Promise<void>
}

/** Calls of a lane's object. */
export interface LaneCalls {
  /**
   * Requests slots. For each wake, true means that the run has a slot; false means that the wake is
   * sent again when a slot is free.
   */
  enter(wakes: readonly Wake[]): Promise<readonly boolean[]>
  leave(partitions: readonly string[]): Promise<void>
}

/** Dataset for metrics; writes return immediately. */
interface Dataset {
  writeDataPoint(point: {
    readonly indexes: readonly string[]
    readonly blobs: readonly string[]
    readonly doubles: readonly number[]
  }): void
}

/** Deployed files by path; the host of the URL is ignored. */
export interface AssetsBinding {
  fetch(url: string): Promise<Response>
}

/** Bindings that wrangler.toml defines; all other members of the environment are strings. */
export interface Bindings {
  readonly DB: D1
  readonly BUCKET: R2
  readonly PARTITIONS: Namespace<PartitionCalls>
  readonly LANES: Namespace<LaneCalls>
  /** Second Worker for documents and commands; when absent, documents are not read. */
  readonly SANDBOX?: SandboxCalls | undefined
  /** Workers AI binding, if the deployment has one. */
  readonly AI?: AiBinding
  /** Dataset of Workers Analytics Engine; when absent, no metrics are written. */
  readonly METRICS?: Dataset
  /** Files deployed with the Worker, if any. */
  readonly ASSETS?: AssetsBinding
}
