/** A bucket in memory that counts its calls, pages like the real ones and can be slow. */

import { encode } from '../../src/lib/bytes.ts'
import { sha256 } from '../../src/lib/digest.ts'
import type { Expect, ObjectPage, Objects, StoredObject } from '../../src/ports/world.ts'

export interface TestObjects extends Objects {
  /** `get <key>` and `list <prefix>` in the order they were made. */
  readonly calls: string[]
  /** Ended trips, one after another: calls that overlap in time count once. */
  readonly trips: () => number
  readonly reset: () => void
  readonly write: (files: Readonly<Record<string, string | Uint8Array>>, under?: string) => void
  readonly remove: (key: string) => void
  readonly keys: () => string[]
}

export function testObjects(options: { readonly page?: number } = {}): TestObjects {
  const page = options.page ?? 1_000
  const stored = new Map<string, StoredObject>()
  const calls: string[] = []
  let trips = 0
  let open: Promise<void> | undefined
  // Calls made in the same turn share a trip: the next turn begins when all of them answered.
  const trip = () => {
    open ??= new Promise((resolve) => {
      setImmediate(() => {
        trips += 1
        open = undefined
        resolve()
      })
    })
    return open
  }
  const put = (key: string, body: Uint8Array) => {
    const etag = `"${sha256(body).slice(0, 32)}"`
    stored.set(key, { body, etag })
    return { etag }
  }
  const stands = (key: string, expect: Expect) => {
    const now = stored.get(key)
    if (expect === 'any') return true
    return expect === 'absent' ? now === undefined : now?.etag === expect.etag
  }
  return {
    calls,
    trips: () => trips,
    reset: () => {
      calls.length = 0
      trips = 0
    },
    write: (files, under = '') => {
      for (const [key, body] of Object.entries(files)) {
        put(under + key, typeof body === 'string' ? encode(body) : body)
      }
    },
    remove: (key) => stored.delete(key),
    keys: () => [...stored.keys()].sort(),
    get: async (key) => {
      calls.push(`get ${key}`)
      await trip()
      return stored.get(key) ?? null
    },
    put: async (key, body, expect) => {
      calls.push(`put ${key}`)
      return stands(key, expect) ? put(key, body) : 'conflict'
    },
    delete: async (key, expect) => {
      calls.push(`delete ${key}`)
      if (!stands(key, expect)) return 'conflict'
      stored.delete(key)
      return 'ok'
    },
    list: async (prefix, cursor): Promise<ObjectPage> => {
      calls.push(`list ${prefix}`)
      await trip()
      const keys = [...stored.keys()]
        .filter((key) => key.startsWith(prefix) && (cursor === undefined || key > cursor))
        .sort()
      const objects = keys.slice(0, page).map((key) => {
        const { body, etag } = stored.get(key)!
        return { key, etag, size: body.byteLength, modified: 0 }
      })
      const more = keys.length > page
      return { objects, ...(more ? { cursor: objects.at(-1)?.key } : {}) }
    },
  }
}
