/** Object store in memory. Bytes are copied in and out, so callers cannot change stored objects. */

import { compareKeys } from '../../lib/order.ts'
import type { Expect, Objects } from '../../ports/world.ts'

const PAGE = 1_000

/** Creates an in-memory object store; `now` returns milliseconds since 1970. */
export function memoryObjects(now: () => number = Date.now): Objects {
  const stored = new Map<string, { body: Uint8Array; etag: string; modified: number }>()
  let writes = 0

  const asExpected = (key: string, expect: Expect): boolean => {
    if (expect === 'any') return true
    const etag = stored.get(key)?.etag
    return expect === 'absent' ? etag === undefined : etag === expect.etag
  }

  return {
    async get(key) {
      const object = stored.get(key)
      return object ? { body: object.body.slice(), etag: object.etag } : null
    },
    async put(key, body, expect) {
      if (!asExpected(key, expect)) return 'conflict'
      writes += 1
      const etag = `v${writes}`
      stored.set(key, { body: body.slice(), etag, modified: now() })
      return { etag }
    },
    async delete(key, expect) {
      if (!asExpected(key, expect)) return 'conflict'
      stored.delete(key)
      return 'ok'
    },
    async list(prefix, cursor) {
      const keys = [...stored.keys()]
        .filter((key) => key.startsWith(prefix))
        .filter((key) => cursor === undefined || compareKeys(key, cursor) > 0)
        .sort(compareKeys)
      const objects = keys.slice(0, PAGE).map((key) => {
        const { etag, body, modified } = stored.get(key)!
        return { key, etag, size: body.byteLength, modified }
      })
      return keys.length > PAGE ? { objects, cursor: objects.at(-1)!.key } : { objects }
    },
  }
}
