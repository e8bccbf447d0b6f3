/**
 * Parses tool specifiers in Claude Code's syntax: `Bash(git:*)`, `WebFetch(domain:example.com)`,
 * `Edit(src/**)`.
 */

import { matchedBy } from '../../tools/argument-rules.ts'
import type { AgentArgumentRules, Grant } from '../types.ts'

/**
 * Converts a tool specifier to an argument pattern; undefined if the specifier cannot match calls
 * of these tools.
 */
export function patternOf(tools: readonly Grant[], specifier: string): string | undefined {
  const kinds = new Set(tools.map(matchedBy))
  const [kind] = kinds
  if (kinds.size !== 1 || kind === undefined || specifier === '') return undefined
  if (kind === 'command') return specifier
  if (kind === 'host') return /^domain:\s*(\S+)$/.exec(specifier)?.[1]
  // Absolute paths and paths below `~` do not exist in runs.
  return /^[/~]/.test(specifier) ? undefined : specifier.replace(/^(?:\.\/)+/, '')
}

/** Restricts tools to argument patterns; `only` means that the rule applies just to this agent. */
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
