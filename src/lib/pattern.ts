/**
 * Matches third-party regular expressions in linear time: patterns in JSON Schemas, and search
 * patterns of a model. JavaScript's engine backtracks, so twenty characters can block the thread
 * for years. This matcher reads the same syntax. It uses JavaScript's engine only for single
 * characters and classes, which cannot backtrack; an automaton does everything else. Lookaheads,
 * lookbehinds, and backreferences are not supported.
 */

import { Automaton, type Expression, type Place } from './automaton.ts'
import { fail, type Outcome, ok } from './outcome.ts'

const PATTERN_LENGTH = 1_000
const DEPTH = 50

export interface PatternFault {
  /**
   * Kind of pattern error: `invalid` is a syntax error, and `unsupported` means that the pattern
   * cannot be matched in linear time.
   */
  readonly kind: 'invalid' | 'unsupported'
  readonly message: string
}

class Fault extends Error {
  readonly kind: PatternFault['kind']
  constructor(kind: PatternFault['kind'], message: string) {
    super(message)
    this.kind = kind
  }
}
const invalid = (message: string) => new Fault('invalid', message)
const unsupported = (message: string) => new Fault('unsupported', message)

interface PatternOptions {
  /** Flags of a `RegExp` that are supported: `i`, `m`, and `s`. Only `\n` ends a line. */
  readonly flags?: string
  readonly lasting?: boolean
}

/** Compiles a pattern to a matcher that finds the pattern anywhere in a text. */
export function readPattern(
  source: string,
  { flags = '', lasting = false }: PatternOptions = {},
): Outcome<Automaton, PatternFault> {
  if (source.length > PATTERN_LENGTH) {
    const message = `more than ${PATTERN_LENGTH} characters`
    return fail({ kind: 'unsupported', message })
  }
  try {
    return ok(new Automaton(new Reader(source, flags).fullExpression(), { lasting }))
  } catch (error) {
    if (error instanceof Fault) return fail({ kind: error.kind, message: error.message })
    if (error instanceof RangeError) return fail({ kind: 'unsupported', message: error.message })
    throw error
  }
}

const COUNT = /^\{(\d{1,9})(?:(,)(\d{1,9})?)?\}$/
const CONTROL: Readonly<Record<string, string>> = {
  t: '\t',
  n: '\n',
  r: '\r',
  f: '\f',
  v: '\v',
  0: '\0',
}
const EDGES: Readonly<Record<string, Place>> = {
  '^': 'start',
  $: 'end',
  '\\b': 'edge',
  '\\B': 'no-edge',
}

class Reader {
  readonly #source: string
  readonly #flags: string
  #at = 0
  #depth = 0

  constructor(source: string, flags: string) {
    this.#source = source
    this.#flags = flags
  }

  fullExpression(): Expression {
    const expression = this.#choice()
    if (this.#at < this.#source.length) throw invalid('missing opening `(`')
    return expression
  }

  get #char(): string {
    return this.#source[this.#at] ?? ''
  }

  #take(text: string): boolean {
    if (!this.#source.startsWith(text, this.#at)) return false
    this.#at += text.length
    return true
  }

