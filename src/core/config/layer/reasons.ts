/**
 * Why a named thing cannot be used although it exists: it is switched off, denied, not available
 * here, or its file does not load. A caller gets that reason, and "not found" only when nothing of
 * that name exists.
 */

import { nameKey } from '../../../lib/name.ts'
import { nearest } from '../../../lib/near.ts'
import type { FileRecord, Resolved, SkillEntry } from '../types.ts'

type Records = Pick<Resolved, 'records'>

/** Why there is no agent of this id; undefined: no file is about one. */
export function whyNoAgent({ records }: Records, id: string): string | undefined {
  const key = nameKey(id.trim())
  const own = records.filter((record) => record.kind === 'agent' && !isLoaded(record))
  return fileFault(
    own.find((record) => nameKey(record.id ?? stemOf(record.path)) === key) ??
      own.find((record) => nameKey(stemOf(record.path)) === key) ??
      records.find(({ kind, path, diagnostics }) => {
        if (kind !== 'other' || !/(?:^|\/)agents\//i.test(path)) return false
        return /\.md$/i.test(path) && hasHint(diagnostics) && nameKey(stemOf(path)) === key
      }),
  )
}

/** Why the skill cannot be used; undefined: it can, or nothing is about one. */
function whyNoSkill(resolved: Pick<Resolved, 'skills' | 'records'>, id: string) {
  const key = nameKey(id.trim())
  const entry = resolved.skills.find((skill) => nameKey(skill.id) === key)
  if (entry !== undefined) return entry.enabled && entry.available ? undefined : entry.reason!
  const about = resolved.records.filter((record) => record.kind === 'skill' && !isLoaded(record))
  const record = about.find((one) => one.id !== null && nameKey(one.id) === key)
  return fileFault(record) ?? fileFault(resolved.records.find((one) => isMisplacedSkill(one, key)))
}

/** Skills that cannot be used, with the reason, the first `most` by name. */
export function unusableSkills(
  resolved: Pick<Resolved, 'skills' | 'records'>,
  most: number,
): Record<string, string> {
  const names = new Set([
    ...resolved.skills.filter((skill) => !(skill.enabled && skill.available)).map(({ id }) => id),
    ...resolved.records.flatMap(({ kind, id }) => (kind === 'skill' && id !== null ? [id] : [])),
  ])
  const known = [...names].sort().flatMap((id) => {
    const why = whyNoSkill(resolved, id)
    return why === undefined ? [] : [[id, why] as const]
  })
  return Object.fromEntries(known.slice(0, most))
}

/** Whether a skill can be opened by the model's tool, or by a person's `/name`. */
export const forModel = (skill: Pick<SkillEntry, 'disable_model_invocation'>): boolean =>
  skill.disable_model_invocation !== true
export const forPeople = (skill: Pick<SkillEntry, 'user_invocable'>): boolean =>
  skill.user_invocable !== false

export const ONLY_PEOPLE = 'only a person can open it, with /name (disable-model-invocation)'
const ONLY_MODELS = 'only the model can open it (user-invocable: false)'

/** Why a person's `/name` does not open the skill; undefined: it does, or it is no skill. */
export function whyNoCommand(
  resolved: Pick<Resolved, 'skills' | 'records'>,
  id: string,
): string | undefined {
  const why = whyNoSkill(resolved, id)
  if (why !== undefined) return why
  const skill = resolved.skills.find((one) => one.id === id)
  return skill === undefined || forPeople(skill) ? undefined : ONLY_MODELS
}

const isLoaded = ({ status }: FileRecord): boolean => status.startsWith('loaded')
const hasHint = (found: FileRecord['diagnostics']): boolean =>
  found.some(({ hint }) => hint !== null)

const stemOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1).replace(/\.md$/i, '')

/** A SKILL.md that lies where none is read, in a directory of this name. */
function isMisplacedSkill({ kind, path, diagnostics }: FileRecord, key: string): boolean {
  const [, directory] = /([^/]+)\/skill\.md$/i.exec(path) ?? []
  if (kind !== 'other' || directory === undefined || !hasHint(diagnostics)) return false
  return nameKey(directory) === key
}

function fileFault(record: FileRecord | undefined): string | undefined {
  if (record === undefined) return undefined
  const { layer, path, diagnostics } = record
  const found =
    diagnostics.find(({ severity }) => severity === 'error') ??
    diagnostics.find(({ severity }) => severity === 'note' || severity === 'warning')
  if (found === undefined) return `${layer}${path} does not load`
  const at = found.line === null ? '' : `line ${found.line}: `
  const hint = found.hint === null ? '' : ` (${found.hint})`
  return `${layer}${path} does not load: ${at}${found.message}${hint}`
}

/** Config files of which nothing could be read: a server that is missed may stand in one. */
export function brokenConfig({ records }: Records): string | undefined {
  return fileFault(records.find(({ kind, status }) => kind === 'config' && status === 'rejected'))
}

/** The name that was probably meant, as a sentence; empty when none is near. */
export function meant(word: string, names: readonly string[]): string {
  const near = nearest(word, names)
  return near === undefined ? '' : ` The nearest name is ${near}.`
}
