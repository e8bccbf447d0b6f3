/**
 * Reads a SKILL.md file (agentskills.io). The folder name is the skill's ID, regardless of the
 * front matter. A missing name is a warning; a missing description is an error, because the catalog
 * shows it.
 */

import { sha256 } from '../../../lib/digest.ts'
import { hasUnseen, isSkillKebab, kebabOf } from '../../../lib/name.ts'
import { LIMITS } from '../../limits.ts'
import { extraOf, tooLarge } from '../agent/agent.ts'
import { Fields } from '../agent/fields.ts'
import { confirmations, confirmIn } from '../agent/permission.ts'
import { respelled } from '../agent/spelling.ts'
import { skillTools } from '../agent/tool-values.ts'
import { error, hasError, warning } from '../diagnostic.ts'
import { textOfFile } from '../encoding.ts'
import { hiddenCharacters, hiddenCommands } from '../layer/encoded-command.ts'
import type { Diagnostic, SkillEntry } from '../types.ts'
import { firstLineOf, frontMatter } from '../yaml/frontmatter.ts'
import type { HeadEntry, Plain } from '../yaml/head.ts'
import { declaredArguments } from './arguments.ts'
import { oddRequirements } from './gating.ts'
import { placeholderFindings } from './placeholders.ts'
import { COMPATIBILITY_LENGTH, SKILL_KEYS } from './skill-keys.ts'

/**
 * Skill as defined by its SKILL.md alone; the layer adds the switch, resource files, and origin.
 */
export type SkillDraft = Omit<
  SkillEntry,
  'id' | 'enabled' | 'available' | 'reason' | 'files' | 'origin'
>

export interface ParsedSkill {
  readonly type: 'skill'
  readonly skill: SkillDraft | null
  readonly found: readonly Diagnostic[]
}

/** Front matter keys that are kept unchanged and parsed when the skill is opened. */
const HONORED: ReadonlySet<string> = new Set(['arguments', 'confirm-before'])
const KNOWN_KEYS: ReadonlySet<string> = new Set(
  SKILL_KEYS.map(({ name }) => name).filter((name) => !HONORED.has(name)),
)
/** Front matter keys that restrict a skill, which apply in any spelling. */
const SPELLED = ['confirm-before', 'allowed-tools', 'disable-model-invocation', 'user-invocable']

/** Parses a SKILL.md file; `directory` is the name of the folder that contains the file. */
export function parseSkill(bytes: Uint8Array, directory: string): ParsedSkill {
  if (bytes.byteLength > LIMITS.file_body_bytes) return rejected([tooLarge()])
  const read = textOfFile(bytes)
  if (!read.ok) return rejected([read.error])
  const text = read.value
  const matter = frontMatter(text)
  if (matter.kind === 'absent') {
    const message = 'a skill must start with front matter'
    return rejected([error('frontmatter_missing', message, { line: 1, hint: '---' })])
  }
  if (matter.kind === 'broken') return rejected(matter.found)
  const spelled = respelled(matter.head, SPELLED)
  const fields = new Fields(spelled.head)
  fields.found.push(
    ...matter.found,
    ...spelled.found,
    ...hiddenCharacters(text),
    ...hiddenCommands(text),
  )
  const bodyLine = firstLineOf(text, matter.body)
  const skill = readSkill(fields, { body: matter.body, bodyLine }, directory, sha256(bytes))
  return { type: 'skill', skill: hasError(fields.found) ? null : skill, found: fields.found }
}

const rejected = (findings: readonly Diagnostic[]): ParsedSkill => ({
  type: 'skill',
  skill: null,
  found: findings,
})

