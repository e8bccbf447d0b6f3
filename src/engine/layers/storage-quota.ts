/**
 * Files of a tenant and their bytes, where its operator has limited them. A write reserves its room
 * in one row before it is made, so that writes at once never exceed a limit. Deleted files give
 * their room back when the next write finds none: then all are listed, and counted anew. Files that
 * come into the bucket by other means count from then on.
 */

import { LIMITS } from '../../core/limits.ts'
import { type Refusal, refusal } from '../../core/problem.ts'
import { LIMIT_WORDS, type TenantLimits } from '../../core/tenant-limits.ts'
import { base32 } from '../../lib/id.ts'
import { fileKey } from '../../lib/key.ts'
import { fail, type Outcome, ok } from '../../lib/outcome.ts'
import type { World } from '../../ports/world.ts'
import { quotaPartition } from '../partition/keys.ts'
import { stored } from '../partition/stored.ts'
import { update } from '../partition/update.ts'
import { inTurn, noteRefusal } from '../tenant/quota.ts'
import { tenantLimits } from '../tenant/state.ts'

interface Space {
  readonly world: World
  readonly tenant: string
}

interface Room {
  readonly files: number
  readonly bytes: number
}

/** A write under way: by so much it grows the sums. */
interface Pending extends Room {
  /** Of the whole file. */
  readonly size: number
  /** Afterwards it counts as made (ms since 1970). */
  readonly until: number
}

interface Storage extends Room {
  readonly pending: Readonly<Record<string, Pending>>
}

const NAME = 'storage'
/** A write has come to be by then, or never will. */
const WRITE_MS = 600_000

const limitsStorage = (limits: TenantLimits | undefined): limits is TenantLimits =>
  limits?.files !== undefined || limits?.storage_bytes !== undefined

/** `write` says `conflict` when it has changed nothing. Refused: there is no room for it. */
export async function withinStorage<T>(
  space: Space,
  path: string,
  size: number,
  write: () => Promise<T | 'conflict'>,
): Promise<Outcome<T | 'conflict', Refusal>> {
  const { world, tenant } = space
  const known = tenantLimits(world, tenant)
  const limits = known === undefined ? undefined : await known
  if (!limitsStorage(limits)) return ok(await write())
  const id = base32(world.clock.random(13), 20)
  const refused = await reserveRoom(space, limits, { id, path, size })
  noteRefusal(world, tenant, refused)
  if (refused) return fail(refused)
  const done = await write()
  await settle(space, id, done !== 'conflict')
  return ok(done)
}

/** Of a tenant whose files are limited, or to be. */
export async function storageUsed(space: Space): Promise<Room & { readonly reserved: Room }> {
  const found = await read(space)
  const { files, bytes, pending } = found.storage ?? { ...(await counted(space)), pending: {} }
  const reserved = sumOf(Object.values(pending))
  return { files: files + reserved.files, bytes: bytes + reserved.bytes, reserved }
}

async function read({ world, tenant }: Space) {
  const [row] = await world.store.heads([quotaPartition(tenant, NAME)])
  if (!row) return { storage: undefined, version: null }
  const was = stored<Storage>('the storage of a tenant', row.body, {
    ...{ files: 'number', bytes: 'number', pending: 'object' },
  })
  const now = world.clock.now()
  const all = Object.entries(was.pending)
  const made = sumOf(all.filter(([, { until }]) => until <= now).map(([, one]) => one))
  const pending = Object.fromEntries(all.filter(([, { until }]) => until > now))
  const storage = { files: was.files + made.files, bytes: was.bytes + made.bytes, pending }
  return { storage, version: row.version }
}

const sumOf = (rooms: readonly Room[]): Room =>
  rooms.reduce(
    (sum, { files, bytes }) => ({ files: sum.files + files, bytes: sum.bytes + bytes }),
    { files: 0, bytes: 0 },
  )

