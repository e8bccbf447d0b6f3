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
  /** Runs the SQL statements in one transaction. */
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
  /** Writes an R2 object; returns null if the condition fails. */
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
 * SQLite storage of one Durable Object: calls are synchronous, and their writes are durable before
 * any response is sent.
 */
export interface ObjectStorage {
  readonly sql: {
    exec(
      sql: string,
      ...params: readonly (string | number | null)[]
    ): { toArray(): readonly Readonly<Record<string, unknown>>[] }
  }
  /** Runs `act` in a transaction; an exception rolls the transaction back. */
  transactionSync<T>(act: () => T): T
  /** Sets the object's only alarm, in milliseconds since 1970; replaces the previous alarm. */
  setAlarm(at: number): Promise<void>
  getAlarm(): Promise<number | null>
  deleteAlarm(): Promise<void>
  deleteAll(): Promise<void>
}

export interface ObjectState {
  readonly storage: ObjectStorage
  /** Delays all calls to the object until the callback has finished. */
  blockConcurrencyWhile<T>(act: () => Promise<T>): Promise<T>
  waitUntil(promise: Promise<unknown>): void
  /** Classes that the program exports, callable like bindings. */
  readonly exports?: unknown
}

/** Asynchronous interface of a Durable Object; each call is a message and returns a promise. */
export type Remote<T> = {
  readonly [K in keyof T]: T[K] extends (...args: infer A) => infer R
    ? (...args: A) => Promise<Awaited<R>>
    : never
}

/** Durable Objects of one class; each name identifies one object globally. */
export interface Namespace<T> {
  getByName(name: string): Remote<T>
}

/** Read request to a Durable Object: rows of a partition after a key, or heads. */
export type Question =
  | { readonly of: string; readonly after: string | undefined }
  | { readonly heads: readonly string[] }

/** Name of a row: its partition and key. */
export type RowName = readonly [partition: string, key: string]

/** Calls of the object that stores a partition: the store's operations, wakes, and the feed. */
export interface PartitionCalls
  extends Pick<Store, 'read' | 'heads' | 'commit' | 'drop' | 'list' | 'find'>,
    Required<Pick<Store, 'readIndexed' | 'writeIndexed'>> {
  /** Performs several reads in one call; the answers are in the order of the requests. */
  answer(questions: readonly Question[]): Promise<readonly (readonly (Row | null)[])[]>
  wake(wakes: readonly Wake[], delayMs: number): Promise<void>
  /** Resolves when the head's version differs from `version`, or after `ms` milliseconds. */
  changed(partition: string, version: number, ms: number): Promise<void>
  /** Streams the partition's feed, one JSON line per item, until the reader cancels. */
  follow(partition: string, live: boolean): Promise<ReadableStream<Uint8Array>>
  /**
   * Receives list copies, as JSON, of rows that other objects store, and the names of removed rows.
   */
  copied(of: string, copies: string, removed: readonly RowName[]): Promise<void>
}

/** Calls of the Durable Object that counts a lane's slots. */
export interface LaneCalls {
  /**
   * Requests a slot for each wake. True means that the run has a slot; false means that the wake is
   * retried when a slot is free.
   */
  enter(wakes: readonly Wake[]): Promise<readonly boolean[]>
  leave(partitions: readonly string[]): Promise<void>
}

/** Analytics dataset for metrics; writes return immediately. */
interface Dataset {
  writeDataPoint(point: {
    readonly indexes: readonly string[]
    readonly blobs: readonly string[]
    readonly doubles: readonly number[]
  }): void
}

/** Deployed static files by path; the host of the request URL is ignored. */
export interface AssetsBinding {
  fetch(url: string): Promise<Response>
}

/** Bindings that wrangler.toml defines; all other members of the environment are strings. */
export interface Bindings {
  readonly DB: D1
  readonly BUCKET: R2
  readonly PARTITIONS: Namespace<PartitionCalls>
  readonly LANES: Namespace<LaneCalls>
  /** Sandbox Worker for documents and commands; if absent, documents are not read. */
  readonly SANDBOX?: SandboxCalls | undefined
  /** Workers AI binding, if the deployment has one. */
  readonly AI?: AiBinding
  /** Workers Analytics Engine dataset; if absent, no metrics are written. */
  readonly METRICS?: Dataset
  /** Static files deployed with the Worker, if any. */
  readonly ASSETS?: AssetsBinding
}
