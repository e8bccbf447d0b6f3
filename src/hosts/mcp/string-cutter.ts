/**
 * Cuts long strings inside JSON while the stream is read, so that a 40 MB result need not be stored
 * and parsed in full. A marker at the end of each cut string states the number of omitted bytes.
 */

const QUOTE = 0x22
const BACKSLASH = 0x5c
const LF = 0x0a
const CR = 0x0d
const U = 0x75

export const CUT_MARKER = /\n\[cut in transit: the full text has (\d+) bytes\]$/

const marker = (bytes: number): Uint8Array =>
  new TextEncoder().encode(`\\n[cut in transit: the full text has ${bytes} bytes]`)

/**
 * Returns a function that cuts the chunks of one stream in order; each line of an event stream is
 * treated as a separate text.
 */
export function cutStrings(limit: number): (chunk: Uint8Array) => Uint8Array {
  const state = { inText: false, size: 0, escape: 0, cutting: false }
  return (chunk) => {
    // Output chunks after the first cut; undefined while the input needs no cut.
    let out: Uint8Array[] | undefined
    let from = 0
    for (let at = 0; at < chunk.length; at += 1) {
      const byte = chunk[at]!
      if (byte === LF || byte === CR) {
        // A line end inside a string means that the input is not JSON, so the cut ends.
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
      // Whether a character or escape sequence starts at this byte; strings are cut only there.
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

/** Returns the number of remaining bytes of an escape sequence after this byte. */
function escapeAfter(remaining: number, byte: number): number {
  if (remaining === 0) return byte === BACKSLASH ? 1 : 0
  // Four bytes follow `\u`; the negative count distinguishes them from the byte after a backslash.
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
