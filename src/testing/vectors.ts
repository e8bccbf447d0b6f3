/**
 * Synonyms for the scripted embedding model; words of the same meaning have vectors of the same
 * direction.
 */

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
    const meaning = MEANINGS[word] ?? word
    const place = [...meaning].reduce((sum, char) => (sum * 31 + char.charCodeAt(0)) % 8_191, 7)
    vector[place % DIMENSIONS]! += meaning.length > 3 || meaning === 'car' ? 1 : 0.1
  }
  return vector
}
