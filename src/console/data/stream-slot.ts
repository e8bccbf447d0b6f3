/**
 * Number of stream slots. A browser opens at most six connections per HTTP/1.1 origin, so four tabs
 * may stream and two connections remain for requests.
 */

const SLOTS = 4

/** A page uses at most one stream, so that other visible pages can use one too. */
let isStreaming = false

/** Runs `work` in a free stream slot. Returns false if this page and other tabs use all slots. */
export async function inSlot(work: () => Promise<void>): Promise<boolean> {
  if (isStreaming) return false
  isStreaming = true
  try {
    for (let slot = 1; slot <= SLOTS; slot += 1) {
      const options = { ifAvailable: true }
      const isDone = await navigator.locks.request(`stream-${slot}`, options, async (lock) => {
        if (lock) await work()
        return lock !== null
      })
      if (isDone) return true
    }
    return false
  } finally {
    isStreaming = false
  }
}
