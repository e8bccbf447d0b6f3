/**
 * TypeScript read as tokens: as much of the language as it takes to say where a word, a string, a
 * template or a regular expression begins and ends, and how many brackets are open around it.
 * White space and comments are no tokens, so that two texts are equal whatever their formatting.
 */

export interface Token {
  readonly kind: 'word' | 'number' | 'string' | 'template' | 'regex' | 'sign'
  readonly text: string
  readonly start: number
  readonly end: number
  /** Brackets open around it; a bracket and the one that closes it stand at the same depth. */
  readonly depth: number
  /** A line ends between the token before it and this one. */
  readonly onNewLine: boolean
}

const GAP = /(?:\s+|\/\/[^\n]*|\/\*[\s\S]*?\*\/)+/y
const HASHBANG = /#![^\n]*/y
/** With `#` it is a private name. */
const WORD = /#?[\p{ID_Start}$_][\p{ID_Continue}$]*/uy
const NUMBER = /0[xob][\da-f_]+n?|(?:\d[\d_]*(?:\.[\d_]+)?|\.\d[\d_]*)(?:e[+-]?\d+)?n?/iy
const STRING = /'(?:[^'\\\n]|\\[\s\S])*'|"(?:[^"\\\n]|\\[\s\S])*"/y
const REGEX = /\/(?![*/])(?:[^/\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[a-z]*/y
/** From a backtick, or the brace that ends an expression, to the next expression or the end. */
const TEMPLATE = /[`}](?:[^`\\$]|\\[\s\S]|\$(?!\{))*(?:`|\$\{)/y
/** `>` stands alone, because in `Map<string, Set<string>>` two of them are no operator. */
const SIGN =
  /\?\.(?!\d)|\?\?=?|=>|\.\.\.|[=!]==?|&&=?|\|\|=?|\+\+|--|\*\*=?|<<=?|[-+*/%&|^<]=|[{}()[\].,;:?<>=!+\-*/%&|^~@\\]/y

/** Words after which a slash begins a regular expression. */
const BEFORE_OPERAND =
  /^(?:return|typeof|case|in|of|do|else|void|delete|throw|new|await|yield|instanceof)$/

/** Throws on a text that is none, such as one with a string that does not end. */
export function tokens(source: string): Token[] {
  const out: Token[] = []
  /** What closes each open bracket: `${` is closed by a template's next part. */
  const open: ('bracket' | 'template')[] = []
  let at = 0
  let gap = 0
  const match = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at
    return pattern.exec(source)?.[0]
  }
  const push = (kind: Token['kind'], text: string, depth = open.length): void => {
    const onNewLine = source.slice(gap, at).includes('\n')
    out.push({ kind, text, start: at, end: at + text.length, depth, onNewLine })
    at += text.length
    gap = at
  }
  const template = (): void => {
    const text = match(TEMPLATE)
    if (text === undefined) throw new Error(`a template does not end: ${excerpt(source, at)}`)
    if (source[at] === '}') open.pop()
    push('template', text)
    if (text.endsWith('${')) open.push('template')
  }
  at += match(HASHBANG)?.length ?? 0
  for (;;) {
    at += match(GAP)?.length ?? 0
    if (at >= source.length) return out
    const char = source[at]!
    if (char === '`' || (char === '}' && open.at(-1) === 'template')) {
      template()
      continue
    }
    const kinds = { word: WORD, number: NUMBER, string: STRING } as const
    const kind = (['word', 'number', 'string'] as const).find((one) => match(kinds[one]))
    if (kind) {
      push(kind, match(kinds[kind])!)
      continue
    }
    const regex = char === '/' && beginsOperand(out) ? match(REGEX) : undefined
    if (regex !== undefined) {
      push('regex', regex)
      continue
    }
    const sign = match(SIGN)
    if (sign === undefined) throw new Error(`not a token: ${excerpt(source, at)}`)
    if (CLOSING.includes(sign)) open.pop()
    push('sign', sign)
    if (OPENING.includes(sign)) open.push('bracket')
  }
}

const OPENING = ['(', '[', '{']
const CLOSING = [')', ']', '}']

const excerpt = (source: string, at: number): string => source.slice(at, at + 40)

/** Whether a slash after these tokens divides nothing. */
function beginsOperand(before: readonly Token[]): boolean {
  const last = before.at(-1)
  if (!last) return true
  if (last.kind === 'word') return BEFORE_OPERAND.test(last.text)
  if (last.kind === 'template') return last.text.endsWith('${')
  if (last.kind !== 'sign') return false
  // `value! / 2`
  if (last.text === '!') return before.at(-2)?.end !== last.start || isOperator(before.at(-2)!)
  return !['++', '--', ...CLOSING].includes(last.text)
}

/** Whether an expression goes on after it. */
export function isOperator({ kind, text }: Token): boolean {
  if (kind === 'template') return text.endsWith('${')
  // A type may end with `void`.
  if (kind === 'word') return text !== 'void' && (BEFORE_OPERAND.test(text) || GOES_ON.test(text))
  return kind === 'sign' && !['!', '++', '--', '>', ';', ...CLOSING].includes(text)
}
const GOES_ON = /^(?:as|satisfies|extends|implements|keyof|infer|is)$/

/** Whether an expression on the line before goes on with it. */
export const continues = ({ kind, text }: Token): boolean =>
  kind === 'word' ? /^(?:as|satisfies|extends|in|instanceof|is)$/.test(text) : kind === 'sign'
