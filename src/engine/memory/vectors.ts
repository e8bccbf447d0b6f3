/**
 * Passage vectors of one index part, stored next to the part in the bucket by text digest, so an
 * unchanged passage is embedded once. Eight bits per dimension are enough for ranking. Best effort:
 * if the model does not respond, passages have no vector, and the search reports this.
 *
 *     <tenant>/index/memory/<digest of the folder>/<parts>-<part>.vectors
 */

import { decodeStrict, encode } from '../../lib/bytes.ts'
import { sha256 } from '../../lib/digest.ts'
import type { Embedding, TenantKeys, World } from '../../ports/world.ts'
import type { Segment } from './segment.ts'

const MAGIC = 'strata-memory-vectors-1'
export const VECTORS = '.vectors'
const BATCH = 64
const LEVELS = 127

export interface VectorRoom {
  /** Number of passages that the search may still embed. */
  texts: number
}

type Vectors = Map<string, Int8Array>

/** Returns the digest of a passage text. */
const digestOf = (text: string): string => sha256(text).slice(0, 24)

/** Quantizes a unit vector to bytes: each component relative to the largest one. */
function quantized(vector: readonly number[]): Int8Array {
  const most = vector.reduce((max, component) => Math.max(max, Math.abs(component)), 1e-9)
  return Int8Array.from(vector, (component) => Math.round((component / most) * LEVELS))
}

function cosine(a: Int8Array, b: Int8Array): number {
  let dot = 0
  let left = 0
  let right = 0
  for (let at = 0; at < a.length && at < b.length; at += 1) {
    dot += a[at]! * b[at]!
    left += a[at]! * a[at]!
    right += b[at]! * b[at]!
  }
  return left === 0 || right === 0 ? 0 : dot / Math.sqrt(left * right)
}

export async function queryVector(
  embedding: Embedding,
  query: string,
  signal: AbortSignal,
  keys: TenantKeys,
): Promise<Int8Array | undefined> {
  const answer = await embedding.embed([query], signal, keys)
  return answer.ok && answer.value[0] ? quantized(answer.value[0]) : undefined
}

export interface Near {
  readonly at: number
  readonly nearness: number
}

/**
 * Returns the passages of an index part that are nearest to the query, by number. Also returns the
 * number of passages without a vector.
 */
export async function nearest(
  { objects }: World,
  embedding: Embedding,
  { key, segment }: { readonly key: string; readonly segment: Segment },
  vectorQuery: {
    readonly query: Int8Array
    readonly most: number
    readonly room: VectorRoom
    readonly signal: AbortSignal
    readonly keys: TenantKeys
  },
): Promise<{ readonly near: readonly Near[]; readonly lacking: number }> {
  const texts = segment.places.map(({ passage }) => passage.text)
  const digests = texts.map(digestOf)
  const object = await objects.get(key + VECTORS)
  const storedVectors = (object && parsed(object.body, embedding.model)) ?? new Map()
  const vectors: Vectors = new Map()
  for (const digest of digests) {
    const vector = storedVectors.get(digest)
    if (vector) vectors.set(digest, vector)
  }
  const missing = [...new Set(digests.filter((digest) => !vectors.has(digest)))].slice(
    0,
    vectorQuery.room.texts,
  )
  const added = await embedMissing(
    embedding,
    vectors,
    missing,
    (digest) => texts[digests.indexOf(digest)]!,
    vectorQuery,
  )
  if (added > 0 || vectors.size < storedVectors.size) {
    const expect = object ? { etag: object.etag } : 'absent'
    await objects
      .put(key + VECTORS, encodeVectors(vectors, embedding.model), expect)
      .catch(() => undefined)
  }
  const near = digests.flatMap((digest, at) => {
    const vector = vectors.get(digest)
    return vector ? [{ at, nearness: cosine(vectorQuery.query, vector) }] : []
  })
  near.sort((a, b) => b.nearness - a.nearness || a.at - b.at)
  return {
    near: near.slice(0, vectorQuery.most),
    lacking: digests.filter((d) => !vectors.has(d)).length,
  }
}

/** Embeds passages without a vector in batches, until one batch fails. */
async function embedMissing(
  embedding: Embedding,
  vectors: Vectors,
  missing: readonly string[],
  textOf: (digest: string) => string,
  {
    room,
    signal,
    keys,
  }: {
    readonly room: VectorRoom
    readonly signal: AbortSignal
    readonly keys: TenantKeys
  },
): Promise<number> {
  let added = 0
  for (let at = 0; at < missing.length; at += BATCH) {
    const some = missing.slice(at, at + BATCH)
    const answer = await embedding.embed(some.map(textOf), signal, keys)
    if (!answer.ok) break
    for (const [index, vector] of answer.value.entries())
      vectors.set(some[index]!, quantized(vector))
    added += some.length
    room.texts -= some.length
  }
  return added
}

const encodeVectors = (vectors: Vectors, model: string): Uint8Array =>
  encode(
    JSON.stringify({
      magic: MAGIC,
      model,
      vectors: [...vectors].map(([digest, vector]) => [
        digest,
        Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength).toString('base64'),
      ]),
    }),
  )

/** Parses stored vectors. Vectors of another embedding model are ignored. */
function parsed(body: Uint8Array, model: string): Vectors | undefined {
  try {
    const read = JSON.parse(decodeStrict(body) ?? '') as {
      magic: string
      model: string
      vectors: [string, string][]
    }
    if (read.magic !== MAGIC || read.model !== model) return undefined
    return new Map(
      read.vectors.map(([digest, text]) => [digest, new Int8Array(Buffer.from(text, 'base64'))]),
    )
  } catch {
    return undefined
  }
}
