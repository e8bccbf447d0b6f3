/**
 * Parses the tool lists of agent files: a comma-separated string, a list, or an OpenCode object,
 * with specifiers in parentheses. `tools.ts` interprets the names.
 */

import { fail, type Outcome, ok } from '../../../lib/outcome.ts'
import { error, warning } from '../diagnostic.ts'
import type { Diagnostic } from '../types.ts'
import type { HeadEntry, Plain } from '../yaml/head.ts'

export const distinct = <T>(list: readonly T[]): T[] => [...new Set(list)]

/** Tool names that a list allows, denies, or requires approval for. */
export interface NameVerdicts {
  readonly yes: readonly string[]
  readonly no: readonly string[]
  readonly asks: readonly string[]
  /** Whether the list contained nested lists, which were flattened. */
  readonly nested: boolean
}

type Word = 'yes' | 'no' | 'ask'
/** Boolean words of YAML 1.1, which authors still use although YAML 1.2 parses them as strings. */
const BOOLEANS: ReadonlyMap<string, boolean> = new Map([
  ...['true', 'yes', 'on', 'y'].map((word) => [word, true] as const),
  ...['false', 'no', 'off', 'n'].map((word) => [word, false] as const),
])
const WORDS: ReadonlyMap<string, Word> = new Map([
  ...[...BOOLEANS].map(([word, value]) => [word, value ? 'yes' : 'no'] as const),
  ['allow', 'yes'],
  ['deny', 'no'],
  ['ask', 'ask'],
])

/**
 * Returns the boolean that a value means, also for a boolean word in any case; otherwise undefined.
 */
export const booleanOf = (value: Plain): boolean | undefined =>
  typeof value === 'boolean' || typeof value === 'string'
    ? BOOLEANS.get(String(value).trim().toLowerCase())
    : undefined

/**
 * Returns the meaning of a value in an OpenCode tool object; undefined if the value has no meaning.
 */
export const wordOf = (value: Plain): Word | undefined =>
  typeof value === 'boolean' || typeof value === 'string'
    ? WORDS.get(String(value).trim().toLowerCase())
    : undefined

/**
 * Parses a tool list: a comma-separated string, a list (possibly nested), or an object. Fails with
 * a message for other values.
 */
export function entries(value: Plain): Outcome<NameVerdicts, string> {
  if (typeof value === 'string' || Array.isArray(value)) {
    const texts = flat(value)
    if (texts === undefined) return fail('contains an entry that is not a name')
    const nested = Array.isArray(value) && value.some((item) => Array.isArray(item))
    return ok({ yes: texts.flatMap((text) => splitCommas(text)), no: [], asks: [], nested })
  }
  if (value === null || typeof value !== 'object') return fail('must be a list of names')
  const yes: string[] = []
  const no: string[] = []
  const asks: string[] = []
  for (const [name, verdict] of Object.entries(value)) {
    const word = wordOf(verdict)
    if (word === undefined) {
      return fail(`must be true or false for \`${name}\`, not ${JSON.stringify(verdict)}`)
    }
    if (word === 'no') no.push(name)
    else yes.push(name)
    if (word === 'ask') asks.push(parts(name).name)
  }
  return ok({ yes, no, asks, nested: false })
}

/** Returns the finding about nested lists under the front matter key `key`. */
export const nestedLists = (
  key: string,
  { nested }: Pick<NameVerdicts, 'nested'>,
  line: number | null,
) =>
  nested
    ? [
        warning('nested_list', `\`${key}\` has a nested list, which is flattened`, {
          line,
          hint: `${key}: [Read, Grep]`,
        }),
      ]
    : []

/** Flattens nested lists of strings; undefined if they contain other values. */
function flat(value: Plain): string[] | undefined {
  if (typeof value === 'string') return [value]
  if (!Array.isArray(value)) return undefined
  const parts = value.map(flat)
  return parts.every((part) => part !== undefined) ? parts.flat() : undefined
}

/**
 * Splits a text at commas or line breaks outside parentheses; trims the parts and omits empty
 * parts.
 */
function splitCommas(text: string, separator: RegExp = /[,\n]/): string[] {
  const all = text.includes('(') ? splitOutside(text, separator) : text.split(separator)
  return all.map((part) => part.trim()).filter((part) => part !== '')
}

function splitOutside(text: string, separator: RegExp): string[] {
  const out: string[] = []
  let depth = 0
  let part = ''
  for (const char of text) {
    if (char === '(') depth += 1
    else if (char === ')') depth = Math.max(0, depth - 1)
    if (depth === 0 && separator.test(char)) {
      out.push(part)
      part = ''
    } else part += char
  }
  return [...out, part]
}

/**
 * Splits a tool entry into its name and the specifier in parentheses. Empty parentheses allow
 * nothing, and `(*)` allows everything.
 */
export function parts(text: string): { name: string; specifier: string | undefined } {
  const match = /^([^()]+)\((.*)\)$/s.exec(text.trim())
  if (match === null) return { name: text.trim(), specifier: undefined }
  const specifier = match[2]?.trim() ?? ''
  const isAll = /^\*+$/.test(specifier)
  return { name: (match[1] ?? '').trim(), specifier: isAll ? undefined : specifier }
}

/** Splits a specifier into names at commas, and removes spaces and quotes. */
export const namesIn = (specifier: string): string[] =>
  specifier
    .split(',')
    .map(bare)
    .filter((id) => id !== '')

const AROUND = /[\s"'`[\]]/

/**
 * The name is trimmed with a loop, because regular expressions would take quadratic time on long
 * runs of spaces.
 */
function bare(id: string): string {
  let [start, end] = [0, id.length]
  while (start < end && AROUND.test(id[start]!)) start += 1
  while (end > start && AROUND.test(id[end - 1]!)) end -= 1
  return id.slice(start, end)
}

/**
 * Parses the `allowed-tools` of a skill, split at commas or spaces; the names are recorded as
 * written.
 */
export function skillTools(entry: HeadEntry | undefined): {
  readonly tools: readonly string[]
  readonly found: readonly Diagnostic[]
} {
  if (entry === undefined || entry.value === null) return { tools: [], found: [] }
  const { value, line } = entry
  const verdicts = entries(value)
  if (!verdicts.ok) {
    const message = `\`allowed-tools\` ${verdicts.error}`
    return { tools: [], found: [error('allowed_tools_form', message, { line, hint: HINT })] }
  }
  return {
    tools: distinct(verdicts.value.yes.flatMap((text) => splitCommas(text, /[,\s]/))),
    found: nestedLists('allowed-tools', verdicts.value, line),
  }
}

const HINT = 'allowed-tools: [Read, Grep]'
