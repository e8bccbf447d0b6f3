/**
 * Finds characters that readers cannot see: controls, terminal escapes, bidirectional overrides,
 * zero-width and tag characters, and lone variation selectors. Such characters can hide an
 * instruction or reverse a line, so they are escaped as `\u{202E}`. Characters with a meaning stay:
 * in emoji, in scripts that join letters, and next to right-to-left text.
 */

import { cut } from './bytes.ts'

/**
 * Matches characters that may be hidden; each is judged by its neighbors. A text without a match
 * contains no hidden character.
 */
const SUSPECT =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: finding control characters is the point.
  // biome-ignore lint/suspicious/noMisleadingCharacterClass: each is looked for by itself.
  /[\u0000-\u0008\u000B\u000C\u000D\u000E-\u001F\u007F-\u009F\u00AD\u034F\u061C\u115F\u1160\u17B4\u17B5\u180B-\u180F\u200B-\u200F\u202A-\u202E\u2060-\u206F\u3164\uFE00-\uFE0F\uFEFF\uFFA0\uFFF0-\uFFFB\u{1BCA0}-\u{1BCA3}\u{1D173}-\u{1D17A}\u{E0000}-\u{E0FFF}\p{Cs}]/u
const EACH = new RegExp(SUSPECT, 'gu')

/** Matches scripts whose letters are joined or separated by U+200D and U+200C. */
const JOINING =
  /^[\p{scx=Arab}\p{scx=Syrc}\p{scx=Nkoo}\p{scx=Mong}\p{scx=Deva}\p{scx=Beng}\p{scx=Guru}\p{scx=Gujr}\p{scx=Orya}\p{scx=Taml}\p{scx=Telu}\p{scx=Knda}\p{scx=Mlym}\p{scx=Sinh}\p{scx=Thai}\p{scx=Laoo}\p{scx=Tibt}\p{scx=Mymr}\p{scx=Khmr}\p{scx=Java}\p{scx=Bali}]$/u
const LETTER_OR_MARK = /^[\p{L}\p{M}]$/u
const EMOJI = /^(?:\p{Extended_Pictographic}|\p{Emoji_Modifier}|\uFE0F)$/u
const PICTURE = /^[\p{Extended_Pictographic}\p{Regional_Indicator}]$/u
const EMOJI_BASE = /^[\p{Emoji}\p{Extended_Pictographic}]$/u
const MONGOLIAN = /^\p{Script=Mongolian}$/u
const HAN = /^\p{Script=Han}$/u
const VARIED = /^[\p{Sm}\p{Script=Han}\p{Script=Myanmar}\p{Script=Phags_Pa}0]$/u
/** Matches letters of right-to-left scripts. */
const FROM_RIGHT =
  /^[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Adlam}\p{Script=Samaritan}]$/u
/** Matches the flags of England, Scotland, and Wales, which are encoded in tag characters. */
const FLAG =
  /^\u{E0067}\u{E0062}(?:\u{E0065}\u{E006E}\u{E0067}|\u{E0073}\u{E0063}\u{E0074}|\u{E0077}\u{E006C}\u{E0073})\u{E007F}/u
const BLACK_FLAG = '\u{1F3F4}'
const MARK_REACH = 8

const KINDS = {
  control: 'control characters',
  bidi: 'bidirectional controls',
  invisible: 'invisible characters',
  tag: 'tag characters',
  selector: 'variation selectors',
} as const
type HiddenKind = keyof typeof KINDS

export interface Hidden {
  readonly count: number
  readonly kinds: readonly HiddenKind[]
  /** Line of the first hidden character; lines count from 1. */
  readonly line: number
}
export interface VisibleText {
  readonly text: string
  /** Hidden characters that were escaped; undefined if `text` is unchanged. */
  readonly hidden: Hidden | undefined
}

/** Escapes all hidden characters of a text, in linear time. */
export function visible(text: string, write: (code: number) => string = braced): VisibleText {
  if (!SUSPECT.test(text)) return { text, hidden: undefined }
  const kinds = new Set<HiddenKind>()
  let count = 0
  let first = 0
  let flagEnds = -1
  const output = text.replace(EACH, (char, at: number) => {
    if (at < flagEnds) return char
    const code = char.codePointAt(0)!
    if (isTag(code) && charBefore(text, at) === BLACK_FLAG) {
      const [flag] = FLAG.exec(text.slice(at, at + 16)) ?? []
      if (flag !== undefined) {
        flagEnds = at + flag.length
        return char
      }
    }
    if (means(text, at, char, code)) return char
    if (count === 0) first = at
    count += 1
    kinds.add(kindOf(code))
    return write(code)
  })
  if (count === 0) return { text, hidden: undefined }
  const line = text.slice(0, first).split('\n').length
  return { text: output, hidden: { count, kinds: [...kinds], line } }
}

