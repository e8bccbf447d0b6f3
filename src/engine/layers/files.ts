/**
 * Tenant files, which only this module reads, lists, writes, and deletes. `filePath` validates new
 * paths. Listed files are accessed at their stored path, because other tools can write to a bucket.
 */

import { isInstructions } from '../../core/config/layer/instructions.ts'
import { IMPORTS } from '../../core/config/layer/select.ts'
import { LIMITS } from '../../core/limits.ts'
import { type Refusal, refusal } from '../../core/problem.ts'
import { sameBytes } from '../../lib/bytes.ts'
import { sha256 } from '../../lib/digest.ts'
import { fileKey, keyPath } from '../../lib/key.ts'
import { fail, type Outcome, ok } from '../../lib/outcome.ts'
import type { Expect, StoredObject, World } from '../../ports/world.ts'
import { WORKSPACES } from '../partition/keys.ts'
import { audit } from '../tenant/audit.ts'
import { putBytes } from '../tenant/blobs.ts'
import { forgetInstructions } from './cache.ts'
import { withinStorage } from './storage-quota.ts'
import { isShown, stampLayers } from './stored-listings.ts'

export interface FileSpace {
  readonly world: World
  readonly tenant: string
}

declare const validated: unique symbol
/** Writable path within the tenant's files. */
export type FilePath = string & { readonly [validated]: true }

/** Validates a path for storage; returns an error message if invalid. */
export const filePath = (text: string): Outcome<FilePath, string> =>
  keyPath(text) as Outcome<FilePath, string>

/** Marks a path from a listing, or within a listed folder, as a file path without validation. */
export const listedPath = (path: string): FilePath => path as FilePath

export interface FileInfo {
  readonly path: string
  readonly etag: string
  readonly size: number
  /** Time when the file was last written, in milliseconds since 1970 by the bucket's clock. */
  readonly modified: number
}
export interface FilePage {
  /** Files of the page, ordered by path. */
  readonly files: readonly FileInfo[]
  readonly cursor?: string | undefined
}

export const readFile = (
  { world, tenant }: FileSpace,
  path: string,
): Promise<StoredObject | null> => world.objects.get(fileKey(tenant, path))

/** Returns the key prefix of all workspaces of a tenant, for listing objects. */
export const workspacesFolder = (tenant: string): string => fileKey(tenant, WORKSPACES)

/** Lists one page of the files whose path has the prefix. */
export async function listFiles(
  { world, tenant }: FileSpace,
  prefix: string,
  cursor?: string,
): Promise<FilePage> {
  const root = fileKey(tenant, '')
  const page = await world.objects.list(root + prefix, cursor)
  const files = page.objects.map(({ key, ...info }) => ({
    path: key.slice(root.length),
    ...info,
  }))
  return { files, cursor: page.cursor }
}

/** Lists the files whose path has the prefix, up to a maximum. */
export async function filesBelow(
  space: FileSpace,
  prefix: string,
  most = Number.POSITIVE_INFINITY,
): Promise<{ readonly files: readonly FileInfo[]; readonly isWhole: boolean }> {
  const files: FileInfo[] = []
  let cursor: string | undefined
  do {
    const page = await listFiles(space, prefix, cursor)
    files.push(...page.files)
    cursor = page.cursor
  } while (cursor !== undefined && files.length < most)
  const isWhole = cursor === undefined && files.length <= most
  return { files: isWhole ? files : files.slice(0, most), isWhole }
}

type Put = Promise<Outcome<{ readonly etag: string }, Refusal>>

/**
 * Writes a file under a condition. If the file differs, fails with an error that `isStale`
 * recognizes.
 */
export async function putFile(
  space: FileSpace,
  path: FilePath,
  body: Uint8Array,
  expect: Expect,
): Put {
  if (body.byteLength > LIMITS.file_body_bytes) return fail(tooLarge(path))
  return putStored(space, path, body, expect)
}

