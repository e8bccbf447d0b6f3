/** The bindings that the platform hands to a Worker, as far as this program uses them. */

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

/** The SQLite of one object: calls return when they are done, and are durable before any answer. */
export interface ObjectStorage {
  readonly sql: {
    exec(
      sql: string,
      ...params: readonly (string | number | null)[]
    ): { toArray(): readonly Readonly<Record<string, unknown>>[] }
  }
  /** An exception undoes it. */
  transactionSync<T>(act: () => T): T
  /** The only alarm of the object: the one before is forgotten. Milliseconds since 1970. */
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
  /** The classes that the program exports, each to be called as by a binding. */
  readonly exports?: unknown
}

/** Calls to an object; each is a message, and what it returns comes as a promise. */
export type Remote<T> = {
  readonly [K in keyof T]: T[K] extends (...args: infer A) => infer R
    ? (...args: A) => Promise<Awaited<R>>
    : never
}

/** Objects of one class; a name identifies one object globally. */
export interface Namespace<T> {
  getByName(name: string): Remote<T>
}

/** A read of an object: of rows of a partition after a key, or heads. */
export type Question =
  | { readonly of: string; readonly after: string | undefined }
  | { readonly heads: readonly string[] }

/** The name of a row. */
export type RowName = readonly [partition: string, key: string]

/** The calls of a partition's object: the store's verbs, wakes, and the feed. */
export interface PartitionCalls
  extends Pick<Store, 'read' | 'heads' | 'commit' | 'drop' | 'list' | 'find'> {
  /** Several reads at once; an answer for each in its place. */
  answer(questions: readonly Question[]): Promise<readonly (readonly (Row | null)[])[]>
  wake(wakes: readonly Wake[], delayMs: number): Promise<void>
  /** Resolves when the head's version is another, or after a while. */
  changed(partition: string, version: number, ms: number): Promise<void>
  /** Items of the feed, a line of JSON each, until the reader cancels. */
  follow(partition: string, live: boolean): Promise<ReadableStream<Uint8Array>>
  /** Rows of others that its lists show, as texts of a copy, and those that went. */
  copied(of: string, copies: string, removed: readonly RowName[]): Promise<void>
}

/** The calls of a lane's object. */
export interface LaneCalls {
  /** For each, true: it has a place, or had one; false: the wake comes again when one is free. */
  enter(wakes: readonly Wake[]): Promise<readonly boolean[]>
  leave(partitions: readonly string[]): Promise<void>
}

/** Takes a point and returns at once. */
interface Dataset {
  writeDataPoint(point: {
    readonly indexes: readonly string[]
    readonly blobs: readonly string[]
    readonly doubles: readonly number[]
  }): void
}

/** Files by their path; the host of the address means nothing. */
export interface AssetsBinding {
  fetch(url: string): Promise<Response>
}

/** The bindings that wrangler.toml names; everything else of the environment is text. */
export interface Bindings {
  readonly DB: D1
  readonly BUCKET: R2
  readonly PARTITIONS: Namespace<PartitionCalls>
  readonly LANES: Namespace<LaneCalls>
  /** The second Worker; absent: documents are not read here. */
  readonly SANDBOX?: SandboxCalls | undefined
  /** Workers AI, where the deployment has it. */
  readonly AI?: AiBinding
  /** A dataset of Workers Analytics Engine; absent: no metrics. */
  readonly METRICS?: Dataset
  /** Files deployed with the Worker, if any. */
  readonly ASSETS?: AssetsBinding
}
