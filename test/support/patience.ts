/**
 * How long tests wait before they fail. A wait ends with what it waits for, never with a time: these
 * limits only end a test that hangs, so they are minutes, and a busy machine never reaches them.
 */

import { setTimeout as sleep } from 'node:timers/promises'

export const minutes = (count: number): number => count * 60_000

const LOOK_MS = 25
/** What one wait of a test may take. */
const PATIENCE_MS = minutes(4)

/** Calls `look` until it returns a value other than undefined or false; returns it. Throws after four minutes. */
export async function until<T>(
  what: string,
  look: () => T | Promise<T>,
  everyMs = LOOK_MS,
): Promise<Exclude<T, undefined | false>> {
  for (let waited = 0; waited < PATIENCE_MS; waited += everyMs) {
    const value = await look()
    if (value !== undefined && value !== false) return value as Exclude<T, undefined | false>
    await sleep(everyMs)
  }
  throw new Error(`${what}: not within ${PATIENCE_MS / 60_000} minutes`)
}
