/** Defines the naming rules for MCP servers, agents, skills, and roles, each with its reason. */

import { segmentFault } from './key.ts'
import { fail, type Outcome, ok } from './outcome.ts'

export const NAME_LENGTH = 64

const SERVER = /^[A-Za-z0-9](?:[A-Za-z0-9-]|_(?!_|$)){0,63}$/
const KEBAB = /^[a-z0-9]+(?:-[a-z0-9]+)*$/
/**
 * Matches names as defined by agentskills.io, which allows letters of every script except upper
 * case.
 */
const KEBAB_UNICODE = /^[\p{Ll}\p{Lo}\p{Lm}\p{M}\p{N}]+(?:-[\p{Ll}\p{Lo}\p{Lm}\p{M}\p{N}]+)*$/u
const ROLE = /^[a-z0-9_-]+$/

/** Matches control and invisible characters: zero-width, soft hyphens, bidi, fillers, and tags. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Co}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u

/** Reports whether a text has an invisible character, which no ID contains. */
export const hasUnseen = (text: string): boolean => UNSEEN.test(text)

/** Returns the same key for visually equal names, ignoring case and normalization form. */
export const nameKey = (text: string): string =>
  PLAIN.test(text)
    ? text.toLowerCase()
    : text.replace(UNSEEN_ALL, '').normalize('NFKC').toLowerCase().normalize('NFKC')

/** Matches most names: printable ASCII, which has no other normalization form. */
const PLAIN = /^[ -~]*$/

const UNSEEN_ALL = new RegExp(UNSEEN, 'gu')

/**
 * Validates an MCP server name; a double underscore is rejected, because tools are named
 * `mcp__<server>__<tool>`.
 */
export function serverName(text: string): Outcome<string, string> {
  if (SERVER.test(text)) return ok(text)
  return fail(
    'a server name must have 1–64 characters from a-z A-Z 0-9 _ -, start with a letter or ' +
      'digit, not contain "__", and not end with "_"',
  )
}

/**
 * Reports whether a text consists of lower-case words joined by single hyphens and has at most 64
 * characters.
 */
export const isKebab = (text: string): boolean => text.length <= NAME_LENGTH && KEBAB.test(text)

/**
 * Reports whether a skill name is valid kebab case in any script; names are compared in form NFKC.
 */
export const isSkillKebab = (text: string): boolean =>
  isKebab(text) || ([...text].length <= NAME_LENGTH && KEBAB_UNICODE.test(text.normalize('NFKC')))

/**
 * Returns a similar kebab-case name. Returns undefined if more than capitals and separators would
 * be lost, because `C++` and `C#` must differ.
 */
export function kebabOf(text: string): string | undefined {
  const words = text
    .trim()
    .toLowerCase()
    .replace(/[\s_.:/-]+/g, '-')
  const name = words.replace(/^-|-$/g, '')
  return isKebab(name) ? name : undefined
}

/** Validates the name of a new agent. */
export function agentName(text: string): Outcome<string, string> {
  if (isKebab(text)) return ok(text)
  return fail(
    'an agent name must have 1–64 lowercase letters or digits, with single hyphens ' +
      'between them',
  )
}

/** Validates the name of a new skill, which becomes the name of its folder. */
export function skillName(text: string): Outcome<string, string> {
  const fault = segmentFault(text)
  if (fault !== undefined) return fail(fault)
  if (isSkillKebab(text)) return ok(text)
  return fail(
    'a skill name must have 1–64 lowercase letters or digits, with single hyphens between ' +
      'them',
  )
}

/**
 * Normalizes the name of a role (trimmed, lower case); returns undefined if the name is invalid.
 */
export function roleName(text: string): string | undefined {
  const role = text.trim().toLowerCase()
  return role.length <= NAME_LENGTH && ROLE.test(role) ? role : undefined
}
