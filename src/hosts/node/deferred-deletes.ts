/**
 * Defers deletes of bodies during a backup, because the copied database may name a body of a run
 * that is deleted a moment later. Deferred deletes are only in memory; after a crash, the sweep
 * finds those bodies, because no log names them.
 */

import type { Objects } from '../../ports/world.ts'

/** Matches objects that a log names by digest; all other objects are files that people change. */
const DIGEST_KEY = /^[^/]+\/(?:bodies|pins)\//

export interface DeferredDeletes {
  readonly objects: Objects
  /** Defers deletes of bodies until the returned function is called. */
  defer(): () => Promise<void>
}

export function deferredDeletes(objects: Objects): DeferredDeletes {
  let holders = 0
  const waiting = new Set<string>()
  const deleteAll = async (): Promise<void> => {
    for (const key of waiting) {
      if (holders > 0) return
      waiting.delete(key)
      await objects.delete(key, 'any')
    }
  }
  return {
    objects: {
      ...objects,
      async put(key, body, expect) {
        waiting.delete(key)
        return objects.put(key, body, expect)
      },
      async delete(key, expect) {
        if (holders === 0 || !DIGEST_KEY.test(key)) return objects.delete(key, expect)
        waiting.add(key)
        return 'ok'
      },
    },
    defer() {
      holders += 1
      let isHeld = true
      return async () => {
        if (!isHeld) return
        isHeld = false
        holders -= 1
        if (holders === 0) await deleteAll()
      }
    },
  }
}
