/**
 * Rules of an agent file or a skill besides its lists. OpenCode's `permission`: a plain `deny` or
 * `ask` is honoured; patterns such as `{"git *": allow, "*": ask}` cannot be enforced here, so the
 * tool is denied whole: ignoring them would grant more than the author wrote. And `confirm-before`,
 * the tools that need a person's approval. A rule that cannot be read is an error, because without
 * it the file would allow more than it says.
 */

import { fileWrite } from '../../tools/builtin/file-write.ts'
import { error, warning } from '../diagnostic.ts'
import type { Diagnostic, Grant } from '../types.ts'
import type { HeadEntry, Plain } from '../yaml/head.ts'
import { meansKey } from './spelling.ts'
import { distinct, entries, nestedLists, parts, wordOf } from './tool-values.ts'
import { guessedMcp, translateDenied } from './tools.ts'

export interface Permissions {
  readonly denied: readonly Grant[]
  readonly asked: readonly Grant[]
  readonly found: readonly Diagnostic[]
}

const NOTHING: Permissions = { denied: [], asked: [], found: [] }

export function permissionDenials(entry: HeadEntry | undefined): Permissions {
  if (entry === undefined || entry.value === null) return NOTHING
  const { value, line } = entry
  // OpenCode: one word for all tools.
  const map = typeof value === 'string' ? { '*': value } : value
  if (!isMap(map)) return refused('`permission` is no table of rules', line)
  const denied: Grant[] = []
  const asked: Grant[] = []
  const found: Diagnostic[] = []
  for (const [name, rule] of Object.entries(map)) {
    const meant = meaningOf(rule)
    if (meant === undefined) {
      return refused(`the rule for \`${name}\` is none of allow, ask and deny`, line)
    }
    if (meant === 'yes') continue
    const known = translateDenied(name)
    const grants = known ?? guessedMcp(name)
    if (known === undefined) found.push(nobody(name, line))
    if (meant === 'ask') asked.push(...grants)
    else denied.push(...grants)
    if (meant !== 'mixed' || known === undefined) continue
    const message = `the rule for \`${name}\` cannot be enforced here: denied whole`
    found.push(warning('specifier_denied', message, { line }))
  }
  return { denied, asked, found }
}

const refused = (message: string, line: number): Permissions => ({
  ...NOTHING,
  found: [error('permission_invalid', message, { line, hint: 'permission: {bash: deny}' })],
})

const nobody = (name: string, line: number | null): Diagnostic =>
  warning('unknown_tool', `nobody knows the tool \`${name}\`: the rule means nothing here`, {
    line,
  })

/** Of a word, or of a table of patterns that all say the same; undefined when it is neither. */
function meaningOf(rule: Plain): 'yes' | 'no' | 'ask' | 'mixed' | undefined {
  if (!isMap(rule)) return wordOf(rule)
  const words = Object.values(rule).map(wordOf)
  if (words.length === 0 || words.includes(undefined)) return undefined
  return words.every((word) => word === words[0]) ? words[0] : 'mixed'
}

const isMap = (rule: Plain): rule is { [key: string]: Plain } =>
  typeof rule === 'object' && rule !== null && !Array.isArray(rule)

/**
 * The value of `confirm-before`: of a specifier the whole tool, since its uses cannot be
 * distinguished.
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
  const words = distinct(read.value.yes.map((one) => parts(one).name))
  const found = words.filter((word) => translateDenied(word) === undefined)
  const nested = nestedLists('confirm-before', read.value, line)
  return { words, found: [...nested, ...found.map((word) => nobody(word, line))] }
}

/** The `confirm-before` of a skill, its metadata or a product's part of it, however spelled. */
export const confirmIn = (place: Readonly<Record<string, unknown>>): Plain[] =>
  Object.entries(place).flatMap(([key, value]) =>
    meansKey(key, 'confirm-before') && value !== undefined ? [value as Plain] : [],
  )
