/**
 * The bucket's server side: keys, bytes, etags. It answers at once. As in S3 and R2 an etag says
 * what the bytes are, so whoever puts back what was there before brings its etag back.
 */

import { sha256 } from '../../../src/lib/digest.ts'
import { compareKeys } from '../../../src/lib/order.ts'
import type { Expect, ObjectPage, StoredObject } from '../../../src/ports/world.ts'

const PAGE = 1_000

export class ObjectServer {
  readonly #held = new Map<string, StoredObject & { readonly modified: number }>()
  readonly #now: () => number

  constructor(now: () => number) {
    this.#now = now
  }

  get(key: string): StoredObject | null {
    const object = this.#held.get(key)
    return object ? { body: object.body.slice(), etag: object.etag } : null
  }

  put(key: string, body: Uint8Array, expect: Expect): { etag: string } | 'conflict' {
    if (!this.#as(key, expect)) return 'conflict'
    const etag = sha256(body).slice(0, 32)
    this.#held.set(key, { body: body.slice(), etag, modified: this.#now() })
    return { etag }
  }

  delete(key: string, expect: Expect): 'ok' | 'conflict' {
    if (!this.#as(key, expect)) return 'conflict'
    this.#held.delete(key)
    return 'ok'
  }

  *all(): Generator<{ readonly key: string; readonly modified: number }> {
    for (const [key, { modified }] of this.#held) yield { key, modified }
  }

  list(prefix: string, cursor?: string): ObjectPage {
    const keys = [...this.#held.keys()]
      .filter((key) => key.startsWith(prefix))
      .filter((key) => cursor === undefined || compareKeys(key, cursor) > 0)
      .sort(compareKeys)
    const objects = keys.slice(0, PAGE).map((key) => {
      const { etag, body, modified } = this.#held.get(key)!
      return { key, etag, size: body.byteLength, modified }
    })
    return keys.length > PAGE ? { objects, cursor: objects.at(-1)!.key } : { objects }
  }

  #as(key: string, expect: Expect): boolean {
    if (expect === 'any') return true
    const etag = this.#held.get(key)?.etag
    return expect === 'absent' ? etag === undefined : etag === expect.etag
  }
}
