/**
 * The loader runs in Node and in Workers, which have a Buffer; a browser has none. What the parsers
 * of files ask of it, and no more.
 */

const encoder = new TextEncoder()

const bytes = (value: string | Uint8Array): Uint8Array =>
  typeof value === 'string' ? encoder.encode(value) : value

function compare(left: Uint8Array, right: Uint8Array): number {
  const length = Math.min(left.length, right.length)
  for (let at = 0; at < length; at += 1) {
    const step = left[at]! - right[at]!
    if (step !== 0) return Math.sign(step)
  }
  return Math.sign(left.length - right.length)
}

const asked = {
  from: bytes,
  byteLength: (text: string): number => bytes(text).length,
  compare,
  isBuffer: (): boolean => false,
}
const world = globalThis as { Buffer?: unknown }
world.Buffer ??= asked
