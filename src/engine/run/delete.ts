/**
 * Deletes an ended run or fan-out before its retention ends. A later request with the same
 * Idempotency-Key is rejected, because the resource is gone.
 */

import { isOutboxEmpty } from '../../core/outbox.ts'
import { type Refusal, refusal } from '../../core/problem.ts'
import type { QuotaKey } from '../../core/tenant-quotas.ts'
import { fail, type Outcome, ok } from '../../lib/outcome.ts'
import { Unavailable } from '../../lib/unavailable.ts'
import type { World } from '../../ports/world.ts'
import { deletedPartition, parsePartition, snapshotPartition } from '../partition/keys.ts'
import type { Committed } from '../partition/log.ts'
import { readLog } from '../partition/log.ts'
import type { AnyFact, AnyState, LogType } from '../partition/log-type.ts'
import { audit } from '../tenant/audit.ts'
import { GONE_MS, type Reservation } from '../tenant/idempotency.ts'
import { deleteTree } from '../worker/retention.ts'
import { releaseEnded } from './quota.ts'

/**
 * Maximum time to wait for the outbox, in milliseconds. The outbox drains within milliseconds
 * unless a receiver blocks it.
 */
const WAIT_MS = 2_000
const POLL_MS = 25
/** Lifetime of an Idempotency-Key, and thus of the record of a deletion, in milliseconds. */
const REMEMBERED_MS = 24 * 3_600_000

interface Counted {
  readonly spec: { readonly key?: QuotaKey } | null
}

/**
 * Deletes an ended run or fan-out; returns false if it does not exist. `by` is the ID of the API
 * key, for the audit log.
 */
export async function deleteEnded<S extends AnyState & Counted, F extends AnyFact>(
  world: World,
  kind: LogType<S, F>,
  partition: string,
  by: string,
): Promise<Outcome<boolean, Refusal>> {
  const end = world.clock.monotonic() + WAIT_MS
  for (;;) {
    const log = await readLog(world, kind, partition)
    if (!log) return ok(false)
    if (log.state.ended_at === null) return fail(LIVES)
    if (!kind.isRoot(log.state)) return fail(BELOW)
    if (isSettled(world, log)) {
      await releaseEnded(world, parsePartition(partition).tenant, log.state.spec?.key)
      await remember(world, partition)
      if (await deleteTree(world, partition, log.head)) {
        // The previous lease owner may have written a snapshot in the meantime.
        await world.store.drop(snapshotPartition(partition))
        await auditDelete(world, partition, by)
        return ok(true)
      }
    }
    if (world.clock.monotonic() >= end) return fail(OWES)
    await world.clock.sleep(POLL_MS)
  }
}

async function auditDelete(world: World, partition: string, by: string): Promise<void> {
  const { tenant, kind, id } = parsePartition(partition)
  const about = { kind: kind as 'run' | 'fanout', name: id, by, number: 0 }
  await audit(world, tenant, { ...about, action: 'delete' }, 'delete')
}

const LIVES = refusal('conflict', 'The run has not ended; cancel it first.')
const BELOW = refusal('conflict', 'The run belongs to another run and is deleted with it.')
const OWES = refusal(
  'conflict',
  'The run has ended, but the run or one of its descendants still has pending work; ' +
    'retry later.',
)

/** Returns whether a log's lease is free, its outbox is empty, and its mail is read. */
const isSettled = <S extends AnyState, F extends AnyFact>(
  world: World,
  { head, state, mail }: Committed<S, F>,
): boolean =>
  isOutboxEmpty(state.outbox) &&
  mail.length === 0 &&
  (head.lease === null || head.lease.until < world.clock.now())

async function remember(world: World, partition: string): Promise<void> {
  const { tenant, id } = parsePartition(partition)
  const expiresAt = world.clock.now() + REMEMBERED_MS
  const row = { op: 'put', key: 'deleted', body: '{}', expect: 'any', expiresAt } as const
  const result = await world.store.commit(deletedPartition(tenant, id), [row])
  if (result !== 'ok') throw new Unavailable(`the deletion of ${id} could not be started`)
}

/**
 * Explains why the resource of an idempotency key is gone; returns undefined if the resource can
 * still be created.
 */
export async function goneRefused(
  world: World,
  tenant: string,
  { id, reserved_at, refused: wasRefused }: Reservation,
  label: 'run' | 'fan-out',
): Promise<Refusal | undefined> {
  const recent = wasRefused || world.clock.now() < reserved_at + GONE_MS
  if (recent && !(await wasDeleted(world, tenant, id))) return undefined
  return refusal('gone', `The ${label} ${id} created with this Idempotency-Key has been deleted.`)
}

/** Returns whether a caller deleted the resource, or started to delete it. */
const wasDeleted = async (world: World, tenant: string, id: string): Promise<boolean> =>
  (await world.store.read(deletedPartition(tenant, id))).length > 0
