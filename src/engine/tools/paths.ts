/**
 * Paths of the file tools: below the run's working folder, validated by one key constructor.
 * Configuration folders are read-only for runs, and files that contain settings are unreadable.
 */

import type { RunSpec } from '../../core/run/log/facts.ts'
import type { Outcome } from '../../lib/outcome.ts'
import { fail, ok } from '../../lib/outcome.ts'
import { type FilePath, filePath } from '../layers/files.ts'
import { workspace } from '../partition/keys.ts'

const RESERVED = /(?:^|\/)\.(?:agents|claude|neovate|netclaw|goclaw)(?:\/|$)/i
/** Common MCP server file of a repository; it may contain API keys. */
const SERVERS = /(?:^|\/)\.?mcp\.json$/i
const SETTINGS = /(?:^|\/)(?:config\.toml|mcp\.json)$/i

export interface WorkingFolder {
  readonly tenant: string
  /** Path of the working folder; ends with a slash. */
  readonly root: string
}

/** Returns the run's repository folder, or its isolated workspace if it has no repository. */
export function workingFolder(tenant: string, { id, repo_dir }: RunSpec): WorkingFolder {
  return { tenant, root: repo_dir === null ? workspace(id) : `${repo_dir}/` }
}

/**
 * Returns the path of a skill's folder for tools: relative if it is inside the working folder,
 * otherwise the full path.
 */
export function skillFolder(key: string, { root }: WorkingFolder): string {
  const folder = key.slice(0, key.lastIndexOf('/'))
  return folder.startsWith(root) ? folder.slice(root.length) : folder
}

/** Returns the file's path below the tenant's prefix, or an error for the model. */
export function locate(
  place: WorkingFolder,
  path: string,
  use: 'read' | 'write',
): Outcome<FilePath, string> {
  const relative = path.replace(/^\.\//, '')
  const checked = filePath(`${place.root}${relative}`)
  if (!checked.ok) return fail(`invalid_path: ${checked.error}.`)
  // The full path is checked, because a run's working folder may itself be a configuration folder.
  if (isReserved(`${place.root}${relative}`, use)) {
    return fail(`reserved_path: ${JSON.stringify(path)} is a configuration path.`)
  }
  return checked
}

export const isReserved = (path: string, use: 'read' | 'write'): boolean =>
  SERVERS.test(path) || (RESERVED.test(path) && (use === 'write' || SETTINGS.test(path)))

/**
 * Removes slashes with a loop, which takes linear time; a regular expression would take quadratic
 * time for a million slashes.
 */
function withoutSlashes(path: string): string {
  let end = path.length
  while (path[end - 1] === '/') end -= 1
  return path.slice(0, end)
}

/** Returns the prefix of a folder; an empty `path` means the working folder. */
export function locateFolder(place: WorkingFolder, path: string): Outcome<string, string> {
  const relative = withoutSlashes(path.replace(/^\.\/?/, ''))
  if (relative === '') return ok(place.root)
  const checked = filePath(`${place.root}${relative}`)
  if (!checked.ok) return fail(`invalid_path: ${checked.error}.`)
  return ok(`${checked.value}/`)
}
