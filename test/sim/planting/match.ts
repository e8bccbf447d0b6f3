/**
 * Where a text stands in a source, token by token: white space, line breaks and comments do not
 * count. Nor does punctuation that a formatter adds where it breaks a line: a comma before a closing
 * bracket, and brackets around all that is returned.
 */

import { continues, type Token } from './tokens.ts'

export interface Range {
  readonly start: number
  readonly end: number
}

export function matches(source: readonly Token[], wanted: readonly Token[]): Range[] {
  const exact = found(source, wanted).map(({ first, last }) => rangeOf(first, last))
  return exact.length > 0 ? exact : formattedMatches(source, wanted)
}

const rangeOf = (first: Token, last: Token): Range => ({ start: first.start, end: last.end })

function found(source: readonly Token[], wanted: readonly Token[]) {
  const isAt = (at: number): boolean =>
    wanted.every(({ text }, index) => source[at + index]?.text === text)
  return [...source.keys()]
    .filter(isAt)
    .map((at) => ({ first: source[at]!, last: source[at + wanted.length - 1]! }))
}

function formattedMatches(source: readonly Token[], wanted: readonly Token[]): Range[] {
  const brackets = returnBrackets(source)
  const [plain, text] = [withoutLayout(source), withoutLayout(wanted)]
  if (text.length === 0) return []
  return found(plain, text).flatMap(({ first, last }) => {
    const [from, to] = [source.indexOf(first), source.indexOf(last)]
    const holds = (token: Token): boolean => first.start <= token.start && token.start <= last.start
    const [cut, ...more] = brackets.filter(([open, close]) => holds(open) !== holds(close))
    const comma = source[to + 1]?.text === ',' ? source[to + 1] : undefined
    if (!cut) return [rangeOf(source[from]!, (endsWithComma(wanted) && comma) || last)]
    // All that is returned goes with its brackets; half of it would leave no program.
    const [open, close] = cut
    const isWhole = source[comma ? to + 2 : to + 1] === close
    return holds(open) && isWhole && more.length === 0 ? [rangeOf(first, close)] : []
  })
}

const endsWithComma = (wanted: readonly Token[]): boolean => wanted.at(-1)?.text === ','

const CLOSING = [')', ']', '}']

function withoutLayout(tokens: readonly Token[]): Token[] {
  const brackets = new Set(returnBrackets(tokens).flat())
  return tokens.filter((token, index) => {
    const next = tokens[index + 1]
    const isLastComma = token.text === ',' && (!next || CLOSING.includes(next.text))
    return !isLastComma && !brackets.has(token)
  })
}

/** The brackets of `return (…)` where nothing of the statement follows. */
function returnBrackets(tokens: readonly Token[]): [Token, Token][] {
  return [...tokens.keys()].flatMap((index) => {
    const [open, before] = [tokens[index]!, tokens[index - 1]]
    if (open.text !== '(' || before?.kind !== 'word') return []
    if (before.text !== 'return' && before.text !== 'throw') return []
    const inside = tokens.slice(index + 1)
    const at = inside.findIndex(({ text, depth }) => text === ')' && depth === open.depth)
    const [close, next] = [inside[at], inside[at + 1]]
    if (!close) return []
    const isEnd =
      !next || next.text === ';' || next.text === '}' || (next.onNewLine && !continues(next))
    return isEnd ? [[open, close]] : []
  })
}
