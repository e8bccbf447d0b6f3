/**
 * Copies files of the working folder for a shell and writes its changes back, each only if the
 * stored file is unchanged since.
 */

import { LIMITS } from '../../core/limits.ts'
import type { PinnedSkill } from '../../core/run/log/pin.ts'
import { byteLength, cut } from '../../lib/bytes.ts'
import { fail, type Outcome, ok } from '../../lib/outcome.ts'
import type { ShellFile, ShellResult, ShellSkills } from '../../ports/world.ts'
import {
  deleteFile,
  type FileInfo,
  filesBelow,
  isStale,
  putFile,
  readFile,
} from '../layers/files.ts'
import { isReserved, locate, skillFolder } from './paths.ts'
import { type Caller, spaceOf } from './tool.ts'

const AT_ONCE = 16

export interface HandedIn {
  readonly files: readonly ShellFile[]
  readonly etags: ReadonlyMap<string, string>
  readonly skills: ShellSkills
  /** Notes for the model about missing and changed skill files. */
  readonly notes: readonly string[]
}

/**
 * Returns all files that tools may read, or an error if there are too many. `words` is the command
 * and its folder. Opened skills are included, and skills that the command names by full path.
 */
export async function handedIn(caller: Caller, words: string): Promise<Outcome<HandedIn, string>> {
  const { place } = caller
  const most = LIMITS.shell_files
  const skills = skillsFor(caller, words)
  const [ownListing, ...skillListings] = await Promise.all(
    [place.root, ...skills.filter(isElsewhere(place)).map(folderOf)].map((folder) =>
      filesBelow(spaceOf(caller), folder, most + 1),
    ),
  )
  const included = readable(ownListing!.files)
  let bytes = sizeOf(included)
  if (!ownListing!.isWhole || included.length > most)
    return fail(`the working folder has more than ${most} files, the limit for a command`)
  if (bytes > LIMITS.shell_bytes)
    return fail(`the working folder has ${bytes} bytes; the limit is ${LIMITS.shell_bytes}`)
  const notes: string[] = []
  const omitted = new Set<PinnedSkill>()
  for (const [index, skill] of skills.filter(isElsewhere(place)).entries()) {
    const skillFiles = readable(skillListings[index]!.files).filter(isShownOf(caller, skill))
    const size = sizeOf(skillFiles)
    if (included.length + skillFiles.length > most || bytes + size > LIMITS.shell_bytes) {
      omitted.add(skill)
      notes.push(`The files of the skill ${skill.id} are not available: ${TOO_MANY}`)
      continue
    }
    included.push(...skillFiles)
    bytes += size
  }
  const visibleSkills = skills.filter((skill) => !omitted.has(skill))
  const { files, etags } = await readAll(caller, included)
  const present = visibleSkills.filter((skill) =>
    files.some(({ path }) => isIn(caller, skill, path)),
  )
  const opened = caller.state.opened_skills?.at(-1)
  const last = present.find(({ id }) => id === opened)
  return ok({
    ...{ files, etags },
    skills: {
      folders: present.map((skill) => skillFolder(skill.key, place)),
      opened: last && skillFolder(last.key, place),
    },
    notes: [...notes, ...present.flatMap((skill) => changedOf(caller, skill, etags))],
  })
}

const TOO_MANY =
  `with them, a command would access more than ${LIMITS.shell_files} files or ` +
  `${LIMITS.shell_bytes} bytes.`

const readable = (files: readonly FileInfo[]): FileInfo[] =>
  files.filter(({ path }) => !isReserved(path, 'read'))

const sizeOf = (files: readonly FileInfo[]): number =>
  files.reduce((sum, { size }) => sum + size, 0)

async function readAll(
  caller: Caller,
  infos: readonly FileInfo[],
): Promise<{ files: ShellFile[]; etags: Map<string, string> }> {
  const { root } = caller.place
  const files: ShellFile[] = []
  const etags = new Map<string, string>()
  for (let at = 0; at < infos.length; at += AT_ONCE) {
    const some = infos.slice(at, at + AT_ONCE)
    const read = await Promise.all(some.map(({ path }) => readFile(spaceOf(caller), path)))
    for (const [index, file] of read.entries()) {
      if (!file) continue
      const { path: key } = some[index]!
      const path = key.startsWith(root) ? key.slice(root.length) : key
      files.push({ path, bytes: file.body })
      etags.set(path, file.etag)
    }
  }
  return { files, etags }
}

