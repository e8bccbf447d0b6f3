/** Defines the objects port, which stores files in a bucket with conditional writes. */

export interface ObjectInfo {
  readonly key: string
  readonly etag: string
  readonly size: number
}
export interface ListedObject extends ObjectInfo {
  /**
   * Time of the object's last write, in milliseconds since 1970 by the bucket's clock; a put of
   * identical bytes also counts.
   */
  readonly modified: number
}
export interface StoredObject {
  readonly body: Uint8Array
  readonly etag: string
}
export interface ObjectPage {
  /** Page of at most 1,000 objects, ordered by key (UTF-8 code units). */
  readonly objects: readonly ListedObject[]
  readonly cursor?: string | undefined
}

/**
 * Files in a bucket. Reads are consistent after writes; an etag changes whenever the bytes change.
 */
export interface Objects {
  get(key: string): Promise<StoredObject | null>
  /** Writes an object atomically; returns `conflict` if the condition fails. */
  put(key: string, body: Uint8Array, expect: Expect): Promise<{ etag: string } | 'conflict'>
  /** Deletes an object; if `any` was expected, a missing object also returns `ok`. */
  delete(key: string, expect: Expect): Promise<'ok' | 'conflict'>
  /**
   * Lists the keys with a prefix that sort after the cursor, which is the cursor of a page or any
   * other key.
   */
  list(prefix: string, cursor?: string): Promise<ObjectPage>
}
export type Expect = 'absent' | 'any' | { readonly etag: string }
