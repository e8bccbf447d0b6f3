/**
 * Operations on skills. New skills are written to `.agents/skills/`. A skill in a location of
 * higher precedence is edited there, because a copy in `.agents/` would have no effect.
 */

import { SKILL_PLACES } from '../../core/config/layer/layout.ts'
import { parseSkill } from '../../core/config/skill/skill.ts'
import type { Diagnostic } from '../../core/config/types.ts'
import type { OperationInput } from '../../core/manage/operations.ts'
import { type Refusal, refusal } from '../../core/problem.ts'
import { decode, encode } from '../../lib/bytes.ts'
import { nameKey, skillName } from '../../lib/name.ts'
import { fail, type Outcome, ok } from '../../lib/outcome.ts'
import { deleteFile, filesBelow, isStale, readFile } from '../layers/files.ts'
import { Listings } from '../layers/stored-listings.ts'
import { retry } from '../partition/update.ts'
import { findVersion, heldFiles, keep, record, resourceRef, type VersionFile } from './history.ts'
import { type LayerRef, layersBelow, type OperationContext } from './place.ts'
import { withResolved } from './resolved-findings.ts'
import { type FoundSkill, folderOf, type ShownSkill, skillEtag, skillsOf } from './skill-files.ts'
import {
  checkFindings,
  conditionFault,
  contended,
  judgedVersion,
  type Origin,
  type Reloaded,
  reload,
  writeFile,
} from './write.ts'

export interface WrittenSkill extends Reloaded {
  readonly layer: string
  readonly created: boolean
  readonly skill: ShownSkill
  readonly warnings: readonly Diagnostic[]
}

const HOME = '.agents/skills/'
/** Skill location with precedence over the default folder. */
const ABOVE = '.claude/skills/'
const TRIES = 5

export async function listSkills(
  manager: OperationContext,
  place: LayerRef,
  { include_disabled }: OperationInput<'skills_list'>,
): Promise<Outcome<{ layer: string; skills: readonly ShownSkill[] }, Refusal>> {
  const all = [...(await skillsOf(manager, place)).values()].map(({ shown: skill }) => skill)
  const skills = include_disabled ? all : all.filter(({ enabled }) => enabled)
  return ok({ layer: place.prefix, skills })
}

export async function getSkill(
  manager: OperationContext,
  place: LayerRef,
  { skill_name, include_content }: OperationInput<'skills_get'>,
): Promise<Outcome<{ layer: string; skill: ShownSkill & { skill_md?: string } }, Refusal>> {
  const current = (await skillsOf(manager, place)).get(skill_name)
  if (!current) return fail(unknown(place, skill_name))
  const layer = place.prefix
  if (!include_content || current.fileEtag === null) return ok({ layer, skill: current.shown })
  const object = await readFile(manager, current.shown.path)
  if (!object) return fail(unknown(place, skill_name))
  const etag = skillEtag(object.etag, current.shown.enabled)
  return ok({ layer, skill: { ...current.shown, etag, skill_md: decode(object.body) } })
}

export async function putSkill(
  manager: OperationContext,
  place: LayerRef,
  input: OperationInput<'skills_put'>,
): Promise<Outcome<WrittenSkill, Refusal>> {
  const { skill_name, skill_md } = input
  const valid = skillName(skill_name)
  if (!valid.ok) return fail(wrong('skill_name', valid.error))
  const bytes = encode(skill_md)
  const warnings = checkFindings(manager, parseSkill(bytes, skill_name).found, '/skill_md')
  if (!warnings.ok) return warnings
  return write(manager, place, { ...input, bytes, action: 'put', warnings: warnings.value })
}

interface Writing {
  readonly skill_name: string
  readonly bytes: Uint8Array
  readonly enabled?: boolean | undefined
  readonly overwrite: boolean
  readonly action: 'put' | 'rollback'
  readonly warnings: readonly Diagnostic[]
}

