/**
 * Body storage. DynamoDB bills writes per KB, and twice in a transaction. Texts of more than a few
 * hundred bytes are therefore compressed, and still larger texts are stored in the bucket, where a
 * write is billed once: under their digest, before the commit that references them.
 *
 *   rows/<partition>/<digest>      create-only, deleted with the partition
 *   expiring/<partition>/<digest>  of rows that the table expires: written again for each row, and
 *                                  expired by a bucket rule that starts at the last write
 */

import { deflateRawSync, inflateRawSync } from 'node:zlib'
import { EXPIRING_FOLDER, ROWS_FOLDER } from '../../engine/partition/keys.ts'
import { decode, encode } from '../../lib/bytes.ts'
import { sha256 } from '../../lib/digest.ts'
import { Unavailable } from '../../lib/unavailable.ts'
import type { HeadWrite, Objects } from '../../ports/world.ts'
import type { StoredBody } from './commit.ts'
import { type Item, text } from './table.ts'

/** Body to store, and whether its row expires. */
type SpillBody = Pick<HeadWrite, 'body' | 'expiresAt'>

export interface Spilling {
  /** Decides how each body is stored, and uploads large bodies to the bucket. */
  keep(partition: string, bodies: readonly SpillBody[]): Promise<(row: SpillBody) => StoredBody>
  load(partition: string, item: Item): Promise<string>
  /** Deletes the bodies of a partition's rows from the bucket, except for the body `except`. */
  drop(partition: string, except?: string): Promise<void>
}

/** Minimum size of a text to compress, in bytes; a shorter text fits into one write unit. */
const COMPRESS_BYTES = 512

/**
 * Key prefix of bodies that the bucket expires automatically, and their lifetime in days, which
 * exceeds that of any row that names them.
 */
export const EXPIRING = { prefix: EXPIRING_FOLDER, days: 45 } as const

export function spilling(objects: Objects, spillBytes: number): Spilling {
  const folder = (partition: string): string => `${ROWS_FOLDER}${partition}/`
  const place = (partition: string, digest: string, expires: boolean): string =>
    expires ? `${EXPIRING.prefix}${partition}/${digest}` : folder(partition) + digest
  const keepOne = async (
    partition: string,
    { body, expiresAt }: SpillBody,
  ): Promise<StoredBody> => {
    const bytes = encode(body)
    if (bytes.length <= Math.min(COMPRESS_BYTES, spillBytes)) return { b: text(body) }
    const small = deflateRawSync(bytes)
    if (small.length <= spillBytes) return { z: { B: small } }
    const digest = sha256(bytes)
    const expires = expiresAt !== undefined
    // A rejected put means that the object already exists (PROTOCOL.md rule 42).
    await objects.put(place(partition, digest, expires), bytes, expires ? 'any' : 'absent')
    return { s: text(digest) }
  }
  return {
    async keep(partition, bodies) {
      const once = new Map(bodies.map((row) => [nameOf(row), row]))
      const uploads = [...once].map(async ([name, row]) => {
        return [name, await keepOne(partition, row)] as const
      })
      const stored = new Map(await Promise.all(uploads))
      return (row) => stored.get(nameOf(row))!
    },
    async load(partition, item) {
      if (item.z?.B) return decode(inflateRawSync(item.z.B))
      const digest = item.s?.S
      if (digest === undefined) return item.b?.S ?? ''
      const object = await objects.get(place(partition, digest, item.x !== undefined))
      // The row may have been read just before its partition was dropped; the next read detects the
      // deletion.
      if (!object)
        throw new Unavailable(`body ${digest} of partition ${partition} not found in the bucket`)
      return decode(object.body)
    },
    async drop(partition, except) {
      const exceptKey = except === undefined ? undefined : place(partition, except, false)
      for (;;) {
        const page = await objects.list(folder(partition))
        const obsolete = page.objects.filter(({ key }) => key !== exceptKey)
        if (obsolete.length === 0) return
        await Promise.all(obsolete.map(({ key }) => objects.delete(key, 'any')))
      }
    },
  }
}

/** Returns the object name of a body; equal bodies under the same prefix are stored once. */
const nameOf = ({ body, expiresAt }: SpillBody): string =>
  (expiresAt === undefined ? '-' : '+') + body
