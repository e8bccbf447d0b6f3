/** Activates a skill by a command: `/name args` at the start of a run's input. */

import { declaredArguments } from '../../config/skill/arguments.ts'
import { type Filling, fillingNote, fillSkill } from '../../config/skill/placeholders.ts'
import type { SkillEntry } from '../../config/types.ts'

export interface Activation {
  readonly skill: string
  readonly args: string
}

const COMMAND = /^\s*\/([^\s/]+)(?:\s+([\s\S]*))?$/
/** Heading above the list of a skill's files. */
export const SKILL_FILES =
  "Files of this skill (read with tool skill and `path`; read-only in the shell's first " +
  'folder)'

const TASK = '\n\nTask:\n'

/**
 * Returns the skill that a command names, and its trimmed arguments; undefined if the text names
 * none of these skills.
 */
export function activationOf(
  input: string,
  skills: readonly { readonly id: string }[],
): Activation | undefined {
  const command = commandOf(input)
  if (command === undefined || !skills.some(({ id }) => id === command.skill)) return undefined
  return command
}

/** Returns the command at the start of an input, whether or not the skill exists. */
export function commandOf(input: string): Activation | undefined {
  // If there is a context, the input follows the task heading, which no context line can forge.
  const at = input.startsWith('Context:\n') ? input.indexOf(TASK) : -1
  const [, skill, args = ''] = COMMAND.exec(at < 0 ? input : input.slice(at + TASK.length)) ?? []
  if (skill === undefined) return undefined
  return { skill, args: args.trim() }
}

/**
 * Returns the text that opens a skill for the model: the instructions, the skill's files, and
 * arguments without a placeholder.
 */
export function activationText(
  skill: SkillEntry,
  filling: Filling,
): { readonly text: string; readonly left: readonly string[] } {
  const { args } = filling
  const { names } = declaredArguments(skill.extra.arguments)
  const filledSkill = fillSkill(skill.body.trim(), { ...filling, names })
  const note = fillingNote(filledSkill, args)
  const folder = filling.folder === undefined ? '' : `${filling.folder}/`
  const files = skill.files.map(({ path }) => `- ${folder}${path}`)
  const text = [
    `The user activated the skill "${skill.id}". Follow its instructions:\n\n${filledSkill.text}`,
    ...(files.length > 0 ? [`${SKILL_FILES}:\n${files.join('\n')}`] : []),
    ...(args === '' || filledSkill.takesArguments ? [] : [`Arguments:\n${args}`]),
    ...(note === undefined ? [] : [note]),
  ].join('\n\n')
  return { text, left: filledSkill.left }
}
