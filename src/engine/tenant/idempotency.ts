/**
 * Handles `Idempotency-Key`: the key names the resource that a request creates. Within 24 hours,
 * the same key and body mean the same request; a retry completes it if the first attempt crashed.
 * The response is rebuilt from the created resource (PROTOCOL.md rule 27). A rejected request
 * reserves no key.
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
 * Valid idempotency key of the caller, with the SHA-256 of the request body. A key is specific to
 * its scope, which is the method and path, or the inbound hook.
 */
export interface RequestKey {
  readonly scope: string
  readonly key: string
  readonly body: string
}

export interface Reservation {
  /** ID of the resource that this idempotency key names. */
  readonly id: string
  readonly reserved_at: number
  /** ID of the session's new run; set if the request answered run `id`. */
  readonly answers?: string
  /** Set if the request was finally rejected; the resource then need not exist. */
  readonly refused?: true
}

interface ReservationHead extends Reservation {
  readonly body: string
  readonly expires_at: number
}

const KEPT_MS = 86_400_000
/** Age in milliseconds after which a reservation without its resource means a deleted resource. */
export const GONE_MS = 600_000

/** Reports whether the resource exists; without it, a rejected reservation binds no request. */
type IsThere = (id: string) => Promise<boolean>

/** Result of looking up a request's idempotency key. */
export interface Lookup {
  readonly keyed: RequestKey
  readonly isThere: IsThere | undefined
  /** Existing reservation of the idempotency key, if any. */
  readonly reservation: Reservation | undefined
  /** Expected version for writing the reservation; undefined requires reading it again first. */
  readonly version: number | null | undefined
}

/** Looks up the idempotency key; rejects a key that was used with another body. */
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
    // The rejected request may complete in the meantime, and its reservation is then binding.
    return ok({ ...free, version: existing.head.refused ? undefined : existing.version })
  }
  const same = sameBody(existing.head, requestKey)
  return same.ok ? ok({ ...free, reservation: same.value, version: undefined }) : same
}

/**
 * Releases the idempotency key of a request that was rejected at the last step. An identical body
 * keeps the same ID, because a concurrent caller may be creating the resource.
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

/** Reserves the key for this ID, or returns the ID that a concurrent request reserved for it. */
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
    // After a failed write, a new read determines which request reserved the key.
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

/**
 * Reports whether the reservation is free. Compares its expiry time, because the store may keep an
 * expired row.
 */
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
    refusal('idempotency_mismatch', 'This Idempotency-Key was already used with a different body.'),
  )
}
