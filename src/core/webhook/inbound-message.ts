/** An inbound message, by whatever scheme it was signed. */

/** A message whose signature is right. */
export interface Opened {
  /** The key that repetitions share: a signed id, or the digest of the body. */
  readonly once: string
  /** Repetitions have this in common; absent: their bodies, to the byte. */
  readonly same?: string
  readonly event: string | null
  readonly payload: unknown
  /** To be answered, by which a sender sees that the hook has its secret. */
  readonly challenge?: string
}
