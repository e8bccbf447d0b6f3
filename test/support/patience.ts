/**
 * How long tests wait before they fail. A wait ends with what it waits for, never with a time: these
 * limits only end a test that hangs, so they are minutes, and a busy machine never reaches them.
 */

export const minutes = (count: number): number => count * 60_000

const POLL_MS = 25
/** What one wait of a test may take. */
const PATIENCE_MS = minutes(4)

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

/**
 * Calls `poll` until it returns a value other than undefined or false; returns it. Throws after four
 * minutes of pauses, with what `describe` says of the state then.
 */
export async function until<T>(
  what: string,
  poll: () => T | Promise<T>,
  { everyMs = POLL_MS, describe = () => '' as string | Promise<string> } = {},
): Promise<Exclude<T, undefined | false>> {
  for (let waited = 0; waited < PATIENCE_MS; waited += everyMs) {
    const value = await poll()
    if (value !== undefined && value !== false) return value as Exclude<T, undefined | false>
    await sleep(everyMs)
  }
  throw new Error(`${what}: not within ${PATIENCE_MS / 60_000} minutes. ${await describe()}`.trim())
}

/** Calls `check` until it does not throw; after four minutes of pauses throws what it threw last. */
export async function eventually(
  check: () => unknown,
  pause: () => Promise<unknown> = () => sleep(POLL_MS),
): Promise<void> {
  for (let polls = 1; ; polls += 1) {
    try {
      await check()
      return
    } catch (error) {
      if (polls * POLL_MS >= PATIENCE_MS) throw error
    }
    await pause()
  }
}

/**
 * Starts a timer of `ms` and returns whether it has fired. Timers of one thread fire in the order of
 * their ends, so that what comes before its time is seen on a machine of any speed.
 */
export function startTimer(ms: number): () => boolean {
  let isOver = false
  setTimeout(() => {
    isOver = true
  }, ms)
  return () => isOver
}
