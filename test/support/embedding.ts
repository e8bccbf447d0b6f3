/** Vectors of a scripted embedding model: words that mean the same have the same direction. */

import { fail, ok } from '../../src/lib/outcome.ts'
import type { Embedding } from '../../src/ports/world.ts'

const MEANINGS: Readonly<Record<string, string>> = {
  automobile: 'car',
  vehicle: 'car',
  physician: 'doctor',
  surgeon: 'doctor',
}
const DIMENSIONS = 64

export function vectorOf(text: string): number[] {
  const vector = Array.from({ length: DIMENSIONS }, () => 0)
  for (const word of text.toLowerCase().match(/[a-z]+/g) ?? []) {
    const meant = MEANINGS[word] ?? word
    const place = [...meant].reduce((sum, one) => (sum * 31 + one.charCodeAt(0)) % 8_191, 7)
    vector[place % DIMENSIONS]! += meant.length > 3 || meant === 'car' ? 1 : 0.1
  }
  return vector
}

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
