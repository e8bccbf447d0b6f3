/**
 * How bodies are stored. A write of DynamoDB is paid by the KB, twice in a transaction, so texts of
 * more than a few hundred bytes are compressed, and what is still large lies in the bucket, where a
 * write is paid once: under its digest, create-only, before the commit that names it, and gone with
 * its partition.
 */

import { deflateRawSync, inflateRawSync } from 'node:zlib'
import { assert } from '../../lib/assert.ts'
import { decode, encode } from '../../lib/bytes.ts'
import { sha256 } from '../../lib/digest.ts'
import type { Objects } from '../../ports/world.ts'
import type { StoredBody } from './commit.ts'
import { type Item, text } from './table.ts'

export interface Spilling {
  /** How each of these bodies is to be stored; what is too large lies in the bucket by then. */
  keep(partition: string, bodies: readonly string[]): Promise<ReadonlyMap<string, StoredBody>>
  load(partition: string, item: Item): Promise<string>
  drop(partition: string): Promise<void>
}

/** Shorter texts fit a write unit as they are. */
const COMPRESS_BYTES = 512

const folder = (partition: string): string => `rows/${partition}/`

export function spilling(objects: Objects, spillBytes: number): Spilling {
  const place = (partition: string, digest: string): string => folder(partition) + digest
  const keepOne = async (partition: string, body: string): Promise<StoredBody> => {
    const bytes = encode(body)
    if (bytes.length <= Math.min(COMPRESS_BYTES, spillBytes)) return { b: text(body) }
    const small = deflateRawSync(bytes)
    if (small.length <= spillBytes) return { z: { B: small } }
    const digest = sha256(bytes)
    // Refused means that it is there already (protocol rule 42).
    await objects.put(place(partition, digest), bytes, 'absent')
    return { s: text(digest) }
  }
  return {
    async keep(partition, bodies) {
      const kept = [...new Set(bodies)].map(async (body) => {
        return [body, await keepOne(partition, body)] as const
      })
      return new Map(await Promise.all(kept))
    },
    async load(partition, item) {
      if (item.z?.B) return decode(inflateRawSync(item.z.B))
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
