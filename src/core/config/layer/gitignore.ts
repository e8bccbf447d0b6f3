/**
 * Reads the patterns of a `.gitignore` file, without regular expressions: a pattern with many `*`
 * would make a regular expression backtrack for minutes. Case is ignored, as on file systems that
 * ignore it.
 */

import type { Budget } from '../../../lib/budget.ts'

interface Ignored {
  /** Whether the last matching pattern excludes the path. */
  readonly ignored: boolean
  /** Whether the last matching pattern includes the path again (`!`). */
  readonly unignored: boolean
}

/** Patterns of one ignore file. */
export interface Patterns {
  /**
   * Tests a path relative to the file's folder; folders end with a slash. A path in an excluded
   * folder is excluded.
   */
  test(path: string): Ignored
}

interface Pattern {
  readonly isNegative: boolean
  /** Whether the pattern matches only folders. */
  readonly isFolder: boolean
  /** Names from the folder of the file on; `**` stands for any number of folders. */
  readonly names: readonly (readonly Token[] | typeof FOLDERS)[]
}

const FOLDERS = '**'

/**
 * Part of a name: a character, any text, any character, or one of several characters. A character
 * is no object, because a long file of patterns would need over a hundred times its size in memory.
 */
type Token =
  | string
  | { readonly kind: 'text' | 'any' }
  | { readonly kind: 'one'; readonly has: (char: string) => boolean }

const TEXT: Token = { kind: 'text' }
const ANY: Token = { kind: 'any' }

/** Steps for each character of the patterns, which takes the time of about ten comparisons to read. */
const READ_STEPS = 10

/**
 * Reads the patterns of a text. `budget` bounds the steps to read it and of all tests; if absent,
 * they may take long.
 */
export function gitignore(text: string, budget?: Budget): Patterns {
  budget?.spend(READ_STEPS * text.length)
  const lines = text.replace(/^\uFEFF/, '').split(/\r?\n|\r/)
  const patterns = lines.flatMap(patternIn)
  const testOne = (path: string): Ignored => {
    budget?.spend(patterns.length)
    const isFolder = path.endsWith('/')
    const names = path
      .toLowerCase()
      .split('/')
      .filter((name) => name !== '')
    const last = patterns.findLast(
      (pattern) => (isFolder || !pattern.isFolder) && matches(pattern.names, names, budget),
    )
    return { ignored: last?.isNegative === false, unignored: last?.isNegative === true }
  }
  return {
    test(path) {
      for (
        let at = path.indexOf('/');
        at >= 0 && at < path.length - 1;
        at = path.indexOf('/', at + 1)
      ) {
        const parent = testOne(path.slice(0, at + 1))
        if (parent.ignored) return parent
      }
      return testOne(path)
    },
  }
}

