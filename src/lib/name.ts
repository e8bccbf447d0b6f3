/** The rules for names: of MCP servers, agents, skills and roles. Each says why it refuses. */

import { segmentFault } from './key.ts'
import { fail, type Outcome, ok } from './outcome.ts'

export const NAME_LENGTH = 64

const SERVER = /^[A-Za-z0-9](?:[A-Za-z0-9-]|_(?!_|$)){0,63}$/
const KEBAB = /^[a-z0-9]+(?:-[a-z0-9]+)*$/
/** agentskills.io allows letters of every script, as long as they are not upper case. */
const KEBAB_UNICODE = /^[\p{Ll}\p{Lo}\p{Lm}\p{M}\p{N}]+(?:-[\p{Ll}\p{Lo}\p{Lm}\p{M}\p{N}]+)*$/u
const ROLE = /^[a-z0-9_-]+$/

/** Controls, and whatever the eye passes over: zero-width, soft hyphens, bidi, fillers, tags. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Co}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u

/** Whether a name has an invisible character; no ID can have one. */
export const hasUnseen = (text: string): boolean => UNSEEN.test(text)

/** Names equal to the eye have one key: the same letters in any case and any form. */
export const nameKey = (text: string): string =>
  PLAIN.test(text)
    ? text.toLowerCase()
    : text.replace(UNSEEN_ALL, '').normalize('NFKC').toLowerCase().normalize('NFKC')

/** Most names: nothing in them has another form. */
const PLAIN = /^[ -~]*$/

const UNSEEN_ALL = new RegExp(UNSEEN, 'gu')

/** No double underscore: tools are called `mcp__<server>__<tool>`. */
export function serverName(text: string): Outcome<string, string> {
  if (SERVER.test(text)) return ok(text)
  return fail(
    'a server name has 1–64 of a-z A-Z 0-9 _ -, begins with a letter or digit, has no "__" ' +
      'and does not end with "_"',
  )
}

/** Lower-case words joined by single hyphens, at most 64 characters. */
export const isKebab = (text: string): boolean => text.length <= NAME_LENGTH && KEBAB.test(text)

/** The same for skills, in any script; compared in form NFKC. */
export const isSkillKebab = (text: string): boolean =>
  isKebab(text) || ([...text].length <= NAME_LENGTH && KEBAB_UNICODE.test(text.normalize('NFKC')))

/**
 * The same words in kebab-case, as a proposal. None where more than capitals and separators would
 * be lost: `C++` and `C#` are not one name.
 */
export function kebabOf(text: string): string | undefined {
  const words = text
    .trim()
    .toLowerCase()
    .replace(/[\s_.:/-]+/g, '-')
  const name = words.replace(/^-|-$/g, '')
  return isKebab(name) ? name : undefined
}

/** A name that a typed write may give to a new agent. */
export function agentName(text: string): Outcome<string, string> {
  if (isKebab(text)) return ok(text)
  return fail('an agent name has 1–64 lower-case letters, digits and single hyphens between them')
}

/** A name that a typed write may give to a new skill; it becomes the directory. */
export function skillName(text: string): Outcome<string, string> {
  const fault = segmentFault(text)
  if (fault !== undefined) return fail(fault)
  if (isSkillKebab(text)) return ok(text)
  return fail('a skill name has 1–64 lower-case letters, digits and single hyphens between them')
}

/** The role in its one spelling (trimmed, lower case), or undefined when it is not a role. */
export function roleName(text: string): string | undefined {
  const role = text.trim().toLowerCase()
  return role.length <= NAME_LENGTH && ROLE.test(role) ? role : undefined
}
