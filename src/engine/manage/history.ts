/**
 * Versions of skills, agents, and servers, and the audit log. A body is kept by digest before it is
 * overwritten (PROTOCOL.md rule 43), even if another client wrote it. A version names its files and
 * their digests, and is committed with its audit entry.
 */

import type { Refusal } from '../../core/problem.ts'
import { refusal } from '../../core/problem.ts'
import { digest, sha256 } from '../../lib/digest.ts'
import { random } from '../../lib/id.ts'
import { fail, type Outcome, ok } from '../../lib/outcome.ts'
import { iso } from '../../lib/time.ts'
import type { Listing, Row, Write } from '../../ports/world.ts'
import { auditList, historyPartition } from '../partition/keys.ts'
import { stored } from '../partition/stored.ts'
import { retry } from '../partition/update.ts'
import { originOf, unsealedTenants } from '../tenant/audit.ts'
import { getBytes, putBytes } from '../tenant/blobs.ts'
import type { LayerRef, OperationContext } from './place.ts'

export type ResourceKind = 'skill' | 'agent' | 'server' | 'memory'
export type Action = 'found' | 'put' | 'delete' | 'enable' | 'disable' | 'rollback'

/** Reference to a skill, agent, or server of a layer. */
export interface ResourceRef {
  readonly kind: ResourceKind
  readonly layer: string
  readonly name: string
}

export const resourceRef = (kind: ResourceKind, place: LayerRef, name: string): ResourceRef => ({
  kind,
  layer: place.prefix,
  // Server names are unique ignoring case, and so are the servers' histories.
  name: kind === 'server' ? name.toLowerCase() : name,
})

export interface VersionFile {
  /**
   * Path of the file below the layer. A server has the path of the config file and the digest of
   * its JSON entry.
   */
  readonly path: string
  readonly digest: string
}

export interface Version extends ResourceRef {
  readonly version: string
  /**
   * Version number of the resource. Concurrent writers may create two versions with the same
   * number.
   */
  readonly number: number
  readonly action: Action
  readonly by: string
  readonly created_at: string
  /** Files that a rollback to this version restores; empty after a delete. */
  readonly files: readonly VersionFile[]
}

export const storedVersion = (body: string): Version =>
  stored<Version>('a version', body, { version: 'string', files: 'object' })

const NUMBER_DIGITS = 10
/** Maximum number of attempts at a commit whose outcome is unknown. */
const TRIES = 3

export const historyHash = ({ kind, layer, name }: ResourceRef): string =>
  sha256(JSON.stringify([kind, layer, name])).slice(0, 32)

const listOf = (tenant: string, resource: ResourceRef): string =>
  historyPartition(tenant, historyHash(resource))

/** Stores bytes by digest, idempotently, and returns the digest. */
export const keep = ({ world, tenant }: OperationContext, bytes: Uint8Array): Promise<string> =>
  putBytes(world, tenant, bytes)

/**
 * Records a change of a resource. Unrecorded previous content is recorded first, so that bodies
 * written directly or by Git can also be restored.
 */
export async function record(
  manager: OperationContext,
  resource: ResourceRef,
  action: Action,
  files: { readonly before: readonly VersionFile[]; readonly after: readonly VersionFile[] },
): Promise<Version> {
  const { world, tenant } = manager
  const under = listOf(tenant, resource)
  const last = newest(await world.store.read(under))
  const isRecorded = JSON.stringify(last?.files ?? []) === JSON.stringify(files.before)
  const created_at = iso(world.clock.now())
  const rows: Write[] = []
  let number = last?.number ?? 0
  const add = (
    versionAction: Action,
    by: string,
    versionFiles: readonly VersionFile[],
  ): Version => {
    const version = random('ver', world.clock.random(17))
    number += 1
    const entry = {
      ...resource,
      version,
      number,
      action: versionAction,
      by,
      created_at,
      files: versionFiles,
    }
    rows.push(rowOf('v', entry, { under, at: orderOf(entry) }))
    return entry
  }
  if (!isRecorded && files.before.length > 0) add('found', 'unknown', files.before)
  const recorded = add(action, manager.by, files.after)
  const audited = {
    ...recorded,
    ...originOf(world, manager.by),
    before: files.before.length > 0 ? digest(files.before) : null,
    after: files.after.length > 0 ? digest(files.after) : null,
  }
  rows.push(
    rowOf('a', audited, { under: auditList(tenant), at: `${created_at} ${recorded.version}` }),
  )
  unsealedTenants(world.store).add(tenant)
  // Row names are unique, so a retry of a successful write is rejected.
  await retry(world, TRIES, async () => {
    return (await world.store.commit(under, rows)) !== 'ambiguous' || undefined
  })
  return recorded
}

/**
 * Returns a resource's newest version from a read instead of a list. Lists may lag, and a quick
 * second write would be compared with the wrong version.
 */
function newest(rows: readonly Row[]): Version | undefined {
  const versions = rows.filter(({ key }) => key.startsWith('v/'))
  const parsed = versions.map(({ body }) => storedVersion(body))
  return parsed.reduce<Version | undefined>(
    (last, version) => (last && orderOf(last) > orderOf(version) ? last : version),
    undefined,
  )
}

const orderOf = ({ number, version }: Version): string =>
  `${String(number).padStart(NUMBER_DIGITS, '0')} ${version}`

const rowOf = (prefix: 'v' | 'a', version: Version, listing: Listing): Write => ({
  op: 'put',
  key: `${prefix}/${version.version}`,
  body: JSON.stringify(version),
  expect: 'absent',
  listed: listing,
})

/** Returns a resource's version by ID. */
export async function versionOf(
  { world, tenant }: OperationContext,
  resource: ResourceRef,
  id: string,
): Promise<Outcome<Version, Refusal>> {
  const rows = await world.store.read(listOf(tenant, resource))
  const row = rows.find(({ key }) => key === `v/${id}`)
  if (row) return ok(storedVersion(row.body))
  return fail(refusal('not_found', `Version ${id} of ${resource.name} not found.`))
}

/** Returns a resource's version by ID if it can be restored. */
export async function findVersion(
  manager: OperationContext,
  resource: ResourceRef,
  id: string,
): Promise<Outcome<Version, Refusal>> {
  const version = await versionOf(manager, resource, id)
  if (!version.ok || version.value.files.length > 0) return version
  return fail(refusal('conflict', `Version ${id} is a deletion and cannot be restored.`))
}

/** File of a version, with its bytes. */
export interface VersionContent {
  readonly path: string
  readonly bytes: Uint8Array
}

/** Returns the files of a version with their bytes, either all of them or none. */
export async function heldFiles(
  { world, tenant }: OperationContext,
  { version }: Pick<Version, 'version'>,
  files: readonly VersionFile[],
): Promise<Outcome<readonly VersionContent[], Refusal>> {
  const contents: VersionContent[] = []
  for (const { path, digest } of files) {
    const bytes = await getBytes(world, tenant, digest)
    if (!bytes) return fail(refusal('gone', `The text of version ${version} is no longer stored.`))
    contents.push({ path, bytes })
  }
  return ok(contents)
}