/** Describes the hidden characters of a text; undefined if the text has none. */
export const hiddenIn = (text: string): Hidden | undefined => visible(text).hidden

/**
 * Formats a description of hidden characters: `3 hidden characters (bidirectional controls, tag
 * characters)`.
 */
export function describeHidden({ count, kinds }: Hidden): string {
  const names = kinds.map((kind) => KINDS[kind]).join(', ')
  return `${count} hidden ${count === 1 ? 'character' : 'characters'} (${names})`
}

const QUOTED_BYTES = 240

/**
 * Quotes third-party text within a sentence as a JSON string, which is on one line and closed only
 * by its own quote. Hidden characters are escaped; the content has at most `max` bytes.
 */
export function quoteText(text: string, max = QUOTED_BYTES): string {
  const shortened = cut(text, max)
  return jsonVisible(JSON.stringify(shortened === text ? shortened : `${shortened}…`))
}

/**
 * Replaces hidden characters and line separators in JSON text with JSON escapes of the same
 * meaning.
 */
export const jsonVisible = (json: string): string =>
  visible(json, (code) =>
    String.fromCodePoint(code)
      .split('')
      .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
      .join(''),
  ).text.replace(/[\u2028\u2029]/g, (char) => `\\u${char.charCodeAt(0).toString(16)}`)

/**
 * Returns a text as a single line for terminals, logs, and lists: line breaks and hidden characters
 * are escaped.
 */
export const oneLine = (text: string): string =>
  visible(text).text.replace(/[\t\n\r\u2028\u2029]/g, (char) => {
    const escapes: Readonly<Record<string, string>> = { '\t': '\\t', '\n': '\\n', '\r': '\\r' }
    return escapes[char] ?? braced(char.charCodeAt(0))
  })

/** Reverses the escapes of `visible`; escapes of visible characters stay. */
export const unescaped = (text: string): string =>
  text.replace(/\\u\{([0-9A-F]{1,6})\}/g, (literal, digits: string) => {
    const code = Number.parseInt(digits, 16)
    if (code > 0x10ffff) return literal
    const char = String.fromCodePoint(code)
    return SUSPECT.test(char) ? char : literal
  })

const braced = (code: number): string => `\\u{${code.toString(16).toUpperCase()}}`

const isTag = (code: number): boolean => code >= 0xe0000 && code <= 0xe007f

/** Returns the character before a position in the text; '' at the start. */
function charBefore(text: string, at: number): string {
  const low = text.charCodeAt(at - 1)
  const pair = low >= 0xdc00 && low <= 0xdfff && at >= 2
  return text.slice(pair ? at - 2 : Math.max(0, at - 1), at)
}
function after(text: string, at: number): string {
  const code = text.codePointAt(at)
  return code === undefined ? '' : String.fromCodePoint(code)
}

/** Reports whether a suspect character is meaningful in its context. */
function means(text: string, at: number, char: string, code: number): boolean {
  const left = charBefore(text, at)
  const right = after(text, at + char.length)
  // Meaningful contexts are a Windows line break and a leading byte order mark.
  if (code === 0x0d) return right === '\n'
  if (code === 0xfeff) return at === 0
  if (code === 0x200c || code === 0x200d) {
    if (JOINING.test(left) && LETTER_OR_MARK.test(left)) return true
    return code === 0x200d && EMOJI.test(left) && PICTURE.test(right)
  }
  if (code === 0x200e || code === 0x200f || code === 0x061c) return nearRightToLeft(text, at, char)
  if (code === 0xfe0e || code === 0xfe0f) return EMOJI_BASE.test(left)
  if (code >= 0xfe00 && code <= 0xfe02) return VARIED.test(left)
  if (code >= 0xe0100 && code <= 0xe01ef) return HAN.test(left)
  if (code >= 0x180b && code <= 0x180f) return MONGOLIAN.test(left)
  return false
}

/** Reports whether a character is a single direction mark near a right-to-left letter. */
function nearRightToLeft(text: string, at: number, char: string): boolean {
  const around =
    text.slice(Math.max(0, at - MARK_REACH), at) +
    text.slice(at + char.length, at + char.length + MARK_REACH)
  if (text[at + 1] === char) return false
  return [...around].some((mark) => FROM_RIGHT.test(mark))
}

function kindOf(code: number): HiddenKind {
  if (code <= 0x1f || (code >= 0x7f && code <= 0x9f)) return 'control'
  if (code === 0x200e || code === 0x200f || code === 0x061c) return 'bidi'
  if ((code >= 0x202a && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069)) return 'bidi'
  if ((code >= 0xfe00 && code <= 0xfe0f) || (code >= 0xe0100 && code <= 0xe01ef)) return 'selector'
  return isTag(code) ? 'tag' : 'invisible'
}
