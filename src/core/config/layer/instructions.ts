/**
 * Detects instruction files for other programs' agents: AGENTS.md (https://agents.md), CLAUDE.md,
 * and editor rules. Runs do not follow them, because a repository is data, not an operator. Each
 * file is reported as a finding, because its author expects the file to apply.
 */

import { warning } from '../diagnostic.ts'
import { joinNames } from '../skill/placeholders.ts'
import type { Diagnostic, FileRecord } from '../types.ts'

const INSTRUCTIONS = new RegExp(
  [
    String.raw`(?:^|/)(?:AGENTS?(?:\.\w+)?|CLAUDE(?:\.local)?|GEMINI|QWEN|WARP|CRUSH)\.md$`,
    String.raw`(?:^|/)\.(?:(?:cursor|windsurf|cline|roo|kilocode)?rules|goosehints|augment-guidelines)$`,
    String.raw`(?:^|/)\.[a-z]+/rules/.+\.mdc?$`,
    String.raw`(?:^|/)\.(?:clinerules|kiro/steering|github/instructions)/.+\.md$`,
    String.raw`(?:^|/)\.(?:github/copilot-instructions|junie/guidelines)\.md$`,
  ].join('|'),
)
export const isInstructions = (path: string): boolean => INSTRUCTIONS.test(path)
/** Prefixes of instruction file names at the root of a layer, outside of dot folders. */
export const ROOT_INSTRUCTIONS = ['AGENT', 'CLAUDE', 'GEMINI'] as const

export const INSTRUCTIONS_UNREAD = 'instructions_unread'
export const INSTRUCTIONS_HINT =
  'move its text to an agent or a skill, or list the file in .strataignore'

export const instructionsUnread = (): Diagnostic =>
  warning(INSTRUCTIONS_UNREAD, 'runs do not read instructions from this file', {
    hint: INSTRUCTIONS_HINT,
  })

/** Returns a single finding for all instruction files in the layers of a run. */
export function unreadInstructions(records: readonly FileRecord[]): Diagnostic[] {
  const paths = records
    .filter(({ diagnostics }) => diagnostics.some(({ code }) => code === INSTRUCTIONS_UNREAD))
    .map(({ layer, path }) => `${layer}${path}`)
  if (paths.length === 0) return []
  const message = `runs do not read instructions from these files: ${joinNames(paths)}`
  return [warning(INSTRUCTIONS_UNREAD, message, { hint: INSTRUCTIONS_HINT })]
}