async function write(
  manager: OperationContext,
  place: LayerRef,
  writing: Writing,
): Promise<Outcome<WrittenSkill, Refusal>> {
  const { world, condition } = manager
  const { skill_name: name, bytes, overwrite } = writing
  const done = await retry<Outcome<WrittenSkill, Refusal>>(world, TRIES, async () => {
    const skills = await skillsOf(manager, place)
    const clash = [...skills.keys()].find((id) => id !== name && nameKey(id) === nameKey(name))
    if (clash !== undefined) return fail(refusal('case_conflict', `Skill ${clash} already exists.`))
    const stored = skills.get(name)
    const fault = conditionFault(condition, stored?.shown.etag ?? null)
    if (fault) return fail(fault)
    if (stored?.shown.has_skill_md && !overwrite) {
      return fail(refusal('conflict', 'SKILL.md already exists and overwrite=false'))
    }
    const folder = folderFor(place, name, stored)
    const enabled = writing.enabled ?? stored?.shown.enabled ?? true
    // The order of the writes never exposes the new text while the skill should be disabled.
    const isThere = stored?.folders.includes(folder)
    const origin = writing.action === 'rollback' ? 'stored' : isThere ? 'there' : 'new'
    const off = enabled ? ok(null) : await switchOff(manager, folder, origin)
    if (!off.ok) return off
    const old = await versionFiles(manager, place, stored)
    const inPlace = stored?.shown.path === `${folder}SKILL.md` ? stored.fileEtag : null
    const expect = inPlace === null ? 'absent' : { etag: inPlace }
    const put = await writeFile(manager, `${folder}SKILL.md`, bytes, expect, origin)
    if (!put.ok) return isStale(put.error) ? undefined : put
    if (isVariant(folder, stored?.shown)) await deleteFile(manager, stored!.shown.path, 'any')
    if (enabled) await switchOn(manager, stored?.folders ?? [folder])
    const digest = await keep(manager, bytes)
    const after = [{ path: `${folder.slice(place.prefix.length)}SKILL.md`, digest }]
    await record(manager, resourceRef('skill', place, name), writing.action, { before: old, after })
    return skillResult(manager, place, name, !stored?.shown.has_skill_md, writing.warnings)
  })
  return done ?? fail(contended())
}

/** Returns whether a path is a misnamed `SKILL.md` in this folder. */
const isVariant = (folder: string, { path, has_skill_md }: Partial<ShownSkill> = {}): boolean =>
  has_skill_md === true && path !== `${folder}SKILL.md` && folderOf(path ?? '') === folder

const EMPTY_FILE = new Uint8Array()

/** Returns a skill's current folder if it has precedence, otherwise the default folder. */
function folderFor(place: LayerRef, name: string, stored: FoundSkill | undefined): string {
  const above = `${place.prefix}${ABOVE}${name}/`
  return stored?.folders.includes(above) ? above : `${place.prefix}${HOME}${name}/`
}

async function versionFiles(
  manager: OperationContext,
  place: LayerRef,
  stored: FoundSkill | undefined,
): Promise<readonly VersionFile[]> {
  if (!stored?.shown.has_skill_md) return []
  const object = await readFile(manager, stored.shown.path)
  if (!object) return []
  const path = stored.shown.path.slice(place.prefix.length)
  return [{ path, digest: await keep(manager, object.body) }]
}

const switchOff = (manager: OperationContext, folder: string, origin: Origin) =>
  writeFile(manager, `${folder}.disabled`, EMPTY_FILE, 'any', origin)

async function switchOn(manager: OperationContext, folders: readonly string[]): Promise<void> {
  for (const folder of folders) await deleteFile(manager, `${folder}.disabled`, 'any')
}

async function skillResult(
  manager: OperationContext,
  place: LayerRef,
  name: string,
  created: boolean,
  warnings: readonly Diagnostic[],
): Promise<Outcome<WrittenSkill, Refusal>> {
  const listings = new Listings(manager.world, manager.tenant, 'fresh')
  const current = (await skillsOf(manager, place, listings)).get(name)
  if (!current) return fail(contended())
  const result = { layer: place.prefix, created, skill: current.shown }
  const all = await withResolved(manager, place, { kind: 'skill', name, warnings }, listings)
  return ok({ ...result, warnings: all, ...(await reload(manager)) })
}

export async function setSkillEnabled(
  manager: OperationContext,
  place: LayerRef,
  { skill_name, enabled }: OperationInput<'skills_set_enabled'>,
): Promise<Outcome<WrittenSkill, Refusal>> {
  const { condition } = manager
  const stored = (await skillsOf(manager, place)).get(skill_name)
  const fault = conditionFault(condition, stored?.shown.etag ?? null)
  if (fault) return fail(fault)
  if (enabled) {
    if (!stored) return fail(unknown(place, skill_name))
    await switchOn(manager, stored.folders)
    // Deleting a skill's switch without a SKILL.md makes the inherited skill effective.
    if (!stored.shown.has_skill_md) return inherited(manager, place, stored, true)
  } else {
    const valid = skillName(skill_name)
    if (!stored && !valid.ok && place.kind === 'repo') return fail(wrong('skill_name', valid.error))
    // Only a repository can hide an inherited skill, and an unknown skill cannot be disabled.
    if (!stored && !(await isBelow(manager, place, skill_name)))
      return fail(unknown(place, skill_name))
    const folder = stored?.folder ?? `${place.prefix}${HOME}${skill_name}/`
    const off = await switchOff(manager, folder, stored ? 'there' : 'new')
    if (!off.ok) return off
  }
  const files = await versionFiles(manager, place, stored)
  const resource = resourceRef('skill', place, skill_name)
  await record(manager, resource, enabled ? 'enable' : 'disable', { before: files, after: files })
  return skillResult(manager, place, skill_name, false, [])
}

