/**
 * Locks a data folder for one process at a time. A second process waits briefly, because the first
 * may be exiting during a restart. Then the second process fails with a one-line error.
 */

/**
 * Error thrown if another process has locked the data folder; its message can be printed unchanged.
 */
export class LockHeld extends Error {
  override readonly name = 'Held'
}

const PAUSE_MS = 100

/**
 * Retries `attempt` until it returns a value. Throws `LockHeld` if `attempt` still returns
 * undefined after `waitMs`.
 */
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
