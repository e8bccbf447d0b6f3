/**
 * Versions of stored files. A version is the audit entry of a write by a file route or an import,
 * which has the digest of the content; the content is kept by digest.
 */

import { type Refusal, refusal } from '../../core/problem.ts'
import { decodeStrict } from '../../lib/bytes.ts'
import { sha256 } from '../../lib/digest.ts'
import { fail, type Outcome, ok } from '../../lib/outcome.ts'
import { auditPartition } from '../partition/keys.ts'
import { auditEntryOf, type StoredAuditEntry } from '../tenant/audit.ts'
import { getBytes } from '../tenant/blobs.ts'
import { type FileSpace, readFile } from './files.ts'

export interface FileVersion {
  readonly version: string
  readonly path: string
  readonly action: string
  readonly by: string
  readonly created_at: string
  /** SHA-256 of the content; null for a deletion. */
  readonly digest: string | null
}

/** Audit entry of files, as `tenant/audit.ts` stores it. */
type FileEntry = StoredAuditEntry & {
  readonly version: string
  readonly created_at: string
  readonly files: readonly { readonly path: string; readonly digest: string }[]
}

/** Returns what an audit entry of kind `file` says about one path. */
export function fileVersionOf(entry: object, path: string): FileVersion {
  const { version, action, by, created_at, files } = entry as FileEntry
  const digest = files.find((file) => file.path === path)?.digest ?? null
  return { version, path, action, by, created_at, digest }
}

export interface FileVersionContent extends FileVersion {
  readonly size: number
  /** Null if the content is not UTF-8. */
  readonly text: string | null
}

/** Returns a version of a file with its text. */
export async function readFileVersion(
  space: FileSpace,
  path: string,
  version: string,
): Promise<Outcome<FileVersionContent, Refusal>> {
  const { world, tenant } = space
  const [row] = await world.store.read(auditPartition(tenant, version))
  const entry = row && auditEntryOf(row.body)
  const stated = entry?.kind === 'file' ? fileVersionOf(entry, path) : undefined
  const isOfPath = stated !== undefined && (stated.digest !== null || entry?.name === path)
  if (!isOfPath) return fail(refusal('not_found', `Version ${version} of ${path} not found.`))
  if (stated.digest === null)
    return fail(refusal('gone', `Version ${version} is a deletion and has no text.`))
  const bytes = await contentOf(space, path, stated.digest)
  if (!bytes) return fail(refusal('gone', `The text of version ${version} is no longer stored.`))
  return ok({ ...stated, size: bytes.length, text: decodeStrict(bytes) ?? null })
}

/** Returns kept content, or the content of the file if it is still the same. */
async function contentOf(
  space: FileSpace,
  path: string,
  digest: string,
): Promise<Uint8Array | undefined> {
  const bytes = await getBytes(space.world, space.tenant, digest)
  if (bytes) return bytes
  const current = await readFile(space, path)
  return current && sha256(current.body) === digest ? current.body : undefined
}
