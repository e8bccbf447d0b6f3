/**
 * The text in parentheses behind a tool, in Claude Code's words: `Bash(git:*)`,
 * `WebFetch(domain:example.com)`, `Edit(src/**)`.
 */

import { matchedBy } from '../../tools/argument-rules.ts'
import type { AgentArgumentRules, Grant } from '../types.ts'

/** As a pattern of rules by arguments; undefined when calls of these tools cannot be matched by it. */
export function patternOf(tools: readonly Grant[], specifier: string): string | undefined {
  const kinds = new Set(tools.map(matchedBy))
  const [kind] = kinds
  if (kinds.size !== 1 || kind === undefined || specifier === '') return undefined
  if (kind === 'command') return specifier
  if (kind === 'host') return /^domain:\s*(\S+)$/.exec(specifier)?.[1]
  // Of the machine, or of a home folder: runs have neither.
  return /^[/~]/.test(specifier) ? undefined : specifier.replace(/^(?:\.\/)+/, '')
}

/** `only`: nothing but the patterns is allowed, to this agent alone. */
export const scoped = (
  patterns: ReadonlyMap<Grant, readonly string[]>,
  line: number,
  { only }: { readonly only: boolean },
): AgentArgumentRules[] =>
  [...patterns].map(([tool, specifiers]) =>
    only
      ? { tool, line, rules: { allow: specifiers, deny: ['*'] }, own: true }
      : { tool, line, rules: { deny: specifiers } },
  )
