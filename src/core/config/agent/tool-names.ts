/**
 * Names of tools: ours, and those of Claude Code, OpenCode, Codex, Copilot, pi and others. A
 * foreign name stands for one tool of ours or for a set. All are derived from the tools.
 */

import { close } from '../../../lib/nearest-name.ts'
import { KNOWN_TOOLS } from '../../tools/builtin/index.ts'

const BUILTIN_LIST = [...KNOWN_TOOLS.values()]

/** Built-in tools, which are listed first. */
export const OUR_TOOLS: readonly string[] = BUILTIN_LIST.map(({ name }) => name)

/** Tools that a user-facing agent may use unless the tenant's policy says otherwise. */
export const USER_FACING_TOOLS: readonly string[] = BUILTIN_LIST.flatMap(({ name, user_facing }) =>
  user_facing === undefined ? [] : [{ name, place: user_facing }],
)
  .sort((left, right) => left.place - right.place)
  .map(({ name }) => name)

/** Pairs of another product's word and the built-in tool. */
const FOREIGN = BUILTIN_LIST.flatMap(({ name, foreign }) =>
  (foreign?.split(' ') ?? []).map((word) => [word, name] as const),
)

/** Maps each word to its tools; built-in names take precedence. */
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

/** Every known word for a tool, built-in names first, for suggestions. */
export const KNOWN_WORDS: readonly string[] = [...new Set([...OUR_TOOLS, ...AS_WRITTEN.keys()])]

/** Returns the tools of a name without its `(specifier)`; undefined when unknown. */
export const toolsNamed = (name: string): readonly string[] | undefined =>
  AS_WRITTEN.get(name) ?? IN_LOWER_CASE.get(name.toLowerCase())

/** Describes an unknown tool, with a suggestion. */
export function unknownTool(name: string): string {
  const suggestion = close(name, KNOWN_WORDS)
  return `there is no tool \`${name}\`${suggestion === undefined ? '' : `; did you mean \`${suggestion}\`?`}`
}
