/**
 * Places of imported files in a layer. A file keeps its path, unless it is left out. With `loose`,
 * agents and skills are imported from anywhere, at the places that runs read, and all other files
 * are left out.
 */

import { nameKey } from '../../../lib/name.ts'
import type { FileRecord } from '../types.ts'
import type { FolderListing } from './folder-check.ts'
import { holdsEntry } from './layout.ts'

export interface Placement {
  /** Path of the file below the imported folder. */
  readonly from: string
  /** Path of the file below the layer. */
  readonly path: string
  /** Reason why the file is not imported; absent if it is. */
  readonly reason?: string | undefined
  /** Reason why no run reads the file although it loads; absent if there is none. */
  readonly unread?: string | undefined
}

/** Returns the placement of each file, in key order; `records` are the results of the check. */
export function placements(
  { folder, rules, read }: FolderListing,
  records: readonly FileRecord[],
  loose: boolean,
): Placement[] {
  const recordOf = new Map(records.map((record) => [record.layer + record.path, record]))
  const leftOut = (path: string): string | undefined => {
    const rule = rules.ignored(path)
    if (rule !== undefined) return `excluded by ${rule}`
    const secret = rules.secret(path, read(path))
    if (secret !== undefined) return secret
    if (rules.ofTests(path, () => read(path))) return 'a test of the pack'
    return recordOf.get(path)?.status === 'rejected' ? 'the file does not load' : undefined
  }
  const filePlacements = folder.files.map((from): Placement => {
    const reason = leftOut(from)
    const { layer = '', status } = recordOf.get(from) ?? {}
    const isInner = !loose && layer !== '' && status?.startsWith('loaded') === true
    const unread = isInner
      ? `no run reads it there; import the folder ${layer} by itself`
      : undefined
    return { from, path: from, reason, unread }
  })
  return loose ? relocated(filePlacements, recordOf) : filePlacements
}

/** Moves agents and skills to the places that runs read. The first of two with one name wins. */
function relocated(
  filePlacements: readonly Placement[],
  recordOf: ReadonlyMap<string, FileRecord>,
): Placement[] {
  const skills = new Map<string, string>()
  /** Source of each agent and skill by its place in the layer, without regard to case. */
  const owners = new Map<string, string>()
  for (const { from } of filePlacements)
    if (holdsEntry(from)) owners.set(nameKey(placeOf(from)), '.agents/')
  for (const { from, reason } of filePlacements) {
    const record = recordOf.get(from)
    if (reason !== undefined || holdsEntry(from) || !record?.status.startsWith('loaded')) continue
    if (record.kind === 'skill') skills.set(folderOf(from), record.id ?? 'skill')
  }
  return filePlacements.map((file): Placement => {
    const { from, reason } = file
    if (reason !== undefined || holdsEntry(from)) return file
    const target = targetOf(from, skills, recordOf.get(from))
    if (target === undefined) return { ...file, reason: whyIgnored(recordOf.get(from)) }
    const { path, source } = target
    const place = nameKey(placeOf(path))
    const owner = owners.get(place) ?? source
    owners.set(place, owner)
    if (owner === source) return { from, path }
    return { from, path, reason: `${owner} has an entry of the same name` }
  })
}

/** Returns the place of an agent or skill in the layer: its file, or the skill's folder. */
const placeOf = (path: string): string =>
  /^(\.[^/]+\/skills\/[^/]+\/)/.exec(path)?.[1]?.replace(/^\.[^/]+/, '.agents') ??
  path.replace(/^\.[^/]+/, '.agents')

const folderOf = (path: string): string => path.slice(0, path.lastIndexOf('/') + 1)

function targetOf(
  from: string,
  skills: ReadonlyMap<string, string>,
  record: FileRecord | undefined,
): { readonly path: string; readonly source: string } | undefined {
  for (let folder = folderOf(from); folder !== ''; folder = folderOf(folder.slice(0, -1))) {
    const name = skills.get(folder)
    if (name !== undefined) {
      return { path: `.agents/skills/${name}/${from.slice(folder.length)}`, source: folder }
    }
  }
  if (record?.kind === 'skill' && skills.has('') && folderOf(from) === '') {
    return { path: `.agents/skills/${skills.get('')}/${from}`, source: from }
  }
  if (record?.kind !== 'agent') return undefined
  return { path: `.agents/agents/${from.slice(from.lastIndexOf('/') + 1)}`, source: from }
}

const NO_PLACE = 'not an agent or a skill'

function whyIgnored(record: FileRecord | undefined): string {
  if (record?.kind === 'config') return 'move its [mcp_servers] to .agents/config.toml'
  return record?.diagnostics[0]?.message ?? NO_PLACE
}