function patternIn(line: string): Pattern[] {
  const text = withoutEnd(line)
  if (text === '' || text.startsWith('#')) return []
  const isNegative = text.startsWith('!')
  const positive = isNegative ? text.slice(1) : text
  const isFolder = positive.endsWith('/')
  const place = isFolder ? positive.slice(0, -1) : positive
  const names = place.replace(/^\//, '').split('/')
  const tokens = names.map((name) => (name === FOLDERS ? FOLDERS : tokensOf(name)))
  // An empty name, an open class, or a backslash at the end matches no path.
  if (tokens.some((name) => name === undefined || name.length === 0)) return []
  const inAnyFolder: Pattern['names'] = place.includes('/') || place === FOLDERS ? [] : [FOLDERS]
  const all: Pattern['names'] = [...inAnyFolder, ...(tokens as Pattern['names'])]
  // Two `**` in a row match what one matches.
  const distinct = all.filter((part, index) => part !== FOLDERS || all[index - 1] !== FOLDERS)
  return [{ isNegative, isFolder, names: distinct }]
}

/** Removes blanks at the end of a line, except one that a backslash escapes. */
function withoutEnd(line: string): string {
  let end = line.length
  while (end > 0 && (line[end - 1] === ' ' || line[end - 1] === '\t')) end -= 1
  let escapes = 0
  while (line[end - 1 - escapes] === '\\') escapes += 1
  return line.slice(0, escapes % 2 === 1 ? end + 1 : end)
}

function tokensOf(name: string): Token[] | undefined {
  const chars = [...name.toLowerCase()]
  const tokens: Token[] = []
  for (let at = 0; at < chars.length; at += 1) {
    const char = chars[at]!
    const end = char === '[' ? closing(chars, at) : -1
    if (char === '\\') {
      at += 1
      if (at === chars.length) return undefined
      tokens.push(chars[at]!)
    } else if (char === '*') {
      if (tokens.at(-1) !== TEXT) tokens.push(TEXT)
    } else if (char === '?') tokens.push(ANY)
    else if (end > 0) {
      tokens.push(oneOf(chars.slice(at + 1, end)))
      at = end
    } else if (char === '[') return undefined
    else tokens.push(char)
  }
  return tokens
}

/** Returns the index of the bracket that closes a class; a bracket at its beginning is a character. */
function closing(chars: readonly string[], open: number): number {
  const first = chars[open + 1] === '!' || chars[open + 1] === '^' ? open + 2 : open + 1
  return chars.indexOf(']', first + 1)
}

function oneOf(chars: readonly string[]): Token {
  const isNegative = chars[0] === '!' || chars[0] === '^'
  const ranges: (readonly [string, string])[] = []
  for (let at = isNegative ? 1 : 0; at < chars.length; at += 1) {
    if (chars[at] === '\\' && at + 1 < chars.length) at += 1
    const from = chars[at]!
    const isRange = chars[at + 1] === '-' && at + 2 < chars.length
    ranges.push([from, isRange ? chars[at + 2]! : from])
    if (isRange) at += 2
  }
  const has = (char: string) => ranges.some(([from, to]) => from <= char && char <= to)
  return { kind: 'one', has: (char) => has(char) !== isNegative }
}

/** Matches the names of a path. `**` at the end matches what is inside of a folder. */
function matches(
  pattern: Pattern['names'],
  names: readonly string[],
  budget: Budget | undefined,
): boolean {
  const end = pattern.findLastIndex((part) => part !== FOLDERS) + 1
  const fits = (some: readonly string[]): boolean =>
    wild(
      pattern.slice(0, end),
      some,
      (part) => part === FOLDERS,
      (part, name) => matchesName(part as readonly Token[], name, budget),
    )
  if (end === 0) return true
  if (end === pattern.length) return fits(names)
  return names.some((_, index) => index > 0 && fits(names.slice(0, index)))
}

function matchesName(tokens: readonly Token[], name: string, budget: Budget | undefined): boolean {
  const chars = [...name]
  budget?.spend(1)
  return wild(
    tokens,
    chars,
    (token) => token === TEXT,
    (token, char) => {
      budget?.spend(1)
      if (typeof token === 'string') return token === char
      return token.kind === 'any' || (token.kind === 'one' && token.has(char))
    },
  )
}

/** Matches items against a pattern in which some items stand for any number of items. */
function wild<P, T>(
  pattern: readonly P[],
  items: readonly T[],
  isWild: (part: P) => boolean,
  fits: (part: P, item: T) => boolean,
): boolean {
  let p = 0
  let i = 0
  let star = -1
  let mark = 0
  while (i < items.length) {
    const part = pattern[p]
    if (part !== undefined && isWild(part)) {
      star = p
      mark = i
      p += 1
    } else if (part !== undefined && fits(part, items[i]!)) {
      p += 1
      i += 1
    } else if (star >= 0) {
      p = star + 1
      mark += 1
      i = mark
    } else return false
  }
  while (p < pattern.length && isWild(pattern[p]!)) p += 1
  return p === pattern.length
}
