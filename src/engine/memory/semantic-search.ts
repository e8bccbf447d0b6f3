/**
 * Ranks passages by embedding similarity if an embedding model is configured. This ranking and the
 * word ranking are fused by rank, because their scores are not comparable. If the model fails, only
 * words count, and the notes of the result report this.
 */

import { LIMITS } from '../../core/limits.ts'
import type { Embedding } from '../../ports/world.ts'
import type { FileSpace } from '../layers/files.ts'
import { keysOf } from '../tenant/provider-keys.ts'
import { byScore, type Hit, type Segment } from './segment.ts'
import { nearest, queryVector, type VectorRoom } from './vectors.ts'

const MOST = 50
/** Constant of reciprocal rank fusion. Limits the weight of the first ranks. */
const DAMPING = 60
const SECONDS = 20

export class SemanticSearch {
  readonly #space: FileSpace
  readonly #embedding: Embedding
  readonly #query: Int8Array | undefined
  readonly #signal = AbortSignal.timeout(SECONDS * 1_000)
  readonly #room: VectorRoom = { texts: LIMITS.memory_vector_texts }
  #near: { readonly hit: Hit; readonly nearness: number }[] = []
  #lacking = 0

  private constructor(space: FileSpace, embedding: Embedding, query: Int8Array | undefined) {
    this.#space = space
    this.#embedding = embedding
    this.#query = query
  }

  /** Creates the semantic ranking; returns undefined without a configured embedding model. */
  static async of(space: FileSpace, query: string): Promise<SemanticSearch | undefined> {
    const { embedding } = space.world.model
    if (embedding === undefined) return undefined
    const signal = AbortSignal.timeout(SECONDS * 1_000)
    const keys = keysOf(space.world, space.tenant)
    return new SemanticSearch(space, embedding, await queryVector(embedding, query, signal, keys))
  }

  /** Discards the results before all index parts are searched again. */
  forget(): void {
    this.#near = []
    this.#lacking = 0
  }

  async see(segment: Segment, key: string, isWanted: (path: string) => boolean): Promise<void> {
    if (!this.#query) return
    const keys = keysOf(this.#space.world, this.#space.tenant)
    const request = { most: MOST, room: this.#room, signal: this.#signal, keys }
    const vectorQuery = { query: this.#query, ...request }
    const result = await nearest(this.#space.world, this.#embedding, { key, segment }, vectorQuery)
    this.#lacking += result.lacking
    for (const { at, nearness } of result.near) {
      const { path, passage } = segment.places[at]!
      if (!isWanted(path)) continue
      this.#near.push({ hit: { path, ...passage, terms: [], score: 0 }, nearness })
    }
    this.#near.sort((a, b) => b.nearness - a.nearness)
    this.#near.length = Math.min(this.#near.length, MOST)
  }

  /** Merges word hits, with their highlights, and semantic hits into one ranking. */
  fused(words: readonly Hit[], limit: number): Hit[] {
    const all = new Map<string, Hit>()
    const add = (hit: Hit, rank: number): void => {
      const id = `${hit.path}:${hit.from}-${hit.to}:${hit.text}`
      const previous = all.get(id)
      const score = (previous?.score ?? 0) + 1 / (DAMPING + rank)
      all.set(id, { ...(previous ?? hit), score: Number(score.toPrecision(6)) })
    }
    for (const [rank, hit] of words.entries()) add(hit, rank + 1)
    for (const [rank, { hit }] of this.#near.entries()) add(hit, rank + 1)
    const hits = [...all.values()]
    return hits.sort(byScore).slice(0, limit)
  }

  get notes(): readonly string[] {
    const { model } = this.#embedding
    if (!this.#query) return [`${model} did not respond; only keywords were searched.`]
    if (this.#lacking === 0) return []
    return [`${this.#lacking} passages have no ${model} vector yet; repeat the search.`]
  }
}
