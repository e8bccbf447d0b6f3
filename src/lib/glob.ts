/**
 * Matches globs against paths: `*` and `?` within a folder, `**` across folders, and nested
 * alternatives `{a,b}`. Braces become branches of one automaton and are never expanded.
 */

import { Automaton, type Expression } from './automaton.ts'
import { Budget } from './budget.ts'

const MAX_PATTERN = 200
/** Step budget of one matcher for all its paths, about 40 ms. */
const STEPS = 2_700_000

/**
 * Returns a path matcher; undefined if the pattern is too long. The matcher throws `Exhausted` if
 * its paths exceed the step budget.
 */
export function globMatcher(pattern: string): ((path: string) => boolean) | undefined {
  if (pattern.length > MAX_PATTERN) return undefined
  const automaton = new Automaton(new Reader(pattern).fullExpression(), { anchored: true })
  const budget = new Budget(STEPS)
  return (path) => automaton.matches(path, budget)
}

const inName: Expression = { kind: 'one', test: (char) => char !== '/' }
const name: Expression = { kind: 'repeat', of: inName, min: 0 }
const slash: Expression = { kind: 'one', test: (char) => char === '/' }
const all = (of: readonly Expression[]): Expression => ({ kind: 'all', of })
const folders: Expression = { kind: 'repeat', of: all([name, slash]), min: 0 }
const below: Expression = all([folders, name])

class Reader {
  private readonly chars: readonly string[]
  private at = 0
  /**
   * Position of the closing brace for each opening brace; unmatched braces are ordinary characters.
   */
  private readonly closing = new Map<number, number>()

  constructor(pattern: string) {
    this.chars = [...pattern]
    const open: number[] = []
    for (const [index, char] of this.chars.entries()) {
      if (char === '{') open.push(index)
      const start = char === '}' ? open.pop() : undefined
      if (start !== undefined) this.closing.set(start, index)
    }
  }

  fullExpression(): Expression {
    return all([this.sequence(this.chars.length, false, true), { kind: 'at', place: 'end' }])
  }

  /**
   * Parses the pattern up to `end`, or to a comma within alternatives. `opens` is true at the start
   * of a folder name.
   */
  private sequence(end: number, oneOf: boolean, opens: boolean): Expression {
    const out: Expression[] = []
    let first = opens
    while (this.at < end && !(oneOf && this.chars[this.at] === ',')) {
      const char = this.chars[this.at]!
      const close = this.closing.get(this.at)
      if (char === '*') out.push(this.stars(first, end, oneOf))
      else if (close !== undefined) out.push(this.braces(close, first))
      else {
        out.push(char === '?' ? inName : literal(char))
        this.at += 1
      }
      first = this.chars[this.at - 1] === '/'
    }
    return all(out)
  }

  private braces(close: number, opens: boolean): Expression {
    const of: Expression[] = []
    do {
      this.at += 1
      of.push(this.sequence(close, true, opens))
    } while (this.at < close)
    this.at += 1
    return { kind: 'any', of }
  }

  /** Parses `*`, or `**`, which matches whole folders. */
  private stars(opens: boolean, end: number, oneOf: boolean): Expression {
    const from = this.at
    while (this.chars[this.at] === '*') this.at += 1
    if (!opens || this.at - from !== 2) return name
    if (this.at === end) return below
    if (oneOf && this.chars[this.at] === ',') return below
    if (this.chars[this.at] !== '/') return name
    this.at += 1
    return folders
  }
}

const literal = (expected: string): Expression =>
  expected === '/' ? slash : { kind: 'one', test: (char) => char === expected }

/**
 * Matches a text against `*` and `?` with two pointers, which needs linear memory and no
 * exponential backtracking.
 */
export function matchSegment(pattern: string, text: string): boolean {
  let p = 0
  let t = 0
  let star = -1
  let mark = 0
  while (t < text.length) {
    if (p < pattern.length && pattern[p] === '*') {
      star = p
      mark = t
      p += 1
    } else if (p < pattern.length && (pattern[p] === '?' || pattern[p] === text[t])) {
      p += 1
      t += 1
    } else if (star >= 0) {
      p = star + 1
      mark += 1
      t = mark
    } else return false
  }
  while (pattern[p] === '*') p += 1
  return p === pattern.length
}
