/** Sealed texts that somebody has changed. */

/** One character in the middle is another. */
export function bent(sealed: string): string {
  const at = sealed.length >> 1
  return sealed.slice(0, at) + (sealed[at] === 'A' ? 'B' : 'A') + sealed.slice(at + 1)
}

/** The last character is its neighbour, which may differ only in bits that decoding drops. */
export function lastBent(sealed: string): string {
  const last = sealed.at(-1)!
  const other = ALPHABET[ALPHABET.indexOf(last) ^ 1]!
  return sealed.slice(0, -1) + other
}
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
