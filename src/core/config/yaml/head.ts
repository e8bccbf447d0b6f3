/** The head of a Markdown file as read: plain values with their lines. */

/** A value of the head. Maps have no prototype, so that `__proto__` is a key like any other. */
export type Plain = string | number | boolean | null | Plain[] | { [key: string]: Plain }

/** A top-level entry: its value, its position, and the text of a scalar as it was written. */
export interface HeadEntry {
  readonly value: Plain
  readonly line: number
  readonly text: string | null
  /** True for a value without quotes: YAML 1.1 readers may see a number or a date in it. */
  readonly plain: boolean
}

export type Head = ReadonlyMap<string, HeadEntry>
