/**
 * `Idempotency-Key`: the key names what a request creates. A caller that repeats the key and the
 * body bytes within 24 hours means the same thing and finishes the job if the first one died; the
 * answer is rebuilt from what was created (protocol rule 27). A refused request reserves nothing.
 */

import type { Refusal } from '../../core/problem.ts'
import { refusal } from '../../core/problem.ts'
import { sha256 } from '../../lib/digest.ts'
import type { Outcome } from '../../lib/outcome.ts'
import { fail, ok } from '../../lib/outcome.ts'
import type { World } from '../../ports/world.ts'
import { reservationPartition } from '../partition/keys.ts'
import { stored } from '../partition/stored.ts'
import { update } from '../partition/update.ts'

/**
 * The caller's input: its key (already of the right form), and the SHA-256 of the body. The same
 * key in another scope, which is the method and path or the inbound hook, is another key.
 */
export interface RequestKey {
  readonly scope: string
  readonly key: string
  readonly body: string
}

export interface Reservation {
  /** The id that this key stands for. */
  readonly id: string
  readonly reserved_at: number
  /**
   * Stands for a message to the run `id`, whose question it answers; this run has the session.
   */
  readonly answers?: string
  /** The request was refused after all, so that the named thing need not exist. */
  readonly refused?: true
}

interface ReservationHead extends Reservation {
  readonly body: string
  readonly expires_at: number
}

const KEPT_MS = 86_400_000
/** A reservation older than this whose id names nothing has been deleted since (milliseconds). */
export const GONE_MS = 600_000

/** Whether the named resource exists: until then a refused reservation binds no other request. */
type IsThere = (id: string) => Promise<boolean>

/** A request's knowledge of its key, once on its way. */
export interface Lookup {
  readonly keyed: RequestKey
  readonly isThere: IsThere | undefined
  /** The id that the key already names, if any. */
  readonly reservation: Reservation | undefined
  /** The version that a reservation is written on; undefined: it must be read again before. */
  readonly version: number | null | undefined
}

/** Looks the key up; refused when it was used with another body. */
export async function lookUp(
  world: World,
  tenant: string,
  requestKey: RequestKey,
  isThere?: IsThere,
): Promise<Outcome<Lookup, Refusal>> {
  const existing = await read(world, tenant, requestKey)
  const free = { keyed: requestKey, isThere, reservation: undefined }
  if (!existing) return ok({ ...free, version: null })
  if (await isFree(world, existing.head, requestKey, isThere)) {
    // One that was refused may come to be meanwhile, and then binds others again.
    return ok({ ...free, version: existing.head.refused ? undefined : existing.version })
  }
  const same = sameBody(existing.head, requestKey)
  return same.ok ? ok({ ...free, reservation: same.value, version: undefined }) : same
}

/**
 * The reserved request was refused in the last moment: the key is left to a corrected one. The same
 * body stays bound to the same id, because another caller with it may be about to create that.
 */
export async function refuseReservation(
  world: World,
  tenant: string,
  requestKey: RequestKey,
): Promise<void> {
  const existing = await read(world, tenant, requestKey)
  if (!existing || existing.head.body !== requestKey.body || existing.head.refused) return
  await world.store.commit(partitionOf(tenant, requestKey), [], {
    expect: existing.version,
    body: JSON.stringify({ ...existing.head, refused: true }),
    expiresAt: existing.head.expires_at,
  })
}

/** Makes the key stand for this id, or says which other one it stands for since. */
export async function reserve(
  world: World,
  tenant: string,
  { keyed: requestKey, isThere, reservation, version }: Lookup,
  id: string,
  answers?: string,
): Promise<Outcome<Reservation, Refusal>> {
  if (reservation) return ok(reservation)
  return update(world, 'the Idempotency-Key', async (count) => {
    const isSeen = count === 0 && version !== undefined
    const existing = isSeen ? undefined : await read(world, tenant, requestKey)
    if (existing && !(await isFree(world, existing.head, requestKey, isThere))) {
      return sameBody(existing.head, requestKey)
    }
    const now = world.clock.now()
    const reserved = { id, reserved_at: now, ...(answers === undefined ? {} : { answers }) }
    const head: ReservationHead = { ...reserved, body: requestKey.body, expires_at: now + KEPT_MS }
    const done = await world.store.commit(partitionOf(tenant, requestKey), [], {
      expect: isSeen ? version : (existing?.version ?? null),
      body: JSON.stringify(head),
      expiresAt: head.expires_at,
    })
    // The writer is unknown; the next read tells.
    return done === 'ok' ? ok(reserved) : undefined
  })
}

const partitionOf = (tenant: string, { scope, key }: RequestKey): string =>
  reservationPartition(tenant, sha256(`${scope}\n${key}`))

async function read(world: World, tenant: string, requestKey: RequestKey) {
  const [row] = await world.store.heads([partitionOf(tenant, requestKey)])
  return row
    ? {
        version: row.version,
        head: stored<ReservationHead>('a reservation', row.body, { id: 'string' }),
      }
    : undefined
}

/** Expiry counts, not absence: the store may keep a row for longer than it must. */
async function isFree(
  world: World,
  { id, body, expires_at, refused: wasRefused }: ReservationHead,
  requestKey: RequestKey,
  isThere: IsThere | undefined,
): Promise<boolean> {
  if (expires_at <= world.clock.now()) return true
  return wasRefused === true && body !== requestKey.body && (await isThere?.(id)) === false
}

function sameBody(head: ReservationHead, requestKey: RequestKey): Outcome<Reservation, Refusal> {
  const { id, reserved_at, refused: wasRefused, answers } = head
  const more = { ...(wasRefused && { refused: wasRefused }), ...(answers && { answers }) }
  if (head.body === requestKey.body) return ok({ id, reserved_at, ...more })
  return fail(
    refusal('idempotency_mismatch', 'This Idempotency-Key was used with a different body.'),
  )
}
