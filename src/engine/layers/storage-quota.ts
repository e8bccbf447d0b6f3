/**
 * Files of a tenant and their bytes, if the operator limits them. A write reserves its space in one
 * row before it begins, so concurrent writes never exceed a quota. A deletion writes nothing: when
 * a write finds no space, the files are listed and counted again. Files that reach the bucket by
 * other means count from then on.
 */

import { type Refusal, refusal } from '../../core/problem.ts'
import { QUOTA_UNITS, type TenantQuotas } from '../../core/tenant-quotas.ts'
import { base32 } from '../../lib/id.ts'
import { fileKey } from '../../lib/key.ts'
import { fail, type Outcome, ok } from '../../lib/outcome.ts'
import type { World } from '../../ports/world.ts'
import { changeRow, type RowChange } from '../partition/change-row.ts'
import { quotaPartition } from '../partition/keys.ts'
import { stored } from '../partition/stored.ts'
import { tenantQuotas } from '../tenant/state.ts'
import { reportExceeded } from '../webhook/quota-exceeded.ts'

interface TenantSpace {
  readonly world: World
  readonly tenant: string
}

interface Size {
  readonly files: number
  readonly bytes: number
}

/** Growth by a write in progress. */
interface Pending extends Size {
  /** Size of the entire file in bytes. */
  readonly size: number
  /** Time at which the write counts as done, in milliseconds since 1970. */
  readonly until: number
}

interface Storage extends Size {
  readonly pending: Readonly<Record<string, Pending>>
}

/** Time after which a write has succeeded or failed, in milliseconds. */
const WRITE_MS = 600_000

const limitsStorage = ({ files, storage_bytes }: TenantQuotas): boolean =>
  files !== undefined || storage_bytes !== undefined

/**
 * Writes a file if the quotas have space for it; `write` returns `conflict` if it changed nothing.
 * Tenants without these quotas need no read.
 */
export async function withinStorage<T>(
  space: TenantSpace,
  path: string,
  size: number,
  write: () => Promise<T | 'conflict'>,
): Promise<Outcome<T | 'conflict', Refusal>> {
  const { world, tenant } = space
  const quotas = await tenantQuotas(world, tenant)
  if (!quotas || !limitsStorage(quotas)) return ok(await write())
  const id = base32(world.clock.random(13), 20)
  const rejection = await reserve(space, quotas, { id, path, size })
  if (rejection) {
    await reportExceeded(world, tenant, rejection)
    return fail(rejection)
  }
  const result = await write()
  await settle(space, id, result !== 'conflict')
  return ok(result)
}

/** Returns the size of the tenant's files, including writes in progress. */
export async function storageUsed(space: TenantSpace): Promise<Size & { readonly reserved: Size }> {
  const { world, tenant } = space
  const [row] = await world.store.heads([rowOf(tenant)])
  const storage = row && storageAt(row.body, world.clock.now())
  const { files, bytes, pending } = storage ?? { ...(await counted(space)), pending: {} }
  const reserved = sumOf(Object.values(pending))
  return { files: files + reserved.files, bytes: bytes + reserved.bytes, reserved }
}

const rowOf = (tenant: string): string => quotaPartition(tenant, 'storage')

/** Returns the storage at a time: writes that count as done are added. */
function storageAt(body: string, now: number): Storage {
  const last = stored<Storage>('the storage of a tenant', body, {
    ...{ files: 'number', bytes: 'number', pending: 'object' },
  })
  const entries = Object.entries(last.pending)
  const expired = entries.filter(([, { until }]) => until <= now).map(([, entry]) => entry)
  const pending = Object.fromEntries(entries.filter(([, { until }]) => until > now))
  return { ...sumOf([last, ...expired]), pending }
}

const changeStorage = <T>(
  { world, tenant }: TenantSpace,
  change: (storage: Storage | undefined, now: number) => RowChange<T> | Promise<RowChange<T>>,
): Promise<T> =>
  changeRow(world, rowOf(tenant), 'the storage of the tenant', (body) => {
    const now = world.clock.now()
    return change(body === undefined ? undefined : storageAt(body, now), now)
  })

