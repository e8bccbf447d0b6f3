/** Defines the objects port: files in a bucket, with conditional writes. */

export interface ObjectInfo {
  readonly key: string
  readonly etag: string
  readonly size: number
}
export interface ListedObject extends ObjectInfo {
  /**
   * Time of the last write, in milliseconds since 1970 by the bucket's clock; a put of identical
   * bytes also counts.
   */
  readonly modified: number
}
export interface StoredObject {
  readonly body: Uint8Array
  readonly etag: string
}
export interface ObjectPage {
  /** At most 1,000 objects, ordered by key (code units of UTF-8). */
  readonly objects: readonly ListedObject[]
  readonly cursor?: string | undefined
}

/** Files in a bucket. Read-after-write consistent; an etag changes whenever the bytes change. */
export interface Objects {
  get(key: string): Promise<StoredObject | null>
  /** Writes an object; `conflict` if the condition fails. Replacement is atomic. */
  put(key: string, body: Uint8Array, expect: Expect): Promise<{ etag: string } | 'conflict'>
  /** Deletes an object; a missing one is `ok` if `any` was expected. */
  delete(key: string, expect: Expect): Promise<'ok' | 'conflict'>
  list(prefix: string, cursor?: string): Promise<ObjectPage>
}
export type Expect = 'absent' | 'any' | { readonly etag: string }
