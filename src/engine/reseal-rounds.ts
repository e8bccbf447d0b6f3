/**
 * Exchange of the master key without a command: while two keys are configured, background rounds
 * encrypt the sealed data of all tenants again. The first round begins at once. A second one
 * follows a day later, because processes of the previous deployment may have used the previous key
 * after the first. From the expiry of the last token on, the log says after each day's round that
 * the previous key can be removed.
 */

import { iso } from '../lib/time.ts'
import type { World } from '../ports/world.ts'
import { DEFAULT_TENANT, TENANTS_LIST } from './partition/keys.ts'
import { stored } from './partition/stored.ts'
import { reseal } from './reseal.ts'
import { isGone, storedTenantOf } from './tenant/state.ts'

export const RESEAL = '_/sweep/reseal'

const DAY_MS = 86_400_000
/** Number of rounds without a failure before the one at the expiry of tokens and links. */
const ROUNDS = 2
/** Time until tokens and links that the previous key encrypted have expired, in milliseconds. */
const EXPIRY_MS = 8 * DAY_MS
/** Time without a write after which a pass counts as dead, in milliseconds. */
const QUIET_MS = 900_000
/** Duration of a pass, in milliseconds; the next pass continues with the next tenant. */
const PASS_MS = 20_000

interface Counts {
  readonly tenants: number
  /** Number of values that are encrypted under the current key now. */
  readonly values: number
  /** Number of values that neither key decrypts. */
  readonly lost: number
  /** Number of tenants whose data could not be processed. */
  readonly failed: number
}
const NO_COUNTS: Counts = { tenants: 0, values: 0, lost: 0, failed: 0 }

interface Progress extends Counts {
  /** Exchange to which the progress belongs. */
  readonly rotation: string
  /** Start of the first round, in milliseconds since 1970. */
  readonly began_at: number
  /** Start of the next round, or of the present one, in milliseconds since 1970. */
  readonly next_at: number
  /** Time at which this row was written, in milliseconds since 1970. */
  readonly at: number
  /** Number of completed rounds without a failure. */
  readonly rounds: number
  /** Position of the last processed tenant in the list; '' is the operator's. Absent at first. */
  readonly after?: string | undefined
}

async function read({ store, secrets }: World) {
  const [row] = await store.heads([RESEAL])
  if (!row) return { version: null, progress: undefined }
  const progress = stored<Progress>('the exchange of the master key', row.body, {
    ...{ rotation: 'string', next_at: 'number', at: 'number' },
  })
  const isCurrent = progress.rotation === secrets.rotation
  return { version: row.version, progress: isCurrent ? progress : undefined }
}

/** Writes the progress; false after a conflict, when another process continues. */
const write = async (world: World, version: number | null, progress: Omit<Progress, 'at'>) => {
  const body = JSON.stringify({ ...progress, at: world.clock.now() })
  return (await world.store.commit(RESEAL, [], { expect: version, body })) === 'ok'
}

const send = ({ queue }: World) =>
  queue.send([{ partition: RESEAL, lane: 'background', started: false, staleCount: 0 }])

/** Wakes a round that is due, or whose wake was lost. Reads nothing while there is one key. */
export async function wakeReseal(world: World): Promise<void> {
  const { rotation } = world.secrets
  if (rotation === undefined) return
  const now = world.clock.now()
  const { version, progress } = await read(world)
  if (!progress) {
    const first = { ...NO_COUNTS, rotation, began_at: now, next_at: now, rounds: 0 }
    if (await write(world, version, first)) await send(world)
  } else if (progress.next_at <= now && progress.at <= now - QUIET_MS) {
    await send(world)
  }
}

/** Makes a pass. Two concurrent passes repeat work, and the slower one stops. */
export async function advanceReseal(world: World): Promise<void> {
  const current = await read(world)
  let { version, progress } = current
  if (!progress || version === null || progress.next_at > world.clock.now()) return
  const end = world.clock.monotonic() + PASS_MS
  for (;;) {
    const next = await nextTenant(world, progress.after)
    if (next === undefined) {
      await finish(world, version, progress)
      return
    }
    progress = {
      ...progress,
      ...added(progress, await resealTenant(world, next.id)),
      after: next.at,
    }
    if (!(await write(world, version, progress))) return
    version += 1
    if (world.clock.monotonic() >= end) {
      await send(world)
      return
    }
  }
}

/** Returns the next tenant: the operator's, and then the list; undefined at its end. */
async function nextTenant({ store }: World, after: string | undefined) {
  if (after === undefined) return { id: DEFAULT_TENANT, at: '' }
  for (let position = after || undefined; ; ) {
    const [row] = await store.list(TENANTS_LIST, position, 1)
    if (!row) return undefined
    const { id, status } = storedTenantOf(row.body)
    if (id !== DEFAULT_TENANT && !isGone(status)) return { id, at: row.at }
    position = row.at
  }
}

async function resealTenant(world: World, tenant: string): Promise<Counts> {
  try {
    const result = await reseal({ world, tenant, by: 'system' })
    return { tenants: 1, values: result.resealed, lost: result.lost.length, failed: 0 }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    world.log?.write({ level: 'error', event: 'secrets.reseal_failed', tenant, reason })
    return { tenants: 1, values: 0, lost: 0, failed: 1 }
  }
}

const added = (sum: Counts, more: Counts): Counts => ({
  tenants: sum.tenants + more.tenants,
  values: sum.values + more.values,
  lost: sum.lost + more.lost,
  failed: sum.failed + more.failed,
})

/** Says whether the previous key is needed; a round that failed decides nothing. */
function previousKeyText({ failed, began_at }: Progress, rounds: number, next_at: number): string {
  if (failed > 0 || rounds < ROUNDS) return `needed; the next round begins at ${iso(next_at)}`
  if (next_at === began_at + EXPIRY_MS) return `needed by tokens and links until ${iso(next_at)}`
  return 'can be removed: unset STRATA_MASTER_KEY_PREVIOUS'
}

/** Ends a round, logs its counts, and sets the time of the next one. */
async function finish(world: World, version: number, progress: Progress): Promise<void> {
  const { rotation, began_at, tenants, values, failed } = progress
  const now = world.clock.now()
  const rounds = progress.rounds + (failed === 0 ? 1 : 0)
  const expiry = began_at + EXPIRY_MS
  const next_at = rounds === ROUNDS && now < expiry ? expiry : now + DAY_MS
  const next = { ...NO_COUNTS, rotation, began_at, rounds, next_at }
  if (!(await write(world, version, next))) return
  world.log?.write({
    ...{ level: failed === 0 ? 'info' : 'warn', event: 'secrets.resealed' },
    ...{ tenants, values, lost: progress.lost, failed },
    previous_key: previousKeyText(progress, rounds, next_at),
  })
}
