/** Time and chance. */

export interface Clock {
  /** Milliseconds since 1970, whole; may step back. */
  now(): number
  /** Milliseconds that never step back; only differences mean anything. */
  monotonic(): number
  /** Resolves after `ms`, or early (never rejecting) when the signal aborts. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>
  /** Calls `run` after `ms`, unless the returned function was called first. Absent: by `sleep`. */
  after?(ms: number, run: () => void): () => void
  /** Unpredictable bytes. */
  random(bytes: number): Uint8Array
}
