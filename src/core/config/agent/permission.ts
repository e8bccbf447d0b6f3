/**
 * Parses the rules of an agent file or skill other than its tool lists. In OpenCode's `permission`,
 * a tool has one word, or patterns such as `{"git *": allow, "*": ask}` if its calls can be
 * matched. Patterns for other tools deny the whole tool, because ignoring them would grant too
 * much. If several patterns match, the strictest applies here, whereas OpenCode applies the last.
 * `confirm-before` lists tools that need a person's approval. An unreadable rule is an error,
 * because the file would otherwise allow too much.
 */

import { takesPatterns } from '../../tools/argument-rules.ts'
import { fileWrite } from '../../tools/builtin/file-write.ts'
import { error, warning } from '../diagnostic.ts'
import type { AgentArgumentRules, ArgumentRules, Diagnostic, Grant } from '../types.ts'
import type { HeadEntry, Plain } from '../yaml/head.ts'
import { guessedMcp, translateDenied } from './grants.ts'
import { meansKey } from './spelling.ts'
import { unknownTool } from './tool-names.ts'
import { distinct, entries, nestedLists, parts, wordOf } from './tool-values.ts'

export interface Permissions {
  readonly denied: readonly Grant[]
  readonly asked: readonly Grant[]
  readonly byArguments: readonly AgentArgumentRules[]
  readonly found: readonly Diagnostic[]
}

const NO_PERMISSIONS: Permissions = { denied: [], asked: [], byArguments: [], found: [] }

export function permissionDenials(entry: HeadEntry | undefined): Permissions {
  if (entry === undefined || entry.value === null) return NO_PERMISSIONS
  const { value, line } = entry
  // In OpenCode, a single word applies to all tools.
  const map = typeof value === 'string' ? { '*': value } : value
  if (!isMap(map)) return invalidRules('`permission` must be a table of rules', line)
  const deniedGrants: Grant[] = []
  const askedGrants: Grant[] = []
  const byArguments: AgentArgumentRules[] = []
  const findings: Diagnostic[] = []
  for (const [name, rule] of Object.entries(map)) {
    const verdict = meaningOf(rule)
    if (verdict === undefined) {
      return invalidRules(`the rule for \`${name}\` must be allow, ask, or deny`, line)
    }
    if (verdict === 'yes') continue
    const knownGrants = translateDenied(name)
    const grants = knownGrants ?? guessedMcp(name)
    if (knownGrants === undefined) findings.push(unknown(name, line))
    if (verdict === 'ask') askedGrants.push(...grants)
    if (verdict === 'no') deniedGrants.push(...grants)
    if (verdict !== 'mixed') continue
    const patterned = grants.filter(takesPatterns)
    const rules = rulesIn(rule)
    byArguments.push(...patterned.map((tool) => ({ tool, line, rules })))
    deniedGrants.push(...grants.filter((grant) => !patterned.includes(grant)))
    if (patterned.length > 0 || knownGrants === undefined) continue
    const message = `the rule for \`${name}\` cannot be enforced here; the tool is denied`
    findings.push(warning('specifier_denied', message, { line }))
  }
  return { denied: deniedGrants, asked: askedGrants, byArguments, found: findings }
}

/** Parses a table that maps argument patterns to words such as `allow` or `ask`. */
function rulesIn(rule: Plain): ArgumentRules {
  const entries = Object.entries(isMap(rule) ? rule : {})
  const of = (word: ReturnType<typeof wordOf>) =>
    entries.filter(([, verdict]) => wordOf(verdict) === word).map(([pattern]) => pattern)
  return { allow: of('yes'), ask: of('ask'), deny: of('no') }
}

const invalidRules = (message: string, line: number): Permissions => ({
  ...NO_PERMISSIONS,
  found: [error('permission_invalid', message, { line, hint: 'permission: {bash: deny}' })],
})

const unknown = (name: string, line: number | null): Diagnostic =>
  warning('unknown_tool', `${unknownTool(name)} (the rule has no effect)`, { line })

/**
 * Returns the meaning of a permission word, or of a table whose patterns all agree; otherwise
 * undefined.
 */
function meaningOf(rule: Plain): 'yes' | 'no' | 'ask' | 'mixed' | undefined {
  if (!isMap(rule)) return wordOf(rule)
  const words = Object.values(rule).map(wordOf)
  if (words.length === 0 || words.includes(undefined)) return undefined
  return words.every((word) => word === words[0]) ? words[0] : 'mixed'
}

const isMap = (rule: Plain): rule is { [key: string]: Plain } =>
  typeof rule === 'object' && rule !== null && !Array.isArray(rule)

/**
 * Parses `confirm-before`. An entry with a specifier covers the whole tool, because the uses of the
 * tool cannot be distinguished.
 */
export function confirmations(
  value: Plain,
  line: number | null,
): { readonly words: readonly string[]; readonly found: readonly Diagnostic[] } {
  if (value === null) return { words: [], found: [] }
  const read = entries(value)
  if (!read.ok) {
    const message = `\`confirm-before\` ${read.error}`
    const hint = `confirm-before: [Bash, ${fileWrite.name}]`
    return { words: [], found: [error('confirm_before_invalid', message, { line, hint })] }
  }
  const words = distinct(read.value.yes.map((text) => parts(text).name))
  const unknownWords = words.filter((word) => translateDenied(word) === undefined)
  const nested = nestedLists('confirm-before', read.value, line)
  return { words, found: [...nested, ...unknownWords.map((word) => unknown(word, line))] }
}

/**
 * Returns a skill's `confirm-before` value in any spelling, from its metadata or a product-specific
 * section.
 */
export const confirmIn = (place: Readonly<Record<string, unknown>>): Plain[] =>
  Object.entries(place).flatMap(([key, value]) =>
    meansKey(key, 'confirm-before') && value !== undefined ? [value as Plain] : [],
  )
