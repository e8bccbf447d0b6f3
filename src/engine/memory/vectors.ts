/**
 * Vectors of the passages of one part, beside it in the bucket, by the digests of their texts: what
 * does not change is asked for once. Eight bits a dimension are enough to rank by. Best effort: a
 * model that does not answer leaves passages without a vector, which the search says.
 *
 *     <tenant>/index/memory/<digest of the folder>/<parts>-<part>.vectors
 */

import { decodeStrict, encode } from '../../lib/bytes.ts'
import { sha256 } from '../../lib/digest.ts'
import type { Embedding, World } from '../../ports/world.ts'
import type { Segment } from './segment.ts'

const MAGIC = 'strata-memory-vectors-1'
export const VECTORS = '.vectors'
const BATCH = 64
const LEVELS = 127

export interface VectorRoom {
  /** Passages that may still be asked for. */
  texts: number
}

type Vectors = Map<string, Int8Array>

/** The digest of the text. */
const digestOf = (text: string): string => sha256(text).slice(0, 24)

/** Quantizes a unit vector: signs and sizes relative to the largest component. */
function quantized(vector: readonly number[]): Int8Array {
  const most = vector.reduce((max, one) => Math.max(max, Math.abs(one)), 1e-9)
  return Int8Array.from(vector, (one) => Math.round((one / most) * LEVELS))
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
): Promise<Int8Array | undefined> {
  const asked = await embedding.embed([query], signal)
  return asked.ok && asked.value[0] ? quantized(asked.value[0]) : undefined
}

export interface Near {
  readonly at: number
  readonly nearness: number
}

/** The nearest passages of a part, by their numbers; and how many have no vector yet. */
export async function nearest(
  { objects }: World,
  embedding: Embedding,
  { key, segment }: { readonly key: string; readonly segment: Segment },
  asked: {
    readonly query: Int8Array
    readonly most: number
    readonly room: VectorRoom
    readonly signal: AbortSignal
  },
): Promise<{ readonly near: readonly Near[]; readonly lacking: number }> {
  const texts = segment.places.map(({ passage }) => passage.text)
  const digests = texts.map(digestOf)
  const object = await objects.get(key + VECTORS)
  const known = (object && parsed(object.body, embedding.model)) ?? new Map()
  const kept: Vectors = new Map()
  for (const digest of digests) {
    const vector = known.get(digest)
    if (vector) kept.set(digest, vector)
  }
  const missing = [...new Set(digests.filter((one) => !kept.has(one)))].slice(0, asked.room.texts)
  const added = await learned(
    embedding,
    kept,
    missing,
    (one) => texts[digests.indexOf(one)]!,
    asked,
  )
  if (added > 0 || kept.size < known.size) {
    const expect = object ? { etag: object.etag } : 'absent'
    await objects.put(key + VECTORS, written(kept, embedding.model), expect).catch(() => undefined)
  }
  const near = digests.flatMap((digest, at) => {
    const vector = kept.get(digest)
    return vector ? [{ at, nearness: cosine(asked.query, vector) }] : []
  })
  near.sort((a, b) => b.nearness - a.nearness || a.at - b.at)
  return { near: near.slice(0, asked.most), lacking: digests.filter((d) => !kept.has(d)).length }
}

/** Asks for what is missing, batch by batch, until one fails. */
async function learned(
  embedding: Embedding,
  kept: Vectors,
  missing: readonly string[],
  textOf: (digest: string) => string,
  { room, signal }: { readonly room: VectorRoom; readonly signal: AbortSignal },
): Promise<number> {
  let added = 0
  for (let at = 0; at < missing.length; at += BATCH) {
    const some = missing.slice(at, at + BATCH)
    const answer = await embedding.embed(some.map(textOf), signal)
    if (!answer.ok) break
    for (const [index, vector] of answer.value.entries()) kept.set(some[index]!, quantized(vector))
    added += some.length
    room.texts -= some.length
  }
  return added
}

const written = (vectors: Vectors, model: string): Uint8Array =>
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

/** Vectors of another model are ignored. */
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
