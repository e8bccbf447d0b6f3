/**
 * A patch says which text of a function, method or constant becomes another one. It names what it
 * changes and no file, and its text is compared token by token, so that it outlives a move to another
 * file and other line breaks. A text that is not there, or there twice, is an error and no guess.
 */

import { type Declaration, declarations } from './declarations.ts'
import { matches, type Range } from './match.ts'
import { type Token, tokens } from './tokens.ts'

export interface Patch {
  /** `advance`, `Transaction.commit`; `executor:advance` where several files declare it. */
  readonly inside: string
  readonly find: string
  readonly put: string
}

export const inside = (name: string, find: string, put: string): Patch => ({
  inside: name,
  find,
  put,
})

/** The name that is declared, and how the path of its file ends where that is said. */
export function nameOf(patch: Patch): { readonly file: string | undefined; readonly name: string } {
  const colon = patch.inside.indexOf(':')
  const file = colon < 0 ? undefined : patch.inside.slice(0, colon)
  return { file, name: patch.inside.slice(colon + 1) }
}

/** A text, and what it declares. */
export interface Source {
  readonly text: string
  readonly read: readonly Token[]
  readonly known: readonly Declaration[]
}

export function sourceOf(text: string): Source {
  const read = tokens(text)
  return { text, read, known: declarations(read) }
}

export const declares = ({ known }: Source, name: string): boolean =>
  known.some((one) => one.name === name)

/** What of a source is replaced. */
interface Edit extends Range {
  readonly put: string
}

/** The source with all of the patches, each of which finds its text in the source as it was. */
export function patched(source: Source, patches: readonly Patch[]): string {
  const edits = patches.map((patch) => editOf(patch, source))
  edits.sort((left, right) => right.start - left.start)
  return edits.reduce((text, { start, end, put }, index) => {
    const behind = edits[index - 1]
    if (behind && behind.start < end) throw new Error(`two patches change the same text: ${put}`)
    return text.slice(0, start) + put + text.slice(end)
  }, source.text)
}

function editOf(patch: Patch, { read, known }: Source): Edit {
  const { name } = nameOf(patch)
  const [declared, ...others] = known.filter((one) => one.name === name)
  if (!declared) throw new Error(`${patch.inside} is not declared`)
  if (others.length > 0) throw new Error(`${patch.inside} is declared twice in one file`)
  const wanted = tokens(patch.find)
  if (wanted.length === 0) throw new Error(`a patch of ${patch.inside} looks for nothing`)
  const found = matches(read.slice(declared.from, declared.to), wanted)
  const [only, ...more] = found
  if (!only) throw new Error(`${patch.inside} no longer has: ${patch.find}`)
  if (more.length > 0)
    throw new Error(`${patch.inside} has it ${found.length} times: ${patch.find}`)
  return { ...only, put: patch.put }
}