/** As they lie in the bucket. */
async function counted({ world, tenant }: Space): Promise<Room> {
  let sum: Room = { files: 0, bytes: 0 }
  let cursor: string | undefined
  do {
    const page = await world.objects.list(fileKey(tenant, ''), cursor)
    const rooms = page.objects.map(({ size }) => ({ files: 1, bytes: size }))
    sum = sumOf([sum, ...rooms])
    cursor = page.cursor
  } while (cursor !== undefined)
  return sum
}

/**
 * A write under way may be among those that were listed, or follow a deletion that was not: it is
 * counted whole, which is too much at worst, until they are counted again.
 */
async function recounted(space: Space, pending: Storage['pending']): Promise<Storage> {
  const whole = Object.entries(pending).map(([id, one]) => [
    id,
    { ...one, files: 1, bytes: one.size },
  ])
  return { ...(await counted(space)), pending: Object.fromEntries(whole) }
}

const reserveRoom = (
  space: Space,
  limits: TenantLimits,
  { id, path, size }: { readonly id: string; readonly path: string; readonly size: number },
): Promise<Refusal | undefined> => {
  const { world, tenant } = space
  return inTurn(world, tenant, NAME, async () => {
    const old = await world.objects.get(fileKey(tenant, path))
    const grows = { files: old ? 0 : 1, bytes: size - (old?.body.byteLength ?? 0) }
    const taken = await update<{ refusal?: Refusal }>(world, 'the storage', async () => {
      const { storage: was, version } = await read(space)
      const { [id]: _, ...others } = was?.pending ?? {}
      const known = was && { ...was, pending: others }
      const full = known && refusedBy(limits, known, grows)
      const storage = known && !full ? known : await recounted(space, others)
      const refused = refusedBy(limits, storage, grows)
      // With writes under way it may be more than there is; what was known is never less.
      if (refused) return { refusal: full ?? refused }
      const room = { files: grows.files, bytes: Math.max(0, grows.bytes) }
      const mine = { ...room, size, until: world.clock.now() + WRITE_MS }
      const next = { ...storage, pending: { ...storage.pending, [id]: mine } }
      return (await write(space, next, version)) ? {} : undefined
    })
    return taken.refusal
  })
}

/** One that takes no more room is never refused. */
function refusedBy(
  { files = LIMITS.quota_files, storage_bytes }: TenantLimits,
  storage: Storage,
  grows: Room,
): Refusal | undefined {
  const used = sumOf([storage, ...Object.values(storage.pending)])
  if (grows.files > 0 && used.files + grows.files > files) return noRoom('files', files, used.files)
  const bytes = storage_bytes ?? Number.POSITIVE_INFINITY
  if (grows.bytes <= 0 || used.bytes + grows.bytes <= bytes) return undefined
  return noRoom('storage_bytes', bytes, used.bytes)
}

const noRoom = (limit: 'files' | 'storage_bytes', value: number, used: number): Refusal =>
  refusal(
    'quota_exceeded',
    `The tenant has at most ${value} ${LIMIT_WORDS[limit]}, by a limit of its own, and has ` +
      `${used}: there is no room for this one.`,
    { extra: { limit, value, used } },
  )

/** Nobody is failed by it: what is not settled counts as made, after a while. */
async function settle(space: Space, id: string, isMade: boolean): Promise<void> {
  const { world, tenant } = space
  try {
    await inTurn(world, tenant, NAME, () =>
      update(world, 'the storage', async () => {
        const { storage, version } = await read(space)
        const { [id]: mine, ...pending } = storage?.pending ?? {}
        if (!storage || !mine) return true
        const sum = isMade ? sumOf([storage, mine]) : storage
        const next = { files: sum.files, bytes: sum.bytes, pending }
        return (await write(space, next, version)) || undefined
      }),
    )
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    world.log?.write({ level: 'warn', event: 'quota.unsettled', tenant, message })
  }
}

async function write(
  { world, tenant }: Space,
  storage: Storage,
  expect: number | null,
): Promise<boolean> {
  const head = { expect, body: JSON.stringify(storage) }
  return (await world.store.commit(quotaPartition(tenant, NAME), [], head)) === 'ok'
}
