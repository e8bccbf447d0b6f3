/** The bindings that the platform hands to a Worker, as far as this program uses them. */

export interface D1Statement {
  bind(...values: readonly (string | number | null)[]): D1Statement
  all(): Promise<{ readonly results: readonly Readonly<Record<string, unknown>>[] }>
}
export interface D1 {
  prepare(sql: string): D1Statement
  /** One transaction. */
  batch(statements: readonly D1Statement[]): Promise<unknown>
}

export interface R2Info {
  readonly key: string
  readonly etag: string
  readonly size: number
}
export interface R2 {
  get(key: string): Promise<(R2Info & { arrayBuffer(): Promise<ArrayBuffer> }) | null>
  head(key: string): Promise<R2Info | null>
  /** Null when the condition does not hold. */
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

export interface CloudQueue {
  sendBatch(
    messages: readonly { readonly body: unknown }[],
    options: { delaySeconds: number },
  ): Promise<unknown>
}
interface QueueMessage {
  readonly id: string
  readonly body: unknown
  ack(): void
  retry(): void
}
export interface MessageBatch {
  /** The queue's name. */
  readonly queue: string
  readonly messages: readonly QueueMessage[]
}

/** The bindings that wrangler.toml names; everything else of the environment is text. */
export interface Bindings {
  readonly DB: D1
  readonly BUCKET: R2
  readonly QUEUE_MAIN: CloudQueue
  readonly QUEUE_SUBAGENT: CloudQueue
  readonly QUEUE_BACKGROUND: CloudQueue
  readonly QUEUE_RESUME: CloudQueue
}
