/**
 * Locks a data folder for one process at a time. A second process waits for a while, because the
 * first may be about to exit after a restart. Then it gives up with a sentence for the terminal.
 */

/** The data is locked by another process; the message is printable unchanged. */
export class LockHeld extends Error {
  override readonly name = 'Held'
}

const PAUSE_MS = 100

/** Retries until `attempt` returns a value; throws `Held` if it returns undefined for `waitMs`. */
export async function hold<T>(
  resource: string,
  waitMs: number,
  attempt: () => T | undefined,
): Promise<T> {
  const end = performance.now() + waitMs
  for (;;) {
    const value = attempt()
    if (value !== undefined) return value
    if (performance.now() >= end) {
      const seconds = Math.round(waitMs / 1_000)
      throw new LockHeld(
        `${resource} is in use by another process (waited ${seconds} s). ` +
          'Stop that process, or choose another data folder.',
      )
    }
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
  }
}
