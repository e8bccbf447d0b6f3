/**
 * What a file declares, and where: functions, constants and classes of its top level by their name,
 * members of classes as `Class.member` and `Class.#member`. Types are left out, nothing of them is
 * there when a program runs.
 */

import { continues, isOperator, type Token } from './tokens.ts'

export interface Declaration {
  readonly name: string
  /** Its tokens: the first one, and the one after its last. */
  readonly from: number
  readonly to: number
}

export function declarations(tokens: readonly Token[]): Declaration[] {
  const starts = [...tokens.keys()].filter((index) => startsStatement(tokens, index))
  const found = starts.flatMap((from, index) => {
    const to = starts[index + 1] ?? tokens.length
    return declared(tokens, from, to)
  })
  return joined(found)
}

const OPENS = /^(?:export|import|const|let|var|function|async|class|abstract|interface|type|enum)$/

/** Expressions between declarations count as part of the one before them. */
function startsStatement(tokens: readonly Token[], index: number): boolean {
  const [before, { text, depth, kind, onNewLine }, next] = [
    tokens[index - 1],
    tokens[index]!,
    tokens[index + 1],
  ]
  if (depth > 0 || kind !== 'word' || !OPENS.test(text)) return false
  if (text === 'async' && next?.text !== 'function') return false
  if (text === 'type' && next?.kind !== 'word') return false
  if (text === 'import' && next?.text === '(') return false
  if (!before || before.text === ';') return true
  return !isOperator(before) && (onNewLine || before.text === '}')
}

function declared(tokens: readonly Token[], from: number, to: number): Declaration[] {
  let at = from
  while (/^(?:export|default|async|abstract)$/.test(tokens[at]?.text ?? '')) at += 1
  const keyword = tokens[at]?.text ?? ''
  if (!/^(?:const|let|var|function|class)$/.test(keyword)) return []
  if (tokens[at + 1]?.text === '*') at += 1
  const named = tokens[at + 1]
  if (named?.kind !== 'word') return []
  const whole = { name: named.text, from, to }
  return keyword === 'class' ? [whole, ...members(tokens, whole)] : [whole]
}

const MODIFIER =
  /^(?:static|async|readonly|override|private|protected|public|get|set|declare|abstract|accessor|\*)$/

function members(tokens: readonly Token[], { name, from, to }: Declaration): Declaration[] {
  const out: Declaration[] = []
  const isOuter = (index: number, text: string): boolean =>
    tokens[index]!.depth === 0 && tokens[index]!.text === text
  let close = to - 1
  while (close > from && !isOuter(close, '}')) close -= 1
  let at = close
  while (at > from && !isOuter(at, '{')) at -= 1
  at += 1
  while (at < close) {
    let named = at
    while (MODIFIER.test(tokens[named]!.text) && isNameOrModifier(tokens[named + 1]!)) named += 1
    const end = memberEnd(tokens, named, close)
    const { kind, text } = tokens[named]!
    if (kind === 'word') out.push({ name: `${name}.${text}`, from: at, to: end })
    at = end
  }
  return out
}

const isNameOrModifier = ({ kind, text }: Token): boolean =>
  kind === 'word' || kind === 'string' || text === '[' || text === '*' || text === '{'

/** The token after the member that is named at `named`: after its body, or where a field ends. */
function memberEnd(tokens: readonly Token[], named: number, close: number): number {
  let isMethod = false
  for (let at = named; at < close; at += 1) {
    const [before, token] = [tokens[at - 1]!, tokens[at]!]
    if (token.depth !== 1) continue
    if (token.text === ';') return at + 1
    if (at > named && token.onNewLine && !isOperator(before) && !continues(token)) return at
    if (token.text === '=' && !isMethod) return fieldEnd(tokens, at + 1, close)
    if (token.text === '(' && (at === named + 1 || before.text === '>')) isMethod = true
    const isBlock = before.text === 'static' || at === named
    // Another brace belongs to the type of what comes back.
    const isBody = isBlock || (isMethod && !isOperator(before))
    if (token.text === '{' && isBody) return closing(tokens, at) + 1
  }
  return close
}

function fieldEnd(tokens: readonly Token[], from: number, close: number): number {
  for (let at = from; at < close; at += 1) {
    const [before, token] = [tokens[at - 1]!, tokens[at]!]
    if (token.depth !== 1) continue
    if (token.text === ';') return at + 1
    if (token.onNewLine && !isOperator(before) && !continues(token)) return at
  }
  return close
}

function closing(tokens: readonly Token[], open: number): number {
  const { depth } = tokens[open]!
  let at = open + 1
  while (at < tokens.length && tokens[at]!.depth > depth) at += 1
  return at
}

/** Overloads of one function are one declaration, and so are a getter and its setter. */
function joined(found: readonly Declaration[]): Declaration[] {
  const out: Declaration[] = []
  for (const one of found) {
    const before = out.at(-1)
    if (before?.name === one.name) out.splice(-1, 1, { ...before, to: one.to })
    else out.push(one)
  }
  return out
}