  #choice(): Expression {
    this.#depth += 1
    if (this.#depth > DEPTH) throw unsupported(`groups nested deeper than ${DEPTH} levels`)
    const of = [this.#sequence()]
    while (this.#take('|')) of.push(this.#sequence())
    this.#depth -= 1
    return of.length === 1 ? of[0]! : { kind: 'any', of }
  }

  #sequence(): Expression {
    const of: Expression[] = []
    while (this.#char !== '' && this.#char !== '|' && this.#char !== ')') {
      const atom = this.#atom()
      of.push(this.#repeated(atom))
    }
    return { kind: 'all', of }
  }

  #repeated(of: Expression): Expression {
    const bounds = this.#bounds()
    if (bounds === undefined) return of
    if (of.kind === 'at') throw invalid('nothing to repeat')
    const lazy = this.#take('?')
    if (this.#bounds() !== undefined) throw invalid('nothing to repeat')
    return { kind: 'repeat', of, ...bounds, lazy }
  }

  #bounds(): { min: number; max?: number } | undefined {
    if (this.#take('*')) return { min: 0 }
    if (this.#take('+')) return { min: 1 }
    if (this.#take('?')) return { min: 0, max: 1 }
    if (this.#char !== '{') return undefined
    const end = this.#source.indexOf('}', this.#at)
    const count = COUNT.exec(this.#source.slice(this.#at, Math.min(end, this.#at + 24) + 1))
    if (end === -1 || count === null) return undefined
    this.#at = end + 1
    const min = Number(count[1])
    if (count[2] !== undefined && count[3] === undefined) return { min }
    const max = count[3] === undefined ? min : Number(count[3])
    if (max < min) throw invalid('the maximum of a repetition is below its minimum')
    return { min, max }
  }

  #atom(): Expression {
    const char = this.#char
    if (char === '(') return this.#group()
    if (char === '[') return this.#class()
    if (char === '\\') return this.#escape()
    if (this.#bounds() !== undefined) throw invalid('nothing to repeat')
    const point = String.fromCodePoint(this.#source.codePointAt(this.#at)!)
    this.#at += point.length
    const place = EDGES[point]
    if (place !== undefined) return this.#edge(place)
    return point === '.' ? this.#native('.') : this.#exactly(point)
  }

  #group(): Expression {
    this.#at += 1
    if (this.#take('?')) {
      const look = /^<?[=!]/.exec(this.#source.slice(this.#at, this.#at + 2))
      if (look !== null) {
        throw unsupported(`lookahead and lookbehind are not supported: \`(?${look[0]}\``)
      }
      if (!this.#take(':') && !this.#name()) {
        throw unsupported(`unknown kind of group: \`(?${this.#char}\``)
      }
    }
    const expression = this.#choice()
    if (!this.#take(')')) throw invalid('missing closing `)`')
    return expression
  }

  #name(): boolean {
    const name = /^<[\p{L}_$][\p{L}\p{N}_$]{0,60}>/u.exec(
      this.#source.slice(this.#at, this.#at + 64),
    )
    this.#at += name?.[0].length ?? 0
    return name !== null
  }

  #class(): Expression {
    const from = this.#at
    this.#at += 1
    while (this.#char !== ']') {
      if (this.#char === '') throw invalid('missing closing `]`')
      this.#at += this.#char === '\\' ? 2 : 1
    }
    this.#at += 1
    return this.#native(this.#source.slice(from, this.#at))
  }

  #escape(): Expression {
    const two = this.#source.slice(this.#at, this.#at + 2)
    const letter = two[1] ?? ''
    if (letter === '') throw invalid('trailing backslash')
    if (/[1-9k]/.test(letter)) {
      throw unsupported(`backreferences are not supported: \`${two}\``)
    }
    const place = EDGES[two]
    const ahead = this.#source.slice(this.#at, this.#at + 64)
    const long =
      /^\\(?:u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}|u\{[\da-fA-F]{1,6}\}|u[\da-fA-F]{4}|x[\da-fA-F]{2}|c[A-Za-z]|[pP]\{[\w=]{1,50}\})/.exec(
        ahead,
      )
    this.#at +=
      long?.[0].length ?? String.fromCodePoint(this.#source.codePointAt(this.#at + 1)!).length + 1
    if (place !== undefined) return this.#edge(place)
    if (long !== null) return this.#native(long[0])
    if (/[dDsSwW]/.test(letter)) return this.#native(two)
    const control = CONTROL[letter]
    if (control !== undefined) return this.#exactly(control)
    if (/[A-Za-z\d]/.test(letter)) throw invalid(`unknown escape: \`${two}\``)
    return this.#exactly(ahead.slice(1, String.fromCodePoint(ahead.codePointAt(1)!).length + 1))
  }

  #edge(place: Place): Expression {
    const ofLines = this.#flags.includes('m') && (place === 'start' || place === 'end')
    return { kind: 'at', place: ofLines ? `line-${place}` : place }
  }

  #exactly(expected: string): Expression {
    if (!this.#flags.includes('i')) return { kind: 'one', test: (char) => char === expected }
    return this.#native(`\\u{${expected.codePointAt(0)!.toString(16)}}`)
  }

  #native(atom: string): Expression {
    return { kind: 'one', test: native(atom, this.#flags) }
  }
}

/**
 * Compiles a single character class or escape with JavaScript's engine; no backtracking is
 * possible.
 */
function native(atom: string, flags: string): (char: string) => boolean {
  const strict = compiled(atom, `${flags}u`)
  if (strict !== undefined) return (char) => strict.test(char)
  // Classes use the legacy syntax, because older schemas contain unnecessary escapes (`[\_]`).
  const older = atom.startsWith('[') && !/\\[pPu]/.test(atom)
  const loose = older ? compiled(atom, flags) : undefined
  if (loose === undefined) throw invalid(`invalid class or escape: \`${atom}\``)
  const isNegated = atom.startsWith('[^')
  return (char) => (char.length > 1 ? isNegated : loose.test(char))
}

function compiled(atom: string, flags: string): RegExp | undefined {
  try {
    return new RegExp(`^${atom}$`, flags)
  } catch {
    return undefined
  }
}
