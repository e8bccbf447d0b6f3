/** Vectors of a scripted embedding model: words that mean the same have the same direction. */

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