/** Returns the path of a skill's folder among the tenant's files, with a trailing slash. */
const folderOf = ({ key }: PinnedSkill): string => key.slice(0, key.lastIndexOf('/') + 1)

const isElsewhere =
  ({ root }: Caller['place']) =>
  (skill: PinnedSkill): boolean =>
    !skill.key.startsWith(root)

/** Returns opened skills, skills that the command names, and skills in the working folder. */
function skillsFor(caller: Caller, words: string): PinnedSkill[] {
  const { pin, place, state } = caller
  const elsewhere = isElsewhere(place)
  return pin.skills.filter(
    (skill) =>
      !elsewhere(skill) ||
      state.opened_skills?.includes(skill.id) ||
      words.includes(folderOf(skill).slice(0, -1)),
  )
}

/**
 * Reports whether the skill's instructions are shown to the model. A skill that only people can
 * open is shown after a person has opened it.
 */
const isShownOf =
  ({ state }: Caller, { id, key, by_people }: PinnedSkill) =>
  ({ path }: FileInfo): boolean =>
    !by_people || path !== key || state.opened_skills?.includes(id) === true

const isIn = ({ place }: Caller, { key }: PinnedSkill, path: string): boolean =>
  path.startsWith(`${skillFolder(key, place)}/`)

/** Returns the files of the skill that changed since the run started. */
function changedOf(caller: Caller, skill: PinnedSkill, etags: HandedIn['etags']): string[] {
  const folder = skillFolder(skill.key, caller.place)
  const changed = skill.files.filter(({ path, etag }) => {
    const now = etags.get(`${folder}/${path}`)
    return now !== undefined && now !== etag
  })
  if (changed.length === 0) return []
  const names = changed.slice(0, 3).map(({ path }) => `${folder}/${path}`)
  const more = changed.length > 3 ? ` and ${changed.length - 3} more` : ''
  return [`Changed since this run started: ${names.join(', ')}${more}`]
}

/** Writes the shell's changes back and returns sentences about failed writes. */
export async function writeBack(
  caller: Caller,
  { changed, removed }: Pick<ShellResult, 'changed' | 'removed'>,
  etags: HandedIn['etags'],
): Promise<string[]> {
  const write = async ({ path, bytes }: ShellFile): Promise<string | undefined> => {
    const key = locate(caller.place, path, 'write')
    if (!key.ok) return `${path} was not written: ${key.error}`
    const etag = etags.get(path)
    const expect = etag === undefined ? 'absent' : { etag }
    const put = await putFile(spaceOf(caller), key.value, bytes, expect)
    if (put.ok) return undefined
    return `${path} was not written: ${isStale(put.error) ? CHANGED : put.error.detail}`
  }
  const remove = async (path: string): Promise<string | undefined> => {
    const key = locate(caller.place, path, 'write')
    if (!key.ok) return `${path} was not removed: ${key.error}`
    const deletion = await deleteFile(spaceOf(caller), key.value, { etag: etags.get(path)! })
    if (deletion.ok) return undefined
    return `${path} was not removed: ${isStale(deletion.error) ? CHANGED : deletion.error.detail}`
  }
  const acts = [
    ...changed.map((file) => () => write(file)),
    ...removed.map((path) => () => remove(path)),
  ]
  const messages: string[] = []
  for (let at = 0; at < acts.length; at += AT_ONCE) {
    const some = await Promise.all(acts.slice(at, at + AT_ONCE).map((act) => act()))
    messages.push(...some.filter((message) => message !== undefined))
  }
  return messages
}

const CHANGED = 'it has changed'

/** Returns the sentence about written files that follows the exit code. */
export const wroteWords = ({
  changed,
  removed,
}: Pick<ShellResult, 'changed' | 'removed'>): string[] => [
  ...(changed.length > 0 ? [`${changed.length} files written`] : []),
  ...(removed.length > 0 ? [`${removed.length} removed`] : []),
]

export function truncateOutput(output: string): string {
  const bytes = byteLength(output)
  if (bytes <= LIMITS.shell_output_bytes) return output.replace(/\n$/, '')
  return `${cut(output, LIMITS.shell_output_bytes)}\n[cut: ${bytes} bytes total]`
}
