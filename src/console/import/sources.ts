/**
 * Files that a person chose for an import: their paths in the import, and the files that stay on
 * the person's computer. The server decides about all other files.
 */

/** File of a folder or a zip archive, read only when it is sent. */
export interface Source {
  /** Path in the import. */
  readonly path: string
  /** Bytes. */
  readonly size: number
  readonly read: () => Promise<Uint8Array>
}

/** Why a file stays on the computer. */
export type Reason =
  | ('git' | 'packages' | 'system' | 'environment' | 'key' | 'passwords')
  | ('path' | 'large' | 'twice')

export interface UnsentFile {
  readonly path: string
  readonly reason: Reason
}

/** Limits of one import, from `GET /v1/limits`. */
export interface Bounds {
  readonly fileBytes: number
  readonly bytes: number
  readonly files: number
}

/**
 * Names of likely secrets, which must not leave the computer. A test compares them with those of
 * the server.
 */
const SECRET_NAMES: readonly (readonly [RegExp, Reason])[] = [
  [/^\.env|\.env$/, 'environment'],
  [/\.(?:pem|key|p12|pfx|jks|keystore|ppk)$/, 'key'],
  [/^id_(?:rsa|dsa|ecdsa|ed25519)(?:_sk)?$/, 'key'],
  [/^(?:\.netrc|\.npmrc|\.pgpass|\.pypirc|\.git-credentials)$/, 'passwords'],
  [/^(?:credentials|secrets?)(?:\.(?:json|ya?ml|toml|ini|txt))?$/, 'passwords'],
]

/** Returns why the name of a file looks like a secret. */
export function secretReason(path: string): Reason | undefined {
  const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase()
  return SECRET_NAMES.find(([pattern]) => pattern.test(name))?.[1]
}

function reasonOf({ path, size }: Source, { fileBytes }: Bounds): Reason | undefined {
  if (/(?:^|\/)\.git\//.test(path)) return 'git'
  if (/(?:^|\/)node_modules\//.test(path)) return 'packages'
  if (SYSTEM.test(path)) return 'system'
  if (!isPath(path)) return 'path'
  return secretReason(path) ?? (size > fileBytes ? 'large' : undefined)
}

/** Files that operating systems add to folders and archives. */
const SYSTEM = /^__MACOSX\/|(?:^|\/)(?:\.DS_Store|Thumbs\.db|desktop\.ini)$/

/** Whether a path stays below its folder; archives can contain others. */
const isPath = (path: string): boolean =>
  !path.includes('\\') && path.split('/').every((part) => !['', '.', '..'].includes(part))

export interface Selection {
  /** Files to send, ordered by path. */
  readonly sources: readonly Source[]
  readonly unsent: readonly UnsentFile[]
}

/** Separates the files to send from those that stay on the computer. */
export function selectionOf(all: readonly Source[], bounds: Bounds): Selection {
  const sources: Source[] = []
  const unsent: UnsentFile[] = []
  const paths = new Set<string>()
  for (const source of unwrapped(all)) {
    const { path } = source
    const reason = reasonOf(source, bounds) ?? (paths.has(path) ? 'twice' : undefined)
    if (reason) unsent.push({ path, reason })
    else sources.push(source)
    paths.add(path)
  }
  const byPath = (a: { path: string }, b: { path: string }) => (a.path < b.path ? -1 : 1)
  return { sources: sources.toSorted(byPath), unsent: unsent.toSorted(byPath) }
}

/** Folders that belong to a library, and are not the name of one. */
const OWN_FOLDER = /^(?:\..*|skills|agents|commands|schedules|base|roles|repos)\/$/i

/** Removes the name of the chosen folder, which browsers put before each path. */
function unwrapped(sources: readonly Source[]): readonly Source[] {
  const first = sources.find(({ path }) => !SYSTEM.test(path))
  const top = first?.path.includes('/') ? `${first.path.split('/')[0]}/` : ''
  const isShared = sources.every(({ path }) => path.startsWith(top) || SYSTEM.test(path))
  if (top === '' || OWN_FOLDER.test(top) || !isShared) return sources
  return sources.map((source) =>
    source.path.startsWith(top) ? { ...source, path: source.path.slice(top.length) } : source,
  )
}

/** Bytes of all files. */
export const bytesOf = ({ sources }: Selection): number =>
  sources.reduce((sum, { size }) => sum + size, 0)
