/**
 * Chance from a seed (sfc32). Streams are forked by name, so that one part of a world may draw more
 * or less without changing what another part draws: a shrunk plan keeps its workload.
 */

export interface Chance {
  /** In [0, 1). */
  next(): number
  /** Whole, in [0, below). */
  int(below: number): number
  /** Whole, from `low` to `high`, both included. */
  between(low: number, high: number): number
  /** True with this probability. */
  flip(probability: number): boolean
  pick<T>(from: readonly T[]): T
  bytes(length: number): Uint8Array
  fork(name: string): Chance
}

export function chance(seed: number | string): Chance {
  const text = String(seed)
  let [a, b, c, d] = [hash(text, 1), hash(text, 2), hash(text, 3), 1]
  const word = (): number => {
    const sum = (((a + b) | 0) + d) | 0
    d = (d + 1) | 0
    a = b ^ (b >>> 9)
    b = (c + (c << 3)) | 0
    c = (c << 21) | (c >>> 11)
    c = (c + sum) | 0
    return sum >>> 0
  }
  for (let round = 0; round < 12; round += 1) word()
  const next = (): number => word() / 4_294_967_296
  return {
    next,
    int: (below) => Math.floor(next() * below),
    between: (low, high) => low + Math.floor(next() * (high - low + 1)),
    flip: (probability) => next() < probability,
    pick: (from) => from[Math.floor(next() * from.length)]!,
    bytes: (length) => Uint8Array.from({ length }, () => word() & 0xff),
    fork: (name) => chance(`${text}/${name}`),
  }
}

/** 32 bits of a text (FNV-1a, then mixed). */
export function hash(text: string, start = 0): number {
  let value = 0x811c9dc5 ^ Math.imul(start, 0x9e3779b1)
  for (let index = 0; index < text.length; index += 1) {
    value = Math.imul(value ^ text.charCodeAt(index), 0x01000193)
  }
  value = Math.imul(value ^ (value >>> 16), 0x85ebca6b)
  value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35)
  return (value ^ (value >>> 16)) | 0
}