/** Writes stored bytes unchanged under any path, for a move or restore. */
export async function putStored(
  space: FileSpace,
  path: FilePath,
  body: Uint8Array,
  expect: Expect,
): Put {
  const { world, tenant } = space
  const put = await withinStorage(space, path, body.byteLength, () =>
    writeAndStamp(space, path, () => world.objects.put(fileKey(tenant, path), body, expect)),
  )
  if (!put.ok) return put
  if (put.value !== 'conflict') return ok(put.value)
  // A new file can also be impossible at its place.
  const isAbsent = expect === 'absent' && (await readFile(space, path)) === null
  return fail(stale(isAbsent ? 'any' : expect))
}

/** Deletes a file under a condition. With condition `any`, the file may be missing. */
export async function deleteFile(
  space: FileSpace,
  path: string,
  expect: Expect,
): Promise<Outcome<null, Refusal>> {
  const { world, tenant } = space
  const deleted = await writeAndStamp(space, path, () =>
    world.objects.delete(fileKey(tenant, path), expect),
  )
  return deleted === 'conflict' ? fail(stale(expect)) : ok(null)
}

/** Writes a file, then invalidates earlier listings, even if the write's outcome is unknown. */
async function writeAndStamp<T>(
  { world, tenant }: FileSpace,
  path: string,
  write: () => Promise<T>,
): Promise<T> {
  try {
    return await write()
  } finally {
    if (isInstructions(path)) forgetInstructions(world.objects)
    if (isShown(path)) await stampLayers(world, tenant)
  }
}

const tooLarge = (path: string): Refusal =>
  refusal('too_large', `${path} would exceed ${LIMITS.file_body_bytes} bytes.`)

const stale = (expect: Expect): Refusal =>
  expect === 'any'
    ? refusal('conflict', 'A file cannot replace a folder or be created below a file.')
    : refusal('precondition_failed', 'The file has changed since you read it.')

/**
 * Returns whether a write failed because another writer was faster. The caller can read the file
 * and retry.
 */
export const isStale = ({ code }: Refusal): boolean =>
  code === 'precondition_failed' || code === 'conflict'

/**
 * Writes a client's file with any content. Rejects a path that differs from an existing path only
 * in case.
 */
export async function bringFile(
  space: FileSpace & { readonly by: string },
  path: FilePath,
  body: Uint8Array,
  expect: Expect,
): Promise<Outcome<{ readonly etag: string; readonly created: boolean }, Refusal>> {
  const existingPath = await sameButForCase(space, path)
  if (existingPath !== undefined && existingPath !== path) {
    return fail(refusal('case_conflict', 'A file whose name differs only in case already exists.'))
  }
  const was = existingPath === undefined ? null : await readFile(space, path)
  if (isText(path)) await keepText(space, was)
  const put = await putFile(space, path, body, expect)
  if (!put.ok) return put
  await keepVersion(space, path, body)
  const after = sha256(body)
  const change = { files: [{ path, digest: after }], before: was && sha256(was.body), after }
  await audit(space.world, space.tenant, { ...entry(space, path, 'put'), ...change })
  return ok({ ...put.value, created: existingPath === undefined })
}

interface BroughtFile {
  readonly path: FilePath
  readonly body: Uint8Array
  readonly expect: Exclude<Expect, 'any'>
}

/**
 * Writes the files of an import concurrently, each under its condition; returns their ETags. A file
 * that another import has written with the same bytes counts as written. The audit entry names the
 * files that were written, also if another file failed.
 */
