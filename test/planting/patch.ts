/**
 * A patch says which text of a function, method or constant becomes another one. It names what it
 * changes and no file, and its text is compared token by token, so that it outlives a move to another
 * file and other line breaks. A text that is not there, or there twice, is an error and no guess.
 */

import { type Declaration, declarations } from './declarations.ts'
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

/** What of a source is replaced. */
interface Edit {
  readonly start: number
  readonly end: number
  readonly put: string
}

/** The source with all of the patches, each of which finds its text in the source as it was. */
export function patched(source: string, patches: readonly Patch[]): string {
  const read = tokens(source)
  const known = declarations(read)
  const edits = patches.map((patch) => editOf(patch, read, known))
  edits.sort((left, right) => right.start - left.start)
  return edits.reduce((text, { start, end, put }, index) => {
    const behind = edits[index - 1]
    if (behind && behind.start < end) throw new Error(`two patches change the same text: ${put}`)
    return text.slice(0, start) + put + text.slice(end)
  }, source)
}

function editOf(patch: Patch, read: readonly Token[], known: readonly Declaration[]): Edit {
  const { name } = nameOf(patch)
  const [declared, ...others] = known.filter((one) => one.name === name)
  if (!declared) throw new Error(`${patch.inside} is not declared`)
  if (others.length > 0) throw new Error(`${patch.inside} is declared twice in one file`)
  const wanted = tokens(patch.find)
  if (wanted.length === 0) throw new Error(`a patch of ${patch.inside} looks for nothing`)
  const within = read.slice(declared.from, declared.to)
  const found = [...within.keys()].flatMap((at) => {
    const last = lastOfMatch(within, at, wanted)
    return last === undefined ? [] : [{ start: within[at]!.start, end: within[last]!.end }]
  })
  const [only, ...more] = found
  if (!only) throw new Error(`${patch.inside} no longer has: ${patch.find}`)
  if (more.length > 0)
    throw new Error(`${patch.inside} has it ${found.length} times: ${patch.find}`)
  return { ...only, put: patch.put }
}

/** The last token of what is wanted when it stands at `at`. */
function lastOfMatch(
  within: readonly Token[],
  at: number,
  wanted: readonly Token[],
): number | undefined {
  let here = at
  for (let index = 0; index < wanted.length; here += 1) {
    if (within[here]?.text === wanted[index]!.text) index += 1
    else if (isLastComma(wanted, index)) {
      index += 1
      here -= 1
    } else if (here === at || !isLastComma(within, here)) return undefined
  }
  return here - 1
}

/** A comma before a closing bracket comes and goes with line breaks. */
const isLastComma = (list: readonly Token[], at: number): boolean =>
  list[at]?.text === ',' && [')', ']', '}'].includes(list[at + 1]?.text ?? '')