const sumOf = (sizes: readonly Size[]): Size =>
  sizes.reduce(
    (sum, { files, bytes }) => ({ files: sum.files + files, bytes: sum.bytes + bytes }),
    { files: 0, bytes: 0 },
  )

/** Counts the files in the bucket. */
async function counted({ world, tenant }: TenantSpace): Promise<Size> {
  let sum: Size = { files: 0, bytes: 0 }
  let cursor: string | undefined
  do {
    const page = await world.objects.list(fileKey(tenant, ''), cursor)
    sum = sumOf([sum, ...page.objects.map(({ size }) => ({ files: 1, bytes: size }))])
    cursor = page.cursor
  } while (cursor !== undefined)
  return sum
}

/**
 * Counts again while writes are in progress. The listing may or may not contain their files, so
 * each counts with its entire size until the next count.
 */
async function recounted(space: TenantSpace, pending: Storage['pending']): Promise<Storage> {
  const entire = Object.entries(pending).map(([id, entry]) => [
    id,
    { ...entry, files: 1, bytes: entry.size },
  ])
  return { ...(await counted(space)), pending: Object.fromEntries(entire) }
}

interface FileWrite {
  readonly id: string
  readonly path: string
  readonly size: number
}

const reserve = (
  space: TenantSpace,
  quotas: TenantQuotas,
  { id, path, size }: FileWrite,
): Promise<Refusal | undefined> =>
  changeStorage(space, async (last, now) => {
    const old = await space.world.objects.get(fileKey(space.tenant, path))
    const growth = { files: old ? 0 : 1, bytes: size - (old?.body.byteLength ?? 0) }
    const { [id]: _, ...pending } = last?.pending ?? {}
    const current = last && { ...last, pending }
    const isFull = current === undefined || rejected(quotas, current, growth) !== undefined
    const storage = isFull ? await recounted(space, pending) : current
    const rejection = rejected(quotas, storage, growth)
    if (rejection) return { result: rejection }
    const mine = { files: growth.files, bytes: Math.max(0, growth.bytes), size }
    const reserved = { ...storage.pending, [id]: { ...mine, until: now + WRITE_MS } }
    return { result: undefined, next: { ...storage, pending: reserved } }
  })

/** Rejects growth above a quota; a write that needs no more space is always allowed. */
function rejected(
  { files, storage_bytes }: TenantQuotas,
  storage: Storage,
  growth: Size,
): Refusal | undefined {
  const used = sumOf([storage, ...Object.values(storage.pending)])
  if (files !== undefined && growth.files > 0 && used.files + growth.files > files)
    return exceeded('files', files, used.files)
  if (storage_bytes === undefined || growth.bytes <= 0) return undefined
  if (used.bytes + growth.bytes <= storage_bytes) return undefined
  return exceeded('storage_bytes', storage_bytes, used.bytes)
}

function exceeded(quota: 'files' | 'storage_bytes', limit: number, used: number): Refusal {
  const detail = `The tenant can store at most ${limit} ${QUOTA_UNITS[quota]}; it has ${used}.`
  return refusal('quota_exceeded', detail, { extra: { owner: 'tenant', quota, limit, used } })
}

/** Ends a reservation; a failure is logged, and the write then counts as done. */
async function settle(space: TenantSpace, id: string, isWritten: boolean): Promise<void> {
  try {
    await changeStorage(space, (storage) => {
      const { [id]: mine, ...pending } = storage?.pending ?? {}
      if (!storage || !mine) return { result: undefined }
      const { files, bytes } = isWritten ? sumOf([storage, mine]) : storage
      return { result: undefined, next: { files, bytes, pending } }
    })
  } catch (error) {
    const { world, tenant } = space
    const message = error instanceof Error ? error.message : String(error)
    world.log?.write({ level: 'warn', event: 'quota.storage_unwritten', tenant, message })
  }
}
