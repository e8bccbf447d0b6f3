/**
 * Paths of the file tools: below the run's working folder, checked by the one key constructor.
 * Configuration folders are read-only for runs, and their files that may hold settings unreadable.
 */

import type { RunSpec } from '../../core/run/log/facts.ts'
import type { Outcome } from '../../lib/outcome.ts'
import { fail, ok } from '../../lib/outcome.ts'
import { type FilePath, filePath } from '../layers/files.ts'
import { workspace } from '../partition/keys.ts'

const RESERVED = /(?:^|\/)\.(?:agents|claude|neovate|netclaw|goclaw)(?:\/|$)/i
/** The usual file of MCP servers beside the code; it may hold keys of theirs. */
const SERVERS = /(?:^|\/)\.?mcp\.json$/i
const SETTINGS = /(?:^|\/)(?:config\.toml|mcp\.json)$/i

export interface WorkingFolder {
  readonly tenant: string
  /** The working folder, ending with a slash. */
  readonly root: string
}

/** The repository, or the run's own workspace. */
export function workingFolder(tenant: string, { id, repo_dir }: RunSpec): WorkingFolder {
  return { tenant, root: repo_dir === null ? workspace(id) : `${repo_dir}/` }
}

/** The folder of a skill as tools take it: below the working folder, else by its whole path. */
export function skillFolder(key: string, { root }: WorkingFolder): string {
  const folder = key.slice(0, key.lastIndexOf('/'))
  return folder.startsWith(root) ? folder.slice(root.length) : folder
}

/** The path below the tenant's space, or the sentence for the model. */
export function locate(
  place: WorkingFolder,
  path: string,
  use: 'read' | 'write',
): Outcome<FilePath, string> {
  const relative = path.replace(/^\.\//, '')
  const checked = filePath(`${place.root}${relative}`)
  if (!checked.ok) return fail(`invalid_path: ${checked.error}.`)
  // The whole path: a run may have been given a configuration folder as its working folder.
  if (isReserved(`${place.root}${relative}`, use)) {
    return fail(`reserved_path: ${JSON.stringify(path)} belongs to the configuration.`)
  }
  return checked
}

export const isReserved = (path: string, use: 'read' | 'write'): boolean =>
  SERVERS.test(path) || (RESERVED.test(path) && (use === 'write' || SETTINGS.test(path)))

/** Without the slashes at its end; an expression would try each of a million anew. */
function withoutSlashes(path: string): string {
  let end = path.length
  while (path[end - 1] === '/') end -= 1
  return path.slice(0, end)
}

/** The prefix of a folder: the whole working folder when `path` is empty. */
export function locateFolder(place: WorkingFolder, path: string): Outcome<string, string> {
  const relative = withoutSlashes(path.replace(/^\.\/?/, ''))
  if (relative === '') return ok(place.root)
  const checked = filePath(`${place.root}${relative}`)
  if (!checked.ok) return fail(`invalid_path: ${checked.error}.`)
  return ok(`${checked.value}/`)
}
