/**
 * The files of the working folder as a shell is handed them, and what it changed written back: each
 * under the condition that nobody has changed it meanwhile.
 */

import { LIMITS } from '../../core/limits.ts'
import { byteLength, cut } from '../../lib/bytes.ts'
import { fail, type Outcome, ok } from '../../lib/outcome.ts'
import type { ShellFile, ShellResult } from '../../ports/world.ts'
import { deleteFile, filesBelow, isStale, putFile, readFile } from '../layers/files.ts'
import { isReserved, locate } from './paths.ts'
import { type Caller, spaceOf } from './tool.ts'

const AT_ONCE = 16

export interface HandedIn {
  readonly files: readonly ShellFile[]
  readonly etags: ReadonlyMap<string, string>
}

/**
 * All files that tools may read, or why there are too many. `words`: the command and its folder;
 * the skills that they name by their whole path come along.
 */
export async function handedIn(caller: Caller, words: string): Promise<Outcome<HandedIn, string>> {
  const { place } = caller
  const most = LIMITS.shell_files
  const folders = skillFolders(caller, words)
  const found = await Promise.all(
    [place.root, ...folders].map((folder) => filesBelow(spaceOf(caller), folder, most + 1)),
  )
  const isWhole = found.every((one) => one.isWhole)
  const wanted = found.flatMap(({ files }) => files).filter(({ path }) => !isReserved(path, 'read'))
  const bytes = wanted.reduce((sum, { size }) => sum + size, 0)
  if (!isWhole || wanted.length > most)
    return fail(`the working folder has more than ${most} files, which is more than a command sees`)
  if (bytes > LIMITS.shell_bytes)
    return fail(`the working folder has ${bytes} bytes, and a command sees ${LIMITS.shell_bytes}`)
  const files: ShellFile[] = []
  const etags = new Map<string, string>()
  for (let at = 0; at < wanted.length; at += AT_ONCE) {
    const some = wanted.slice(at, at + AT_ONCE)
    const read = await Promise.all(some.map(({ path }) => readFile(spaceOf(caller), path)))
    for (const [index, file] of read.entries()) {
      if (!file) continue
      const { path: key } = some[index]!
      const path = key.startsWith(place.root) ? key.slice(place.root.length) : key
      files.push({ path, bytes: file.body })
      etags.set(path, file.etag)
    }
  }
  return ok({ files, etags })
}

/** Folders of skills outside of the working folder, each with a slash. */
function skillFolders({ pin, place }: Caller, words: string): string[] {
  const folders = pin.skills.map(({ key }) => key.slice(0, key.lastIndexOf('/')))
  return folders
    .filter((folder) => !folder.startsWith(place.root) && words.includes(folder))
    .map((folder) => `${folder}/`)
}

/** Sentences about what could not be written. */
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
    const gone = await deleteFile(spaceOf(caller), key.value, { etag: etags.get(path)! })
    if (gone.ok) return undefined
    return `${path} was not removed: ${isStale(gone.error) ? CHANGED : gone.error.detail}`
  }
  const acts = [
    ...changed.map((file) => () => write(file)),
    ...removed.map((path) => () => remove(path)),
  ]
  const said: string[] = []
  for (let at = 0; at < acts.length; at += AT_ONCE) {
    const some = await Promise.all(acts.slice(at, at + AT_ONCE).map((act) => act()))
    said.push(...some.filter((one) => one !== undefined))
  }
  return said
}

const CHANGED = 'somebody else has changed it meanwhile'

/** How much it changed, behind the exit code. */
export const wroteWords = ({
  changed,
  removed,
}: Pick<ShellResult, 'changed' | 'removed'>): string[] => [
  ...(changed.length > 0 ? [`${changed.length} files written`] : []),
  ...(removed.length > 0 ? [`${removed.length} removed`] : []),
]

export function bounded(output: string): string {
  const bytes = byteLength(output)
  if (bytes <= LIMITS.shell_output_bytes) return output.replace(/\n$/, '')
  return `${cut(output, LIMITS.shell_output_bytes)}\n[cut: ${bytes} bytes in all]`
}
