/**
 * Bodies that are cheaper in the bucket than in the table. A write of DynamoDB is paid by the KB,
 * twice in a transaction; one of S3 is paid once. They lie under their digest, create-only, before
 * the commit that names them, and go with their partition.
 */

import { assert } from '../../lib/assert.ts'
import { byteLength, decode, encode } from '../../lib/bytes.ts'
import { sha256 } from '../../lib/digest.ts'
import type { Objects } from '../../ports/world.ts'
import type { StoredBody } from './commit.ts'
import { type Item, text } from './table.ts'

export interface Spilling {
  /** Puts what is too large for the table into the bucket. */
  keep(partition: string, bodies: readonly string[]): Promise<void>
  stored(body: string): StoredBody
  load(partition: string, item: Item): Promise<string>
  drop(partition: string): Promise<void>
}

const folder = (partition: string): string => `rows/${partition}/`

export function spilling(objects: Objects, spillBytes: number): Spilling {
  const isLarge = (body: string): boolean =>
    body.length * 3 > spillBytes && byteLength(body) > spillBytes
  const place = (partition: string, digest: string): string => folder(partition) + digest
  return {
    async keep(partition, bodies) {
      // Refused means that it is there already (protocol rule 42).
      const puts = bodies
        .filter(isLarge)
        .map((body) => objects.put(place(partition, sha256(body)), encode(body), 'absent'))
      await Promise.all(puts)
    },
    stored: (body) => (isLarge(body) ? { s: text(sha256(body)) } : { b: text(body) }),
    async load(partition, item) {
      const digest = item.s?.S
      if (digest === undefined) return item.b?.S ?? ''
      const object = await objects.get(place(partition, digest))
      assert(object, `the body ${digest} of ${partition} is in the bucket`)
      return decode(object.body)
    },
    async drop(partition) {
      for (;;) {
        const page = await objects.list(folder(partition))
        if (page.objects.length === 0) return
        await Promise.all(page.objects.map(({ key }) => objects.delete(key, 'any')))
      }
    },
  }
}
