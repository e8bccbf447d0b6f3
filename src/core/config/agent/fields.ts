/**
 * Reads front matter values as leniently as POLICY.md requires. Findings are collected, so that all
 * errors of a file are reported together.
 */

import { byteLength } from '../../../lib/bytes.ts'
import { hasUnseen } from '../../../lib/name.ts'
import { error, note, warning } from '../diagnostic.ts'
import type { Diagnostic } from '../types.ts'
import type { Head, HeadEntry, Plain } from '../yaml/head.ts'
import { booleanOf } from './tool-values.ts'

const DESCRIPTION_LENGTH = 1_024
const DESCRIPTION_BYTES = 16_384
const NAME_BYTES = 1_024

/** Matches strings that YAML 1.1 parses as a number, a date, a time, or a boolean. */
const NOT_TEXT =
  /^(?:y|n|yes|no|on|off|true|false|[-+]?(?:0[xob])?[0-9][0-9_a-f]*(?:\.[0-9_]*)?(?:e[-+]?[0-9]+)?|[-+]?\.(?:inf|nan)|\d{4}-\d\d?-\d\d?(?:[Tt ].*)?|[-+]?\d+(?::[0-5]?\d)+(?:\.\d*)?)$/i
const HEX_WORD = /^[0-9]+[a-f]/i

/**
 * Matches control characters except tabs and line breaks, bidi overrides, invisible operators, and
 * tag characters.
 */
const HIDDEN =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: finding control characters is the point.
  /[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F-\u009F\u200B\u202A-\u202E\u2060-\u2064\u2066-\u2069\uFEFF\u{E0000}-\u{E007F}]/u

export class Fields {
  readonly head: Head
  readonly found: Diagnostic[] = []

  constructor(head: Head) {
    this.head = head
  }

  get(key: string): HeadEntry | undefined {
    return this.head.get(key)
  }

  line(key: string): number | null {
    return this.head.get(key)?.line ?? null
  }

  error(code: string, key: string, message: string, hint: string | null = null): undefined {
    this.found.push(error(code, message, { line: this.line(key), hint }))
    return undefined
  }

  warn(code: string, key: string, message: string, hint: string | null = null): void {
    this.found.push(warning(code, message, { line: this.line(key), hint }))
  }

  /** Reads a string value. Numbers, dates, and booleans keep their spelling and cause a warning. */
  text(key: string): string | undefined {
    const entry = this.head.get(key)
    if (entry === undefined || entry.value === null) return undefined
    if (entry.text === null) return this.error('not_text', key, `\`${key}\` must be text`)
    const looksTyped = entry.plain && NOT_TEXT.test(entry.text) && !HEX_WORD.test(entry.text)
    if (typeof entry.value !== 'string' || looksTyped) {
      this.warn(
        'literal_text',
        key,
        `\`${key}\` looks like a number, date, or boolean; it is stored as the text ` +
          `"${entry.text.slice(0, 80)}"`,
        `${key}: "${entry.text.slice(0, 80)}"`,
      )
    }
    return entry.text
  }

  /** Reads a string that is only displayed; omits values of other types with a warning. */
  shownText(key: string): string | null {
    const entry = this.head.get(key)
    if (entry === undefined || entry.value === null) return null
    if (entry.text === null) {
      this.warn('not_text', key, `\`${key}\` is not text and was ignored`)
    }
    return entry.text
  }

  /** Reads the trimmed `name` value; undefined if absent or invalid. */
  name(): string | undefined {
    const name = this.text('name')?.trim()
    if (name === undefined || name === '') return undefined
    if (byteLength(name) > NAME_BYTES)
      return this.error('name_too_long', 'name', '`name` is too long')
    if (hasUnseen(name)) return this.hidden('name')
    return name
  }

  /**
   * Reads the required description for the catalog; warns if the description is long or has several
   * lines.
   */
  description(): string | undefined {
    const text = this.text('description')
    const description = text?.trim()
    if (description === undefined || description === '') {
      return this.error('description_missing', 'description', '`description` is missing or blank')
    }
    if (byteLength(description) > DESCRIPTION_BYTES) {
      const message = `\`description\` is larger than ${DESCRIPTION_BYTES} bytes`
      return this.error('description_too_large', 'description', message)
    }
    if (HIDDEN.test(description)) return this.hidden('description')
    // Counting UTF-16 code units first is enough, because a string never has more characters than
    // code units.
    const long = description.length > DESCRIPTION_LENGTH
    const length = long ? [...description].length : description.length
    if (length > DESCRIPTION_LENGTH) {
      const message = `\`description\` has ${length} characters; the limit is ${DESCRIPTION_LENGTH}`
      this.warn('description_long', 'description', message)
    }
    if (description.includes('\n')) {
      this.warn('description_lines', 'description', '`description` has more than one line')
    }
    return description
  }

  /** Reads a boolean value under `key`; a word for a boolean (`yes`, `off`) adds a note. */
  meantBoolean(key: string, value: Plain): boolean | undefined {
    const flag = booleanOf(value)
    if (flag !== undefined && typeof value !== 'boolean' && !/^(?:true|false)$/.test(`${value}`)) {
      const line = this.line(key)
      this.found.push(
        note('boolean_word', `\`${value}\` in \`${key}\` is interpreted as ${flag}`, { line }),
      )
    }
    return flag
  }

  boolean(key: string, fallback = false): boolean {
    const value = this.head.get(key)?.value
    if (value === undefined || value === null) return fallback
    const flag = this.meantBoolean(key, value)
    if (flag !== undefined) return flag
    this.error('invalid_value', key, `\`${key}\` must be true or false`, `${key}: true`)
    return fallback
  }

  /** Reads an integer value from `min` to `max`; rejects quoted numbers. */
  count(key: string, max: number, min = 1): number | null {
    const value = this.head.get(key)?.value
    if (value === undefined || value === null) return null
    if (typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max)
      return value
    this.error(
      'invalid_value',
      key,
      `\`${key}\` must be a whole number from ${min} to ${max}`,
      `${key}: 120`,
    )
    return null
  }

  oneOf<T extends string>(key: string, allowed: readonly T[]): T | null {
    const value = this.head.get(key)?.value
    if (value === undefined || value === null) return null
    const match = allowed.find((option) => option === value)
    if (match !== undefined) return match
    this.error(
      'invalid_value',
      key,
      `\`${key}\` must be one of ${allowed.join(', ')}`,
      `${key}: ${allowed[0]}`,
    )
    return null
  }

  private hidden(key: string): undefined {
    return this.error('hidden_characters', key, `\`${key}\` contains hidden or control characters`)
  }
}
