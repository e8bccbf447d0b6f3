/** Sealed texts that somebody has changed. */

/**
 * One character in the middle is another. The last one would not do: it may carry bits that nobody
 * reads, so that now and then the changed text means the same.
 */
export function bent(sealed: string): string {
  const at = sealed.length >> 1
  return sealed.slice(0, at) + (sealed[at] === 'A' ? 'B' : 'A') + sealed.slice(at + 1)
}
