/**
 * `arguments` of a skill's head: names for the words behind its name, in their order, for
 * placeholders like `$issue`. https://code.claude.com/docs/en/skills (read 2026-11).
 */

import { frontMatter } from '../yaml/frontmatter.ts'

const NAME = /^[A-Za-z_][A-Za-z0-9_-]{0,63}$/
/** The placeholder of all arguments has this name already. */
const RESERVED_NAME = 'ARGUMENTS'

export interface DeclaredArguments {
  readonly names: readonly string[]
  /** True: the value holds something that is no name, which is left out. */
  readonly isOdd: boolean
}

/** A list of names, of maps with a `name`, or a text of names between blanks. */
export function declaredArguments(value: unknown): DeclaredArguments {
  if (value === undefined || value === null) return { names: [], isOdd: false }
  const items = typeof value === 'string' ? value.split(/[\s,]+/).filter(Boolean) : value
  if (!Array.isArray(items)) return { names: [], isOdd: true }
  const candidates = items.map((item) => (typeof item === 'string' ? item : nameIn(item)))
  const isName = (name: unknown): name is string =>
    typeof name === 'string' && NAME.test(name) && name !== RESERVED_NAME
  // Names stand for places: what is none keeps its place.
  const names = candidates.map((name) => (isName(name) ? name : ''))
  return { names, isOdd: names.includes('') || new Set(names).size < names.length }
}

const nameIn = (item: unknown): unknown =>
  typeof item === 'object' && item !== null ? (item as { readonly name?: unknown }).name : undefined

/** The names in the head of a whole SKILL.md. */
export function argumentNamesIn(text: string): readonly string[] {
  const matter = frontMatter(text)
  return matter.kind === 'parsed'
    ? declaredArguments(matter.head.get('arguments')?.value).names
    : []
}
