/** Parsed front matter: plain values with their line numbers. */

/** Value in front matter. Maps have no prototype, so that `__proto__` is an ordinary key. */
export type Plain = string | number | boolean | null | Plain[] | { [key: string]: Plain }

/** Top-level front matter entry: its value, its position, and the original text of a scalar. */
export interface HeadEntry {
  readonly value: Plain
  readonly line: number
  readonly text: string | null
  /** Whether the value is unquoted, so that YAML 1.1 parsers may read it as a number or a date. */
  readonly plain: boolean
}

export type Head = ReadonlyMap<string, HeadEntry>
