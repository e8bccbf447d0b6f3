/**
 * SHA-256 for the loader in a browser, where WebCrypto only has one that must be awaited. It stands
 * in the place of `node:crypto` (vite.config.ts).
 */

const PRIMES: number[] = []
for (let n = 2; PRIMES.length < 64; n += 1) if (PRIMES.every((one) => n % one !== 0)) PRIMES.push(n)

/** The first 32 bits behind the point. */
const fraction = (root: number): number => ((root - Math.floor(root)) * 2 ** 32) | 0
const K = PRIMES.map((prime) => fraction(Math.cbrt(prime)))
const START = PRIMES.slice(0, 8).map((prime) => fraction(Math.sqrt(prime)))

const turned = (word: number, by: number): number => (word >>> by) | (word << (32 - by))

function padded(data: Uint8Array): DataView {
  const size = (((data.length + 8) >> 6) + 1) * 64
  const view = new DataView(new ArrayBuffer(size))
  new Uint8Array(view.buffer).set(data)
  view.setUint8(data.length, 0x80)
  view.setUint32(size - 8, Math.floor(data.length / 2 ** 29))
  view.setUint32(size - 4, (data.length << 3) >>> 0)
  return view
}

function words(view: DataView, at: number): Int32Array {
  const w = new Int32Array(64)
  for (let i = 0; i < 16; i += 1) w[i] = view.getInt32(at + i * 4)
  for (let i = 16; i < 64; i += 1) {
    const [early, late] = [w[i - 15]!, w[i - 2]!]
    const low = turned(early, 7) ^ turned(early, 18) ^ (early >>> 3)
    const high = turned(late, 17) ^ turned(late, 19) ^ (late >>> 10)
    w[i] = w[i - 16]! + low + w[i - 7]! + high
  }
  return w
}

function mixed(state: readonly number[], w: Int32Array): number[] {
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state
  for (let i = 0; i < 64; i += 1) {
    const high = turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)
    const one = (h + high + ((e & f) ^ (~e & g)) + K[i]! + w[i]!) | 0
    const low = turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)
    const two = (low + ((a & b) ^ (a & c) ^ (b & c))) | 0
    h = g
    g = f
    f = e
    e = (d + one) | 0
    d = c
    c = b
    b = a
    a = (one + two) | 0
  }
  return [a, b, c, d, e, f, g, h].map((word, i) => (word + state[i]!) | 0)
}

export function sha256(data: string | Uint8Array): string {
  const view = padded(typeof data === 'string' ? new TextEncoder().encode(data) : data)
  let state: readonly number[] = START
  for (let at = 0; at < view.byteLength; at += 64) state = mixed(state, words(view, at))
  return state.map((word) => (word >>> 0).toString(16).padStart(8, '0')).join('')
}

export default { hash: (_algorithm: 'sha256', data: string | Uint8Array) => sha256(data) }
