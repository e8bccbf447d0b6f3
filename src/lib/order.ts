/**
 * Defines the order of object keys: UTF-8 code units, as in every object store. JavaScript compares
 * UTF-16 code units, which differs only between a surrogate pair and a character above U+D7FF.
 */

/** Compares two object keys, for `sort`. */
export function compareKeys(left: string, right: string): number {
  const length = Math.min(left.length, right.length)
  for (let i = 0; i < length; i += 1) {
    const a = left.charCodeAt(i)
    const b = right.charCodeAt(i)
    if (a !== b) return weight(a) - weight(b)
  }
  return left.length - right.length
}

/** Surrogates represent characters above all others, so they sort after every other code unit. */
const weight = (unit: number): number => (unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit)
