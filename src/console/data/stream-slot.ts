/**
 * Slots for streams. A browser opens at most six connections to an HTTP/1.1 origin in all its tabs,
 * so four tabs have a stream each, and two connections are left for requests.
 */

const SLOTS = 4

/** A page has one stream, so that each visible page may get one. */
let isStreaming = false

/** Performs `work` in a free slot. Returns false where this page or other tabs have taken all. */
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