async function isBelow(manager: OperationContext, place: LayerRef, name: string): Promise<boolean> {
  if (place.kind !== 'repo') return false
  for (const below of await layersBelow(manager))
    if ((await skillsOf(manager, below)).has(name)) return true
  return false
}

async function inherited(
  manager: OperationContext,
  place: LayerRef,
  stored: FoundSkill,
  enabled: boolean,
) {
  const skill = { ...stored.shown, enabled }
  const reloaded = await reload(manager)
  return ok({ layer: place.prefix, created: false, skill, warnings: [], ...reloaded })
}

export async function deleteSkill(
  manager: OperationContext,
  place: LayerRef,
  { skill_name }: OperationInput<'skills_delete'>,
): Promise<Outcome<{ layer: string; deleted: number } & Reloaded, Refusal>> {
  const { condition } = manager
  const stored = (await skillsOf(manager, place)).get(skill_name)
  if (!stored) return fail(unknown(place, skill_name))
  const fault = conditionFault(condition, stored.shown.etag)
  if (fault) return fail(fault)
  const below = await Promise.all(stored.folders.map((folder) => filesBelow(manager, folder)))
  const files = below.flatMap((listing) => listing.files)
  const old: VersionFile[] = []
  for (const { path } of files) {
    const object = await readFile(manager, path)
    if (!object) continue
    const digest = await keep(manager, object.body)
    old.push({ path: path.slice(place.prefix.length), digest })
  }
  // SKILL.md is deleted first, so that an interrupted delete leaves no skill.
  const order = [...files].sort((left, right) => rank(left.path) - rank(right.path))
  for (const { path, etag } of order) {
    const deleted = await deleteFile(manager, path, rank(path) === 0 ? { etag } : 'any')
    if (!deleted.ok) return fail(contended())
  }
  await record(manager, resourceRef('skill', place, skill_name), 'delete', {
    before: old,
    after: [],
  })
  return ok({ layer: place.prefix, deleted: files.length, ...(await reload(manager)) })
}

const rank = (key: string): number => (/\/skill\.md$/i.test(key) ? 0 : 1)

/** Restores the skill files of a version. Other files in the skill's folder stay unchanged. */
export async function rollbackSkill(
  manager: OperationContext,
  place: LayerRef,
  { skill_name, version: id }: { readonly skill_name: string; readonly version: string },
): Promise<Outcome<WrittenSkill, Refusal>> {
  const version = await findVersion(manager, resourceRef('skill', place, skill_name), id)
  if (!version.ok) return version
  const { files } = version.value
  const mains = files.filter(({ path }) => isMain(path, skill_name))
  const root = folderOf(mains.at(-1)?.path ?? '')
  const text = mains.find(({ path }) => path === `${root}SKILL.md`) ?? mains.at(-1)
  if (text === undefined) return fail(refusal('gone', `Version ${id} has no SKILL.md.`))
  const support = files.filter(({ path }) => path.startsWith(root) && !isMain(path, skill_name))
  // Writes start only after all files of the version were found.
  const contents = await heldFiles(manager, version.value, [text, ...support])
  if (!contents.ok) return contents
  const [main, ...supportContents] = contents.value
  const { bytes } = main!
  const warnings = judgedVersion(manager, parseSkill(bytes, skill_name).found)
  if (!warnings.ok) return warnings
  const writing = { skill_name, bytes, overwrite: true, warnings: warnings.value }
  const result = await write(manager, place, { ...writing, action: 'rollback' })
  if (!result.ok) return result
  // The skill's text may have moved since. The other files are restored next to it.
  const home = folderOf(result.value.skill.path)
  for (const content of supportContents) {
    const to = home + content.path.slice(root.length)
    const put = await writeFile(manager, to, content.bytes, 'any', 'stored')
    if (!put.ok) return put
  }
  return skillResult(manager, place, skill_name, result.value.created, warnings.value)
}

const isMain = (path: string, name: string): boolean =>
  SKILL_PLACES.some((dir) => path.toLowerCase() === `${dir.path}${name}/skill.md`.toLowerCase())

const unknown = ({ prefix }: LayerRef, name: string): Refusal =>
  refusal('not_found', `Skill ${JSON.stringify(name)} not found in ${prefix}.`)

const wrong = (pointer: string, message: string): Refusal =>
  refusal('invalid_request', message, { errors: [{ pointer: `/${pointer}`, message }] })
