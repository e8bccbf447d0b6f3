/**
 * Parses non-standard JSON: Python's `NaN` and `Infinity`, raw line breaks, invalid escapes, a byte
 * order mark, and surrounding log lines. The tool call has already run, so its result is kept if
 * possible.
 */

import { isMap } from '../../core/tools/schema-values.ts'
import { mayRound, parseWithTexts } from '../../lib/exact-json.ts'
import { withoutRawControls } from '../../lib/loose-json.ts'

interface Loose {
  /** Parsed objects and lists in document order. Concatenated values yield several. */
  readonly values: readonly unknown[]
  /** Descriptions of the repairs made to the parsed text. */
  readonly mends: readonly string[]
}

export function looseJson(text: string): Loose {
  try {
    const mends = new Set<string>()
    return { values: [readValue(text, mends)], mends: [...mends] }
  } catch {
    return new Reader(text).read()
  }
}

const DIGITS = 'numbers with too many digits become strings'
const CONTROLS = 'control characters in its strings are escaped'
const ESCAPES = 'backslashes in invalid escape sequences are preserved'
const NUMBERS = 'NaN and Infinity become strings'
export const AROUND = 'text around the message is ignored'

const [TAB, LF, CR, SPACE, QUOTE, BACKSLASH, BOM] = [9, 10, 13, 32, 0x22, 0x5c, 0xfeff]
/** Maximum number of positions at which parsing restarts after text that is not JSON. */
const MOST_STARTS = 20
const ESCAPE = /["\\/bfnrt]|u[0-9a-fA-F]{4}/y
const WORD = /-?(?:NaN|Infinity)|undefined/y
/** First characters of non-standard number literals, as character codes. */
const WORDS: ReadonlySet<number> = new Set([...'-NIu'].map((char) => char.charCodeAt(0)))

class Reader {
  readonly #text: string
  readonly #values: unknown[] = []
  readonly #mends = new Set<string>()

  constructor(text: string) {
    this.#text = text
  }

  read(): Loose {
    let at = 0
    for (let starts = 0; starts < MOST_STARTS && at < this.#text.length; ) {
      const code = this.#text.charCodeAt(at)
      if (code === 0x7b || code === 0x5b) {
        const end = this.#value(at)
        if (end === undefined) starts += 1
        at = end ?? this.#nextLine(at)
        continue
      }
      if (!isBlank(code)) this.#mends.add(AROUND)
      // Skips a whole line of text, because a log line may contain brackets.
      at = isBlank(code) ? at + 1 : this.#nextLine(at)
    }
    return { values: this.#values, mends: this.#values.length > 0 ? [...this.#mends] : [] }
  }

  #nextLine(at: number): number {
    this.#mends.add(AROUND)
    const end = this.#text.indexOf('\n', at)
    return end < 0 ? this.#text.length : end + 1
  }

  /** Returns the position after the JSON value at `start`; undefined if the JSON is invalid. */
  #value(start: number): number | undefined {
    const text = this.#text
    const mends = new Set<string>()
    let json = ''
    let from = start
    let depth = 0
    let isText = false
    const replace = (at: number, length: number, by: string, mend: string) => {
      json += text.slice(from, at) + by
      from = at + length
      mends.add(mend)
    }
    for (let at = start; at < text.length; at += 1) {
      const code = text.charCodeAt(at)
      if (isText) {
        if (code === QUOTE) isText = false
        else if (code < SPACE) replace(at, 1, withoutRawControls(text[at]!), CONTROLS)
        else if (code === BACKSLASH) {
          ESCAPE.lastIndex = at + 1
          if (ESCAPE.test(text)) at += 1
          else replace(at, 1, '\\\\', ESCAPES)
        }
      } else if (code === QUOTE) isText = true
      else if (code === 0x7b || code === 0x5b) depth += 1
      else if (code === 0x7d || code === 0x5d) {
        depth -= 1
        if (depth > 0) continue
        return this.#take(json + text.slice(from, at + 1), mends) ? at + 1 : undefined
      } else if (WORDS.has(code)) {
        WORD.lastIndex = at
        const [word] = WORD.exec(text) ?? []
        if (word === undefined) continue
        replace(at, word.length, word === 'undefined' ? 'null' : `"${word}"`, NUMBERS)
        at += word.length - 1
      }
    }
    return undefined
  }

  #take(json: string, mends: ReadonlySet<string>): boolean {
    try {
      this.#values.push(readValue(json, this.#mends))
    } catch {
      return false
    }
    for (const mend of mends) this.#mends.add(mend)
    return true
  }
}

/** Parses JSON; tool lists keep non-finite numbers, because schemas use them as limits. */
function readValue(json: string, mends: Set<string>): unknown {
  const value: unknown = JSON.parse(json)
  if (!mayRound(json)) return value
  const isList = [value].flat().some((item) => isMap(item) && hasTools(item.result ?? item))
  return isList ? value : parseWithTexts(json, () => mends.add(DIGITS))
}

const hasTools = (result: unknown): boolean => isMap(result) && 'tools' in result

const isBlank = (code: number): boolean =>
  code === SPACE || code === TAB || code === LF || code === CR || code === BOM
