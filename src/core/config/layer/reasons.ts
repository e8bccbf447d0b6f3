/**
 * Explains why an existing agent or skill cannot be used: disabled, denied, unavailable, or
 * invalid. "Not found" is used only for names that no file defines.
 */

import { nameKey } from '../../../lib/name.ts'
import { nearest } from '../../../lib/nearest-name.ts'
import type { FileRecord, Resolved, SkillEntry } from '../types.ts'

type Records = Pick<Resolved, 'records'>

/** Explains why an agent is missing; returns undefined if no file defines the agent. */
export function whyNoAgent({ records }: Records, id: string): string | undefined {
  const key = nameKey(id.trim())
  const agentRecords = records.filter((record) => record.kind === 'agent' && !isLoaded(record))
  return fileFault(
    agentRecords.find((record) => nameKey(record.id ?? stemOf(record.path)) === key) ??
      agentRecords.find((record) => nameKey(stemOf(record.path)) === key) ??
      records.find(({ kind, path, diagnostics }) => {
        if (kind !== 'other' || !/(?:^|\/)agents\//i.test(path)) return false
        return /\.md$/i.test(path) && hasHint(diagnostics) && nameKey(stemOf(path)) === key
      }),
  )
}

/**
 * Explains why a skill cannot be used; returns undefined if the skill is usable or no file defines
 * it.
 */
function whyNoSkill(resolved: Pick<Resolved, 'skills' | 'records'>, id: string) {
  const key = nameKey(id.trim())
  const entry = resolved.skills.find((skill) => nameKey(skill.id) === key)
  if (entry !== undefined) return entry.enabled && entry.available ? undefined : entry.reason!
  const about = resolved.records.filter((record) => record.kind === 'skill' && !isLoaded(record))
  const record = about.find((candidate) => candidate.id !== null && nameKey(candidate.id) === key)
  return (
    fileFault(record) ??
    fileFault(resolved.records.find((candidate) => isMisplacedSkill(candidate, key)))
  )
}

/** Returns up to `most` unusable skills with the reasons, sorted by name. */
export function unusableSkills(
  resolved: Pick<Resolved, 'skills' | 'records'>,
  most: number,
): Record<string, string> {
  const names = new Set([
    ...resolved.skills.filter((skill) => !(skill.enabled && skill.available)).map(({ id }) => id),
    ...resolved.records.flatMap(({ kind, id }) => (kind === 'skill' && id !== null ? [id] : [])),
  ])
  const unusable = [...names].sort().flatMap((id) => {
    const reason = whyNoSkill(resolved, id)
    return reason === undefined ? [] : [[id, reason] as const]
  })
  return Object.fromEntries(unusable.slice(0, most))
}

/** Whether the model's tool or a user's `/name` can open the skill. */
export const forModel = (skill: Pick<SkillEntry, 'disable_model_invocation'>): boolean =>
  skill.disable_model_invocation !== true
export const forPeople = (skill: Pick<SkillEntry, 'user_invocable'>): boolean =>
  skill.user_invocable !== false

export const ONLY_PEOPLE = 'only a user can open it, with /name (disable-model-invocation)'
const ONLY_MODELS = 'only the model can open it (user-invocable: false)'

/**
 * Explains why `/name` does not open a skill; returns undefined if it does, or if no such skill
 * exists.
 */
export function whyNoCommand(
  resolved: Pick<Resolved, 'skills' | 'records'>,
  id: string,
): string | undefined {
  const reason = whyNoSkill(resolved, id)
  if (reason !== undefined) return reason
  const skill = resolved.skills.find((entry) => entry.id === id)
  return skill === undefined || forPeople(skill) ? undefined : ONLY_MODELS
}

const isLoaded = ({ status }: FileRecord): boolean => status.startsWith('loaded')
const hasHint = (diagnostics: FileRecord['diagnostics']): boolean =>
  diagnostics.some(({ hint }) => hint !== null)

const stemOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1).replace(/\.md$/i, '')

/**
 * Whether the record is about a SKILL.md in an unread location, in a folder with the skill's name.
 */
function isMisplacedSkill({ kind, path, diagnostics }: FileRecord, key: string): boolean {
  const [, directory] = /([^/]+)\/skill\.md$/i.exec(path) ?? []
  if (kind !== 'other' || directory === undefined || !hasHint(diagnostics)) return false
  return nameKey(directory) === key
}

function fileFault(record: FileRecord | undefined): string | undefined {
  if (record === undefined) return undefined
  const { layer, path, diagnostics } = record
  const diagnostic =
    diagnostics.find(({ severity }) => severity === 'error') ??
    diagnostics.find(({ severity }) => severity === 'note' || severity === 'warning')
  if (diagnostic === undefined) return `${layer}${path} cannot be loaded`
  const at = diagnostic.line === null ? '' : `line ${diagnostic.line}: `
  const hint = diagnostic.hint === null ? '' : ` (${diagnostic.hint})`
  return `${layer}${path} cannot be loaded: ${at}${diagnostic.message}${hint}`
}

/**
 * Returns a sentence that names the unreadable configuration files, which may define a missing
 * server.
 */
export function brokenConfig({ records }: Records): string | undefined {
  return fileFault(records.find(({ kind, status }) => kind === 'config' && status === 'rejected'))
}

/** Returns a sentence that suggests a similar name; empty if no name is similar. */
export function suggestName(word: string, names: readonly string[]): string {
  const near = nearest(word, names)
  return near === undefined ? '' : ` The nearest name is ${near}.`
}
