/**
 * The lock of a data folder: one process at a time. A second process waits a while (the first may
 * be on its way out after a restart) and then gives up with a sentence for the person at the
 * terminal.
 */

/** The data is held by another process; the message can be printed as it is. */
export class LockHeld extends Error {
  override readonly name = 'Held'
}

const PAUSE_MS = 100

/** Tries until `attempt` answers a value; `Held` when it answers undefined for `waitMs`. */
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