export async function bringFiles(
  space: FileSpace & { readonly by: string },
  { name, from }: { readonly name: string; readonly from: string },
  files: readonly BroughtFile[],
): Promise<Outcome<ReadonlyMap<string, string>, Refusal>> {
  const { world, tenant, by } = space
  const etags = new Map<string, string>()
  const equalPaths = new Set<string>()
  const conflicts: Refusal[] = []
  const writes = files.map(async ({ path, body, expect }) => {
    if (expect !== 'absent' && isText(path)) await keepText(space, await readFile(space, path))
    const put = await withinStorage(space, path, body.byteLength, () =>
      world.objects.put(fileKey(tenant, path), body, expect),
    )
    if (!put.ok) return void conflicts.push(put.error)
    if (put.value !== 'conflict') {
      etags.set(path, put.value.etag)
      await keepVersion(space, path, body)
      return
    }
    const stored = await readFile(space, path)
    if (stored !== null && sameBytes(stored.body, body)) {
      etags.set(path, stored.etag)
      equalPaths.add(path)
    } else conflicts.push(refusal('precondition_failed', `${path} has changed since the plan.`))
  })
  const settled = await Promise.allSettled(writes)
  if (files.some(({ path }) => isInstructions(path))) forgetInstructions(world.objects)
  if (files.some(({ path }) => isShown(path))) await stampLayers(world, tenant)
  const writtenFiles = files.filter(({ path }) => etags.has(path) && !equalPaths.has(path))
  if (writtenFiles.length > 0) {
    const digests = writtenFiles.map(({ path, body }) => ({ path, digest: sha256(body) }))
    const detail = `${writtenFiles.length} files of ${from}`
    const entry = { kind: 'file', name, action: 'put', by, number: 0, detail } as const
    await audit(world, tenant, { ...entry, files: digests })
  }
  const failed = settled.find((result) => result.status === 'rejected')
  if (failed) throw failed.reason
  return conflicts[0] === undefined ? ok(etags) : fail(conflicts[0])
}

/** Deletes a file; writes an audit entry if the file existed. */
export async function removeFile(
  space: FileSpace & { readonly by: string },
  path: string,
  expect: Expect,
): Promise<Outcome<null, Refusal>> {
  const was = await readFile(space, path)
  if (isText(path)) await keepText(space, was)
  const deleted = await deleteFile(space, path, expect)
  if (!deleted.ok) return deleted
  if (was) {
    const change = { before: sha256(was.body), after: null }
    await audit(space.world, space.tenant, { ...entry(space, path, 'delete'), ...change })
  }
  return ok(null)
}

const entry = ({ by }: { readonly by: string }, name: string, action: 'put' | 'delete') =>
  ({ kind: 'file', name, action, by, number: 0 }) as const

/** Returns whether a path names a skill or agent file. */
const isText = (path: string): boolean => /\/(?:SKILL\.md|agents\/[^/]+\.md)$/i.test(path)

/** Keeps a file's old content by digest, because prepared runs still read it. */
async function keepText({ world, tenant }: FileSpace, old: StoredObject | null): Promise<void> {
  if (old) await putBytes(world, tenant, old.body)
}

/**
 * Keeps new content by digest as a version of the file, so that no later write can remove it. Large
 * files, and files of workspaces and of `imports/`, have no texts of versions.
 */
async function keepVersion(
  { world, tenant }: FileSpace,
  path: string,
  body: Uint8Array,
): Promise<void> {
  if (path.startsWith(WORKSPACES) || path.startsWith(IMPORTS)) return
  if (body.byteLength <= LIMITS.file_version_bytes) await putBytes(world, tenant, body)
}

/** Finds a file whose path differs from this path only in case. */
async function sameButForCase(space: FileSpace, path: string): Promise<string | undefined> {
  const folder = path.slice(0, path.lastIndexOf('/') + 1)
  const lowerPath = path.toLowerCase()
  let cursor: string | undefined
  let match: string | undefined
  do {
    const page = await listFiles(space, folder, cursor)
    for (const file of page.files) {
      if (file.path === path) return path
      if (file.path.toLowerCase() === lowerPath) match = file.path
    }
    cursor = page.cursor
  } while (cursor !== undefined)
  return match
}
