/**
 * Cuts long texts inside JSON while it is read: a result of 40 MB is one text, which is not needed
 * whole, and which would have to be held and parsed whole to be cut afterwards. The bytes beyond
 * the limit are counted and named in a marker at the end of the text.
 */

const QUOTE = 0x22
const BACKSLASH = 0x5c
const LF = 0x0a
const CR = 0x0d
const U = 0x75

export const CUT_MARKER = /\n\[cut on its way: the whole text has (\d+) bytes\]$/

const marker = (bytes: number): Uint8Array =>
  new TextEncoder().encode(`\\n[cut on its way: the whole text has ${bytes} bytes]`)

/** Takes the chunks of one stream, in order; lines of an event stream are texts of their own. */
export function cutStrings(limit: number): (chunk: Uint8Array) => Uint8Array {
  const state = { inText: false, size: 0, escape: 0, cutting: false }
  return (chunk) => {
    // Most chunks need no cut and pass unchanged.
    let out: Uint8Array[] | undefined
    let from = 0
    for (let at = 0; at < chunk.length; at += 1) {
      const byte = chunk[at]!
      if (byte === LF || byte === CR) {
        // Outside of a string, since this is not JSON.
        if (state.cutting) from = at
        Object.assign(state, { inText: false, size: 0, escape: 0, cutting: false })
        continue
      }
      if (!state.inText) {
        state.inText = byte === QUOTE
        continue
      }
      if (state.escape === 0 && byte === QUOTE) {
        if (state.cutting) {
          out ??= []
          out.push(marker(state.size))
          from = at
        }
        Object.assign(state, { inText: false, size: 0, cutting: false })
        continue
      }
      // Not within an escape sequence or a character.
      const atStart = state.escape === 0 && (byte & 0xc0) !== 0x80
      if (!state.cutting && state.size >= limit && atStart) {
        out ??= []
        out.push(chunk.subarray(from, at))
        state.cutting = true
      }
      state.size += 1
      state.escape = escapeAfter(state.escape, byte)
    }
    if (out === undefined && !state.cutting && from === 0) return chunk
    return joined([...(out ?? []), ...(state.cutting ? [] : [chunk.subarray(from)])])
  }
}

/** How many bytes of an escape sequence are still to come. */
function escapeAfter(remaining: number, byte: number): number {
  if (remaining === 0) return byte === BACKSLASH ? 1 : 0
  // The first byte after the backslash: four more after `\u`. Its count distinguishes it from
  // those.
  if (remaining === 1 && byte === U) return -4
  return remaining < 0 ? remaining + 1 : remaining - 1
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  if (parts.length === 1) return parts[0]!
  const all = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of parts) {
    all.set(part, at)
    at += part.length
  }
  return all
}
