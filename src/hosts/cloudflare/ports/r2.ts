/**
 * Objects in R2. Conditions are sent with the put; R2 supports none on deletes, so a conditional
 * delete first reads the object. R2 accepts one write per second per key. After a write that was
 * rejected as too early, or a lost response, the outcome is read and the write is retried.
 */

import { sameBytes } from '../../../lib/bytes.ts'
import { tellingTrouble } from '../../../lib/unavailable.ts'
import type { Expect, Objects } from '../../../ports/world.ts'
import type { R2, R2Info } from '../bindings/bindings.ts'
import { isTrouble } from '../bindings/failure.ts'

const PAGE = 1_000
const TRIES = 5
const PAUSE_MS = 300

export const r2Objects = (bucket: R2): Objects => tellingTrouble(objectsOf(bucket), isTrouble)

const objectsOf = (bucket: R2): Objects => ({
  get: (key) => get(bucket, key),
  put: (key, body, expect) => put(bucket, key, body, expect),
  async delete(key, expect) {
    if (expect !== 'any') {
      const current = await bucket.head(key)
      if (expect === 'absent') return current ? 'conflict' : 'ok'
      if (current?.etag !== expect.etag) return 'conflict'
    }
    await bucket.delete(key)
    return 'ok'
  },
  async list(prefix, cursor) {
    const objects: R2Info[] = []
    let after = cursor
    for (;;) {
      const range = { prefix, limit: PAGE - objects.length }
      const page = await bucket.list(after === undefined ? range : { ...range, startAfter: after })
      objects.push(...page.objects)
      after = objects.at(-1)?.key
      // A page of R2 may be short although more pages follow.
      if (!page.truncated || objects.length >= PAGE) {
        const infos = objects.map(({ key, etag, size, uploaded }) => {
          return { key, etag, size, modified: uploaded.getTime() }
        })
        return page.truncated && after !== undefined
          ? { objects: infos, cursor: after }
          : { objects: infos }
      }
    }
  },
})

async function get(bucket: R2, key: string) {
  const object = await bucket.get(key)
  return object && { body: new Uint8Array(await object.arrayBuffer()), etag: object.etag }
}

async function put(
  bucket: R2,
  key: string,
  body: Uint8Array,
  expect: Expect,
): Promise<{ etag: string } | 'conflict'> {
  const onlyIf = conditionOf(expect)
  for (let attempt = 0; ; attempt += 1) {
    try {
      const stored = await bucket.put(key, body, onlyIf)
      return stored ? { etag: stored.etag } : 'conflict'
    } catch (error) {
      const current = await get(bucket, key)
      if (current && sameBytes(current.body, body)) return { etag: current.etag }
      if (expect === 'absent' && current) return 'conflict'
      if (typeof expect === 'object' && current?.etag !== expect.etag) return 'conflict'
      if (attempt === TRIES) throw error
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS * (1 + attempt)))
    }
  }
}

function conditionOf(expect: Expect): Parameters<R2['put']>[2] {
  if (expect === 'any') return {}
  if (expect === 'absent') return { onlyIf: { etagDoesNotMatch: '*' } }
  return { onlyIf: { etagMatches: expect.etag } }
}
