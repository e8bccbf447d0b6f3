/** `skill`: opens a skill. The tool's description lists the skills that the model may open. */

import { byteLength } from '../../../lib/bytes.ts'
import { forModel } from '../../config/layer/reasons.ts'
import { LIMITS } from '../../limits.ts'
import { DESCRIPTION_BYTES, inLine, NAME_BYTES } from '../../prompt.ts'
import { type BuiltinTool, type OfferedTo, object, text } from './tool.ts'

export const skill = {
  name: 'skill',
  mode: 'repeatable',
  foreign: 'Skill SlashCommand',
  parameters: { skill: 'name', args: 'arguments' },
  description: 'Opens a skill from the list in its description.',
  offered: { text: catalog, otherwise: 'this run has no skills' },
  input_schema: object(
    {
      name: text('The skill to open'),
      path: text('A file of the skill to read instead of its instructions'),
      arguments: text("Arguments for the placeholders in the skill's text"),
    },
    ['name'],
  ),
} as const satisfies BuiltinTool

/**
 * Returns the skill catalog for the model. The tool also reads files of a skill that a person has
 * opened.
 */
function catalog({ skills }: OfferedTo): string | undefined {
  const isOffered = skills.some((entry) => forModel(entry) || entry.files.length > 0)
  return isOffered ? skillDescription(skills.filter(forModel)) : undefined
}

/** Maximum number of characters of a skill description in the catalog. */
const SKILL_LINE = 300

/** Returns the description of the `skill` tool, with the catalog within its size limit. */
export function skillDescription(
  skills: readonly { readonly id: string; readonly description: string }[],
): string {
  const head =
    'Opens a skill: instructions to follow when a task fits. With `path`, reads a file of ' +
    'the skill. Skills:'
  const lines: string[] = []
  let bytes = byteLength(head)
  for (const { id, description } of skills) {
    const summary = [...inLine(description, DESCRIPTION_BYTES)].slice(0, SKILL_LINE).join('')
    const line = `- ${inLine(id, NAME_BYTES)}: ${summary}`
    bytes += byteLength(line) + 1
    if (bytes > LIMITS.skill_catalog_bytes) break
    lines.push(line)
  }
  const hidden = skills.length - lines.length
  const tail = hidden > 0 ? [`- and ${hidden} more not listed here`] : []
  return [head, ...lines, ...tail].join('\n')
}
