/**
 * Manages the working folder of a sandbox on this machine. Input files are written to the folder,
 * and results are read back once all processes of the sandbox have ended. Results are third-party
 * input: links are not followed, and only regular files are opened.
 */

import { execFile } from 'node:child_process'
import { constants } from 'node:fs'
import { chown, lstat, mkdir, mkdtemp, open, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { LIMITS } from '../../core/limits.ts'
import { fail, type Outcome, ok } from '../../lib/outcome.ts'
import type { ShellFile, ShellRequest, ShellResult } from '../../ports/shell.ts'
import { changesFrom, TOO_MUCH } from './changes.ts'

export interface SandboxFolder {
  /** Host folder mounted as the sandbox's working folder. */
  readonly work: string
  /** Host folder mounted as /tmp. */
  readonly tmp: string
  /** Host folder with the shell's program, mounted read-only. */
  readonly given: string
  /** Folders below `work` that are mounted read-only. */
  readonly fixed: readonly string[]
  remove(): Promise<void>
}

/**
 * User that runs sandbox processes; undefined selects the user of this process, which is not root.
 */
export interface User {
  readonly uid: number
  readonly gid: number
}

const PREFIX = 'strata-shell-'
const SCRIPT = [0x23, 0x21]

export async function makeFolder(
  { files, skills }: Pick<ShellRequest, 'files' | 'skills'>,
  program: Readonly<Record<string, string>>,
  user: User | undefined,
): Promise<SandboxFolder> {
  const root = await mkdtemp(join(tmpdir(), `${PREFIX}${process.pid}-`))
  const chownPath = async (path: string): Promise<void> => {
    if (user) await chown(path, user.uid, user.gid)
  }
  const at = (name: string): string => join(root, name)
  const folder = { work: at('work'), tmp: at('tmp'), given: at('given') }
  const remove = (): Promise<void> => removeAll(root)
  try {
    await chownPath(root)
    for (const dir of Object.values(folder)) {
      await mkdir(dir)
      await chownPath(dir)
    }
    for (const [name, text] of Object.entries(program)) {
      await writeFile(join(folder.given, name), text)
      await chownPath(join(folder.given, name))
    }
    const fixed = skills?.folders ?? []
    await writeAll(folder.work, files, fixed, chownPath)
    return { ...folder, fixed, remove }
  } catch (error) {
    await remove()
    throw error
  }
}

async function writeAll(
  work: string,
  files: readonly ShellFile[],
  fixed: readonly string[],
  chownPath: (path: string) => Promise<void>,
): Promise<void> {
  const folders = new Set<string>()
  for (const { path } of files)
    for (let up = dirname(path); up !== '.' && !folders.has(up); up = dirname(up)) folders.add(up)
  // Sorting puts parent folders before their subfolders.
  for (const folder of [...folders].sort()) {
    await mkdir(join(work, folder))
    await chownPath(join(work, folder))
  }
  // Files are written sequentially, because threads that create files in one folder contend for its
  // lock.
  for (const { path, bytes } of files) {
    const isScript = bytes[0] === SCRIPT[0] && bytes[1] === SCRIPT[1]
    // File modes follow a rule, because a bucket stores no modes and a skill's script may lack a
    // `#!` line.
    const mode = isScript || isBelow(path, fixed) ? 0o755 : 0o644
    await writeFile(join(work, path), bytes, { mode })
    await chownPath(join(work, path))
  }
}

const isBelow = (path: string, folders: readonly string[]): boolean =>
  folders.some((folder) => path.startsWith(`${folder}/`))

type FolderChanges = Pick<ShellResult, 'changed' | 'removed'> & {
  readonly notes: readonly string[]
}

/** Returns the files changed in the sandbox; fails with the reason if no change can be kept. */
export async function changesIn(
  work: string,
  original: readonly ShellFile[],
): Promise<Outcome<FolderChanges, string>> {
  const changes = changesFrom(original)
  const waiting = ['']
  let otherEntries = 0
  let entryCount = 0
  try {
    for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
      for (const entry of await readdir(join(work, folder), { withFileTypes: true })) {
        entryCount += 1
        if (entryCount > LIMITS.shell_disk_files) return fail(TOO_MANY_ENTRIES)
        const path = folder === '' ? entry.name : `${folder}/${entry.name}`
        if (entry.isDirectory()) waiting.push(path)
        else if (!entry.isFile()) otherEntries += 1
        else {
          const bytes = await bytesOf(join(work, path))
          if (bytes === undefined) return fail(TOO_MUCH)
          const accepted = changes.found(path, bytes)
          if (!accepted.ok) return accepted
        }
      }
    }
  } catch (error) {
    return fail(`it left an unreadable entry (${codeOf(error)}); nothing was stored`)
  }
  const notes = otherEntries === 0 ? [] : [`${otherEntries} links and special files were omitted`]
  return ok({ ...changes.all(), notes })
}

const TOO_MANY_ENTRIES = `it created more than ${LIMITS.shell_disk_files} files and folders; none was stored`

const codeOf = (error: unknown): string => (error as NodeJS.ErrnoException).code ?? 'unknown'

/** Reads a file; returns undefined if the file exceeds the size limit for all files together. */
async function bytesOf(path: string): Promise<Uint8Array | undefined> {
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  try {
    const { size } = await file.stat()
    return size > LIMITS.shell_bytes ? undefined : new Uint8Array(await file.readFile())
  } finally {
    await file.close()
  }
}

/**
 * Checks during a command whether the sandbox folder exceeds its limits. Returns an error sentence
 * that names the exceeded limit, if any.
 */
export async function outgrown({ work, tmp }: SandboxFolder): Promise<string | undefined> {
  const waiting = [work, tmp]
  let bytes = 0
  let entries = 0
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    // The folder may be deleted or unreadable; the final read checks it again.
    const children = await readdir(folder, { withFileTypes: true }).catch(() => [])
    entries += children.length
    if (entries > LIMITS.shell_disk_files) return TOO_MANY_ENTRIES
    for (const entry of children) {
      const path = join(folder, entry.name)
      if (entry.isDirectory()) waiting.push(path)
      else if (entry.isFile())
        bytes += ((await lstat(path).catch(() => undefined))?.blocks ?? 0) * 512
    }
    if (bytes > LIMITS.shell_disk_bytes)
      return `it used more than ${LIMITS.shell_disk_bytes} bytes of disk; nothing was stored`
  }
  return undefined
}

/** Removes a folder tree, including folders without permissions and paths of any length. */
async function removeAll(root: string): Promise<void> {
  try {
    await rm(root, { recursive: true, force: true })
  } catch {
    const all = 'chmod -R u+rwX -- "$1"; rm -rf -- "$1"'
    await promisify(execFile)('/bin/sh', ['-c', all, 'sh', root]).catch(() => {})
  }
}

/** Removes sandbox folders left behind by processes that were killed. */
export async function removeLeftFolders(): Promise<void> {
  for (const name of await readdir(tmpdir()).catch(() => [])) {
    const pid = new RegExp(`^${PREFIX}(\\d+)-`).exec(name)?.[1]
    if (pid !== undefined && !isAlive(Number(pid))) await removeAll(join(tmpdir(), name))
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return codeOf(error) === 'EPERM'
  }
}
