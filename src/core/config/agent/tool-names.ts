/**
 * Tool names of Strata, Claude Code, OpenCode, Codex, Copilot, pi, and other products. A name from
 * another product maps to one or more Strata tools. All names are derived from the tool
 * definitions.
 */

import { close } from '../../../lib/nearest-name.ts'
import { KNOWN_TOOLS } from '../../tools/builtin/index.ts'

const BUILTIN_LIST = [...KNOWN_TOOLS.values()]

/** Names of the built-in tools. */
export const OUR_TOOLS: readonly string[] = BUILTIN_LIST.map(({ name }) => name)

/** Tools that a user-facing agent may use unless the tenant's policy differs. */
export const USER_FACING_TOOLS: readonly string[] = BUILTIN_LIST.flatMap(({ name, user_facing }) =>
  user_facing === undefined ? [] : [{ name, place: user_facing }],
)
  .sort((left, right) => left.place - right.place)
  .map(({ name }) => name)

/** Pairs of another product's tool name and the corresponding built-in tool. */
const FOREIGN = BUILTIN_LIST.flatMap(({ name, foreign }) =>
  (foreign?.split(' ') ?? []).map((word) => [word, name] as const),
)

/** Maps each tool name, in the given spelling, to its tools; built-in names take precedence. */
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

/** All known tool names, for suggestions; built-in names come first. */
export const KNOWN_WORDS: readonly string[] = [...new Set([...OUR_TOOLS, ...AS_WRITTEN.keys()])]

/** Returns the tools for a tool name without `(specifier)`; undefined if the name is unknown. */
export const toolsNamed = (name: string): readonly string[] | undefined =>
  AS_WRITTEN.get(name) ?? IN_LOWER_CASE.get(name.toLowerCase())

/** Returns a message about an unknown tool name, with a suggestion. */
export function unknownTool(name: string): string {
  const suggestion = close(name, KNOWN_WORDS)
  return (
    'unknown tool ' +
    `\`${name}\`${suggestion === undefined ? '' : `; did you mean \`${suggestion}\`?`}`
  )
}
