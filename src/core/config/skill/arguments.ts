/**
 * Parses `arguments` in a skill's front matter: names for the words after the skill's name, in
 * order, for placeholders like `$issue`. https://code.claude.com/docs/en/skills (read 2026-11).
 */

import { frontMatter } from '../yaml/frontmatter.ts'

const NAME = /^[A-Za-z_][A-Za-z0-9_-]{0,63}$/
/** Argument name that is reserved, because the placeholder for all arguments uses it. */
const RESERVED_NAME = 'ARGUMENTS'

export interface DeclaredArguments {
  readonly names: readonly string[]
  /** Whether `arguments` contains invalid names, which are omitted. */
  readonly isOdd: boolean
}

/**
 * Parses `arguments`: a list of names, a list of maps with a `name`, or a space-separated string.
 */
export function declaredArguments(value: unknown): DeclaredArguments {
  if (value === undefined || value === null) return { names: [], isOdd: false }
  const items = typeof value === 'string' ? value.split(/[\s,]+/).filter(Boolean) : value
  if (!Array.isArray(items)) return { names: [], isOdd: true }
  const candidates = items.map((item) => (typeof item === 'string' ? item : nameIn(item)))
  const isName = (name: unknown): name is string =>
    typeof name === 'string' && NAME.test(name) && name !== RESERVED_NAME
  // Names are positional, so an empty string replaces an invalid name.
  const names = candidates.map((name) => (isName(name) ? name : ''))
  return { names, isOdd: names.includes('') || new Set(names).size < names.length }
}

const nameIn = (item: unknown): unknown =>
  typeof item === 'object' && item !== null ? (item as { readonly name?: unknown }).name : undefined

/** Returns the argument names in the front matter of a SKILL.md file. */
export function argumentNamesIn(text: string): readonly string[] {
  const matter = frontMatter(text)
  return matter.kind === 'parsed'
    ? declaredArguments(matter.head.get('arguments')?.value).names
    : []
}
