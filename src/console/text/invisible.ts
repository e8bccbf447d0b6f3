/** Detects characters that are invisible or change how other characters are displayed. */

/**
 * Matches control characters, soft hyphens, zero-width characters, directional marks, and tags. The
 * joiners U+200C and U+200D are excluded, because emoji and several scripts need them.
 */
const INVISIBLE = new RegExp(
  [
    '(?![\\t\\n\\r])',
    '[\\p{Cc}\\u00ad\\u061c\\u180e\\u200b\\u200e\\u200f\\u2028-\\u202e\\u2060-\\u206f\\ufeff',
    '\\ufff9-\\ufffb\\u{e0000}-\\u{e007f}]',
  ].join(''),
  'gu',
)

export interface Piece {
  readonly text: string
  readonly isInvisible: boolean
}

/**
 * Splits a text into pieces; each invisible character becomes a separate piece, written as
 * `\u{202e}`.
 */
export function piecesOf(text: string): readonly Piece[] {
  const pieces: Piece[] = []
  let from = 0
  for (const { 0: character, index } of text.matchAll(INVISIBLE)) {
    if (index > from) pieces.push({ text: text.slice(from, index), isInvisible: false })
    const code = character.codePointAt(0)?.toString(16) ?? ''
    pieces.push({ text: `\\u{${code}}`, isInvisible: true })
    from = index + character.length
  }
  if (from < text.length) pieces.push({ text: text.slice(from), isInvisible: false })
  return pieces
}
