/** A scripted embedding model as a port. */

import { fail, ok } from '../../src/lib/outcome.ts'
import type { Embedding } from '../../src/ports/world.ts'
import { vectorOf } from '../../src/testing/vectors.ts'

/** `asked`: all texts that it was given; while `away.now` it does not answer. */
export function scriptEmbedding(away = { now: false }) {
  const asked: string[] = []
  const embedding: Embedding = {
    model: 'test/embedding',
    async embed(texts) {
      if (away.now) return fail({ code: 'unavailable', message: 'down', retryable: true })
      asked.push(...texts)
      return ok(texts.map(vectorOf))
    },
  }
  return { embedding, asked, away }
}
