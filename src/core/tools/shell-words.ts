/**
 * Splits a shell line into simple commands, each as words, for rules about commands. Fails closed:
 * a line is opaque if its effect is known only at run time. Examples are expansions, substitutions,
 * compound commands, wrappers, executing options, and redirections to files. The grammar follows
 * POSIX.1-2024, Shell Command Language, sections 2.2 and 2.10.
 */

import { LIMITS } from '../limits.ts'
import { executesArguments } from './shell-starters.ts'

export type Words = readonly string[]

export interface Command {
  readonly words: Words
  /** Positions of words that the shell may expand to file names. */
  readonly globs: readonly number[]
}

/** Returns the simple commands of a shell line, or undefined if the line is opaque. */
export function simpleCommands(line: string): readonly Command[] | undefined {
  if (line.length > LIMITS.approval_line_length) return undefined
  const reader = new Reader(line)
  return reader.read() && reader.commands.every(isPlain) ? reader.commands : undefined
}

function isPlain({ words }: Command): boolean {
  const [first = ''] = words
  // An assignment before a command changes its behavior, and a glob may expand to another command.
  if (/^[A-Za-z_][A-Za-z0-9_]*(?:\[.*\])?\+?=/.test(first)) return false
  return !/[*?[~]/.test(first) && !executesArguments(baseName(first), words.slice(1))
}

export const baseName = (word: string): string => word.slice(word.lastIndexOf('/') + 1)

const OPERATOR = /^(?:&&|\|\||\|&|[;&|\n])/
const OPAQUE = '$`(){}#!\0\r'
/** Matches redirections that write no file: to `/dev/null` or another open descriptor. */
const HARMLESS_REDIRECT =
  /^(?:[012]?>{1,2}[ \t]*\/dev\/null|&>[ \t]*\/dev\/null|[012]?>&[012])(?=[\s;&|]|$)/

class Reader {
  readonly commands: Command[] = []
  readonly #text: string
  #at = 0
  #words: string[] = []
  #globs: number[] = []
  /** Whether the last operator requires another command after it. */
  #needsNext = false
  /** Word being read; undefined between words. */
  #word: string | undefined

  constructor(text: string) {
    this.#text = text
  }

  /** Parses the shell line; returns false if it is opaque. */
  read(): boolean {
    while (this.#at < this.#text.length) if (!this.#next()) return false
    const isOver = this.#endCommand('\n')
    return isOver && !this.#needsNext
  }

  #next(): boolean {
    const char = this.#text[this.#at]!
    if (this.#word === undefined && this.#redirect()) return true
    if (char === '>' || char === '<' || OPAQUE.includes(char)) return false
    if (char === "'" || char === '"') return this.#readQuoted(char)
    if (char === '\\') return this.#escaped()
    const [operator] = OPERATOR.exec(this.#text.slice(this.#at, this.#at + 2)) ?? []
    if (operator !== undefined) return this.#endCommand(operator)
    this.#at += 1
    if (char === ' ' || char === '\t') this.#endWord()
    else this.#word = (this.#word ?? '') + char
    if ('*?['.includes(char)) this.#globs.push(this.#words.length)
    return true
  }

  #redirect(): boolean {
    const match = HARMLESS_REDIRECT.exec(this.#text.slice(this.#at, this.#at + 40))
    if (match === null) return false
    this.#at += match[0].length
    return true
  }

  #readQuoted(quote: string): boolean {
    const end = this.#text.indexOf(quote, this.#at + 1)
    if (end < 0) return false
    const inside = this.#text.slice(this.#at + 1, end)
    // In double quotes, the shell still performs expansions, and a backslash may escape the closing
    // quote.
    if (quote === '"' && /[$`\\!]/.test(inside)) return false
    this.#word = (this.#word ?? '') + inside
    this.#at = end + 1
    return true
  }

  #escaped(): boolean {
    const next = this.#text[this.#at + 1]
    if (next === undefined) return false
    // A backslash before a line break continues the line.
    if (next !== '\n') this.#word = (this.#word ?? '') + next
    this.#at += 2
    return true
  }

  #endWord(): void {
    if (this.#word !== undefined) this.#words.push(this.#word)
    this.#word = undefined
  }

  /**
   * Ends the current command. Returns false on a syntax error, such as an operator without a
   * preceding command.
   */
  #endCommand(operator: string): boolean {
    this.#endWord()
    this.#at += operator.length
    if (this.#words.length === 0) return operator === '\n'
    this.commands.push({ words: this.#words, globs: this.#globs })
    if (this.commands.length > LIMITS.approval_commands) return false
    this.#words = []
    this.#globs = []
    this.#needsNext = !/^[;&\n]$/.test(operator)
    return true
  }
}
