/**
 * Compares a version with another version or with the current files, as a preview of a rollback.
 * Potentially secret server values are hidden; differing values are marked.
 */

import { tableJson } from '../../core/config/toml/json.ts'
import type { Refusal } from '../../core/problem.ts'
import { withoutValues } from '../../core/redaction.ts'
import { decodeStrict, encode } from '../../lib/bytes.ts'
import { sha256 } from '../../lib/digest.ts'
import { type Outcome, ok } from '../../lib/outcome.ts'
import { readFile } from '../layers/files.ts'
import { getAgent } from './agents.ts'
import { findServer, readConfig } from './config-file.ts'
import {
  heldFiles,
  type ResourceKind,
  type ResourceRef,
  resourceRef,
  type Version,
  type VersionContent,
  versionOf,
} from './history.ts'
import type { LayerRef, OperationContext } from './place.ts'
import { getSkill } from './skills.ts'

interface HeldFile {
  readonly path: string
  readonly digest: string
  readonly size: number
  /** File content as text; null if it is not UTF-8. */
  readonly text: string | null
}

interface VersionRef {
  readonly kind: ResourceKind
  readonly name: string
  readonly version: string
}

export interface VersionWithFiles extends Version {
  readonly contents: readonly HeldFile[]
}

export async function readVersion(
  manager: OperationContext,
  place: LayerRef,
  { kind, name, version: id }: VersionRef,
): Promise<Outcome<VersionWithFiles, Refusal>> {
  const resource = resourceRef(kind, place, name)
  const version = await versionOf(manager, resource, id)
  if (!version.ok) return version
  const files = await heldFiles(manager, version.value, version.value.files)
  if (!files.ok) return files
  return ok({
    ...version.value,
    contents: files.value.map((content) => shownFile(resource, content)),
  })
}

export interface Compared {
  readonly version: string
  /** ID of the version to compare with, or `current`. */
  readonly with: string
  readonly files: readonly {
    readonly path: string
    readonly change: 'same' | 'differs' | 'only_here' | 'only_there'
    /** Text of the file in this version. */
    readonly text: string | null
    readonly other_text: string | null
  }[]
}

/** Compares a resource's version with another version or with the current files. */
export async function compareVersion(
  manager: OperationContext,
  place: LayerRef,
  { kind, name, version: id, with: other }: VersionRef & { readonly with: string },
): Promise<Outcome<Compared, Refusal>> {
  const resource = resourceRef(kind, place, name)
  const version = await versionOf(manager, resource, id)
  if (!version.ok) return version
  const here = await heldFiles(manager, version.value, version.value.files)
  if (!here.ok) return here
  const otherSide = await otherFiles(manager, place, resource, {
    other,
    paths: version.value.files,
  })
  if (!otherSide.ok) return otherSide
  const left = new Map(here.value.map((content) => [content.path, content]))
  const right = new Map(otherSide.value.map((content) => [content.path, content]))
  const paths = [...new Set([...left.keys(), ...right.keys()])].sort()
  const files = paths.map((path) => {
    const [mine, theirs] = [left.get(path), right.get(path)]
    const text = mine ? shownFile(resource, mine).text : null
    const other_text = theirs ? shownFile(resource, theirs).text : null
    return { path, change: changeOf(mine, theirs), text, other_text }
  })
  return ok({ version: id, with: other, files })
}

function changeOf(
  mine: VersionContent | undefined,
  theirs: VersionContent | undefined,
): Compared['files'][number]['change'] {
  if (!mine) return 'only_there'
  if (!theirs) return 'only_here'
  return sha256(mine.bytes) === sha256(theirs.bytes) ? 'same' : 'differs'
}

async function otherFiles(
  manager: OperationContext,
  place: LayerRef,
  resource: ResourceRef,
  { other, paths }: { readonly other: string; readonly paths: Version['files'] },
): Promise<Outcome<readonly VersionContent[], Refusal>> {
  if (other === 'current') return ok(await currentFiles(manager, place, resource, paths))
  const version = await versionOf(manager, resource, other)
  return version.ok ? heldFiles(manager, version.value, version.value.files) : version
}

/** Returns a resource's effective file, and the current files at the version's paths. */
async function currentFiles(
  manager: OperationContext,
  place: LayerRef,
  resource: ResourceRef,
  paths: Version['files'],
): Promise<readonly VersionContent[]> {
  if (resource.kind === 'server') return currentServer(manager, place, resource.name)
  const main = await pathOf(manager, place, resource)
  const below = paths.map(({ path }) => path)
  const allPaths = [...new Set([...(main === undefined ? [] : [main]), ...below])]
  const contents: VersionContent[] = []
  for (const path of allPaths) {
    const object = await readFile(manager, place.prefix + path)
    if (object) contents.push({ path, bytes: object.body })
  }
  return contents
}

async function pathOf(manager: OperationContext, place: LayerRef, { kind, name }: ResourceRef) {
  if (kind === 'memory') return name
  const where = { role: 'main', include_content: false }
  if (kind === 'skill') {
    const skill = await getSkill(manager, place, { ...where, skill_name: name })
    return skill.ok ? skill.value.skill.path.slice(place.prefix.length) : undefined
  }
  const agent = await getAgent(manager, place, { ...where, agent_name: name })
  return agent.ok ? agent.value.agent.path.slice(place.prefix.length) : undefined
}

async function currentServer(manager: OperationContext, place: LayerRef, name: string) {
  const config = await readConfig(manager, place)
  const server = config.ok ? findServer(config.value, name) : undefined
  if (!server) return []
  const path = `.agents/config.toml#mcp_servers.${server.name}`
  return [{ path, bytes: encode(tableJson(server.table)) }]
}

function shownFile({ kind }: ResourceRef, { path, bytes }: VersionContent): HeldFile {
  const text = decodeStrict(bytes) ?? null
  const file = { path, digest: sha256(bytes), size: bytes.length }
  if (kind !== 'server' || text === null) return { ...file, text }
  return { ...file, text: JSON.stringify(withoutValues(JSON.parse(text)), null, 2) }
}