function readSkill(
  fields: Fields,
  { body, bodyLine }: { readonly body: string; readonly bodyLine: number },
  directory: string,
  fileDigest: string,
): SkillDraft {
  const name = nameOf(fields, directory)
  const allowed = skillTools(fields.get('allowed-tools'))
  fields.found.push(...allowed.found)
  for (const { value, line } of confirmPlaces(fields)) {
    fields.found.push(...confirmations(value, line).found)
  }
  fields.found.push(...placeholderFindings(body, bodyLine, 'skill'))
  if (declaredArguments(fields.get('arguments')?.value).isOdd) {
    const message = '`arguments` must be a list of distinct names; invalid names are ignored'
    fields.warn('arguments_form', 'arguments', message, 'arguments: [issue, branch]')
  }
  if (body.trim() === '') fields.found.push(warning('body_empty', 'the skill has no instructions'))
  return {
    display_name: name,
    description: fields.description() ?? '',
    license: fields.text('license') ?? null,
    compatibility: compatibilityOf(fields),
    metadata: metadataOf(fields),
    allowed_tools: allowed.tools,
    extra: extraOf(fields, KNOWN_KEYS, HONORED),
    ...invocationOf(fields),
    body,
    file_digest: fileDigest,
  }
}

/**
 * Reads whether people and the model may open the skill. A skill that neither may open is probably
 * a mistake.
 */
function invocationOf(fields: Fields) {
  const disable_model_invocation = fields.boolean('disable-model-invocation')
  const user_invocable = fields.boolean('user-invocable', true)
  if (disable_model_invocation && !user_invocable) {
    const message = 'neither the model nor a user can open this skill'
    fields.warn('never_invoked', 'user-invocable', message, 'user-invocable: true')
  }
  return { disable_model_invocation, user_invocable }
}

function nameOf(fields: Fields, directory: string): string {
  if (hasUnseen(directory)) {
    fields.error('hidden_characters', 'name', 'the folder name contains invisible characters')
  }
  const name = fields.name()
  if (name === undefined) {
    if (!hasError(fields.found)) {
      const message = `\`name\` is missing; the folder name, ${directory}, is used`
      fields.warn('name_missing', 'name', message, `name: ${directory}`)
    }
    return directory
  }
  if (!isSkillKebab(name)) {
    const message = `\`name\` is not in kebab-case; the ID is the folder name, ${directory}`
    fields.warn('name_not_kebab', 'name', message, renaming(directory))
  } else if (name.normalize('NFKC') !== directory.normalize('NFKC')) {
    const message = `the name must match the folder name; the ID is ${directory}`
    fields.warn('name_not_directory', 'name', message, `name: ${directory}`)
  }
  return name
}

/** Suggests a kebab-case name for the skill's folder, because the folder name is the skill's ID. */
function renaming(directory: string): string | null {
  if (isSkillKebab(directory)) return `name: ${directory}`
  const better = kebabOf(directory)
  return better === undefined ? null : `rename the folder to ${better}`
}

function compatibilityOf(fields: Fields): string | null {
  const text = fields.shownText('compatibility')
  if (text !== null && [...text].length > COMPATIBILITY_LENGTH) {
    const message = `\`compatibility\` is longer than ${COMPATIBILITY_LENGTH} characters`
    fields.warn('compatibility_long', 'compatibility', message)
  }
  return text
}

function metadataOf(fields: Fields): Readonly<Record<string, unknown>> {
  const value = fields.get('metadata')?.value
  if (value === undefined || value === null) return {}
  if (typeof value === 'object' && !Array.isArray(value)) {
    for (const { key, nested } of oddRequirements(value)) {
      const message = nested
        ? `\`metadata\`: \`${key}\` has a nested list, which is flattened`
        : `\`metadata\`: \`${key}\` must be a list of names; invalid names are ignored`
      fields.warn(nested ? 'nested_list' : 'metadata_form', 'metadata', message)
    }
    return value
  }
  fields.warn('metadata_form', 'metadata', '`metadata` is not a map and was ignored')
  return {}
}

/**
 * Returns every `confirm-before` entry of a skill: at the top level, in the metadata, and in its
 * product-specific sections.
 */
function confirmPlaces(fields: Fields): Pick<HeadEntry, 'value' | 'line'>[] {
  const top = fields.get('confirm-before')
  const metadata = fields.get('metadata')
  const within = metadata === undefined ? [] : placesIn(metadata.value)
  const inside = within.map((value) => ({ value, line: metadata!.line }))
  return top === undefined ? inside : [top, ...inside]
}

const placesIn = (metadata: Plain): Plain[] =>
  !isMap(metadata)
    ? []
    : [metadata, ...Object.values(metadata)].flatMap((place) =>
        isMap(place) ? confirmIn(place) : [],
      )

const isMap = (value: Plain): value is { [key: string]: Plain } =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
