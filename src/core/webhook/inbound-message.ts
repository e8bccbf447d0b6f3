/** Verified inbound message, independent of the signature scheme. */

/** Inbound message with a valid signature. */
export interface Opened {
  /** Deduplication key of the message: a signed ID, or the digest of the body. */
  readonly once: string
  /** Value that all retries of the message share; absent if retries have byte-identical bodies. */
  readonly same?: string
  readonly event: string | null
  readonly payload: unknown
  /** Challenge to return, so that the sender can verify that the hook knows its secret. */
  readonly challenge?: string
}
