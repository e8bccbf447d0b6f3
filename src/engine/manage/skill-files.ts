/** Skills of a layer, each with its effective SKILL.md, its switch, and all its folders. */

import type { SkillCandidate } from '../../core/config/layer/compile.ts'
import type { Diagnostic, SkillFile } from '../../core/config/types.ts'
import { loadLayer } from '../layers/load.ts'
import type { Listings } from '../layers/stored-listings.ts'
import type { LayerRef, OperationContext } from './place.ts'

export interface ShownSkill {
  readonly name: string
  readonly enabled: boolean
  /** Key of the skill's SKILL.md; without SKILL.md, the key of the switch. */
  readonly path: string
  readonly has_skill_md: boolean
  readonly description: string | null
  /** ETag of the skill's SKILL.md; null if the file does not exist. */
  readonly etag: string | null
  readonly files: readonly SkillFile[]
  readonly diagnostics: readonly Diagnostic[]
}

/** Skill of one layer, folded without other layers. */
export interface FoundSkill {
  readonly shown: ShownSkill
  /** ETag of the effective SKILL.md alone, without the switch. */
  readonly fileEtag: string | null
  /** Folder of the effective SKILL.md, below the tenant's prefix, with a trailing slash. */
  readonly folder: string
  /** Folders of all locations that contain this skill, by ascending precedence. */
  readonly folders: readonly string[]
}

/** Returns all skills of a layer, ordered by name. */
export async function skillsOf(
  manager: OperationContext,
  place: LayerRef,
  listings?: Listings,
): Promise<Map<string, FoundSkill>> {
  const { world, tenant } = manager
  const layer = await loadLayer(world, { tenant, ...place, listings })
  const groups = new Map<string, SkillCandidate[]>()
  for (const candidate of layer?.compiled.skills ?? []) {
    groups.set(candidate.id, [...(groups.get(candidate.id) ?? []), candidate])
  }
  const records = layer?.compiled.records ?? []
  // Misnamed variants of SKILL.md (`Skill.md`) are rejected, and readers of the skill see these
  // diagnostics.
  const diagnosticsOf = (diagnosed: string) =>
    records
      .filter(({ path }) => (place.prefix + path).toLowerCase() === diagnosed.toLowerCase())
      .flatMap(({ diagnostics }) => diagnostics)
  const names = [...groups.keys()].sort()
  return new Map(names.map((name) => [name, foundSkill(groups.get(name)!, diagnosticsOf)]))
}

const hasMain = (candidate: SkillCandidate): boolean => candidate.skill !== null || candidate.broken

function foundSkill(
  group: readonly SkillCandidate[],
  diagnosticsOf: (key: string) => readonly Diagnostic[],
): FoundSkill {
  const winner = group.findLast(({ skill }) => skill !== null) ?? group.findLast(hasMain)
  const candidate = winner ?? group.at(-1)!
  // A switch in a location of the same or higher precedence than the effective file applies; a
  // switch of lower precedence does not.
  const later = group.slice(winner === undefined ? 0 : group.indexOf(winner))
  const enabled = later.every(({ disabledBy }) => disabledBy === null)
  const { key, etag } = candidate.origin
  return {
    shown: {
      name: candidate.id,
      enabled,
      path: key,
      has_skill_md: winner !== undefined,
      description: candidate.skill?.description ?? null,
      etag: winner === undefined ? null : skillEtag(etag, enabled),
      files: candidate.files,
      diagnostics: diagnosticsOf(key),
    },
    fileEtag: winner === undefined ? null : etag,
    folder: folderOf(key),
    folders: group.map(({ origin }) => folderOf(origin.key)),
  }
}

/** Combines a skill's text and switch into one ETag, because either can change. */
export const skillEtag = (etag: string, enabled: boolean): string =>
  enabled ? etag : `${etag}.off`

export const folderOf = (key: string): string => key.slice(0, key.lastIndexOf('/') + 1)
