/**
 * Names of tools: ours, and those of Claude Code, OpenCode, Codex, Copilot, pi and others. A
 * foreign name stands for one tool of ours or for a set. All are derived from the tools.
 */

import { close } from '../../../lib/nearest-name.ts'
import { KNOWN_TOOLS } from '../../tools/builtin/index.ts'

const BUILTIN_LIST = [...KNOWN_TOOLS.values()]

/** Tools that are built in; they are listed first. */
export const OUR_TOOLS: readonly string[] = BUILTIN_LIST.map(({ name }) => name)

/** Tools that a user-facing agent may use unless the tenant's policy says otherwise. */
export const USER_FACING_TOOLS: readonly string[] = BUILTIN_LIST.flatMap(({ name, user_facing }) =>
  user_facing === undefined ? [] : [{ name, place: user_facing }],
)
  .sort((left, right) => left.place - right.place)
  .map(({ name }) => name)

/** Word of another product, the tool of ours. */
const FOREIGN = BUILTIN_LIST.flatMap(({ name, foreign }) =>
  (foreign?.split(' ') ?? []).map((word) => [word, name] as const),
)

/** The tools of each word: a word of ours is no word of others. */
function meanings(spelt: (word: string) => string): ReadonlyMap<string, readonly string[]> {
  const toolsByWord = new Map<string, readonly string[]>()
  for (const [word, tool] of FOREIGN) {
    const tools = toolsByWord.get(spelt(word)) ?? []
    if (!tools.includes(tool)) toolsByWord.set(spelt(word), [...tools, tool])
  }
  for (const name of OUR_TOOLS) toolsByWord.set(name, [name])
  return toolsByWord
}
const AS_WRITTEN = meanings((word) => word)
const IN_LOWER_CASE = meanings((word) => word.toLowerCase())

/** Every word for a tool that is known, ours first: what a misspelt one may have been meant to be. */
export const KNOWN_WORDS: readonly string[] = [...new Set([...OUR_TOOLS, ...AS_WRITTEN.keys()])]

/**
 * The tools that a name without its `(specifier)` stands for; undefined when the name is unknown.
 */
export const toolsNamed = (name: string): readonly string[] | undefined =>
  AS_WRITTEN.get(name) ?? IN_LOWER_CASE.get(name.toLowerCase())

/** The sentence about a name that no tool has, with the name that was probably meant. */
export function unknownTool(name: string): string {
  const suggestion = close(name, KNOWN_WORDS)
  return `there is no tool \`${name}\`${suggestion === undefined ? '' : `; did you mean \`${suggestion}\`?`}`
}
