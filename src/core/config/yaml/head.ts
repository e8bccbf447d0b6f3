/** Front matter as read: plain values with their lines. */

/** Front matter value. Maps have no prototype, so that `__proto__` is an ordinary key. */
export type Plain = string | number | boolean | null | Plain[] | { [key: string]: Plain }

/** Top-level entry: its value, its position, and a scalar's original text. */
export interface HeadEntry {
  readonly value: Plain
  readonly line: number
  readonly text: string | null
  /** Whether the value is unquoted, so that YAML 1.1 parsers may read a number or a date. */
  readonly plain: boolean
}

export type Head = ReadonlyMap<string, HeadEntry>
