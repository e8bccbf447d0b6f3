/**
 * API keys of a tenant: made, listed, changed, replaced, revoked. A key grants nothing that its
 * maker does not hold. Changes count at once in this process, in others after 5 seconds.
 */

import { LIMITS } from '../../core/limits.ts'
import { type Refusal, refusal } from '../../core/problem.ts'
import type { KeyRateLimits } from '../../core/rate-limits.ts'
import { holds } from '../../core/scopes.ts'
import { fail, type Outcome, ok } from '../../lib/outcome.ts'
import { iso, parseTime } from '../../lib/time.ts'
import { keyPartition, keysList } from '../partition/keys.ts'
import { update } from '../partition/update.ts'
import {
  createKey,
  forgetKey,
  type Grant,
  hasExpired,
  type StoredKey,
  storedKeyOf,
  writeKey,
} from './api-keys.ts'
import { type Asker, audit } from './audit.ts'
import type { Keyed } from './idempotency.ts'
import { settleId } from './idempotent-id.ts'
import { exceedsMaker, grantOf, withoutAbsent } from './key-grants.ts'
import { quotaRefusal } from './quota.ts'

/** An asker with the scopes of its own key. */
export interface KeyMaker extends Asker {
  readonly scopes: readonly string[]
}

export interface KeyRequest {
  readonly name?: string | undefined
  readonly scopes: readonly string[]
  /** RFC 3339; absent: it does not expire. */
  readonly expires_at?: string | undefined
  /** Absent: those of its maker. */
  readonly addresses?: readonly string[] | undefined
  /** Absent: those of its maker. */
  readonly rate_limits?: KeyRateLimits | undefined
}

export interface Made {
  /** Shown once; absent: an earlier answer has shown it. */
  readonly key?: string
  readonly stored: StoredKey
  readonly replayed: boolean
}

/** Characters of a key's id. */
const KEY_ID = 16

const missing = (): Refusal => refusal('not_found', 'API key not found.')

export async function makeKey(
  maker: KeyMaker,
  request: KeyRequest,
  keyed: Keyed | undefined,
): Promise<Outcome<Made, Refusal>> {
  const own = await findKey(maker, maker.by)
  const given = withoutAbsent(request)
  const grant = grantOf({
    ...(own?.key.expires_at && { expires_at: own.key.expires_at }),
    ...(own?.key.addresses && { addresses: own.key.addresses }),
    ...(own?.key.rate_limits && { rate_limits: own.key.rate_limits }),
    ...given,
    scopes: request.scopes,
  })
  const wider = exceedsMaker(maker.world, own?.key, grant)
  if (wider) return fail(wider)
  return createOnce(maker, grant, keyed, () => isPast(maker, request.expires_at))
}

/** Creates one key per `Idempotency-Key`; a repeated request is not shown its text again. */
async function createOnce(
  maker: KeyMaker,
  { scopes, ...more }: Grant,
  keyed: Keyed | undefined,
  refused: () => Refusal | undefined,
): Promise<Outcome<Made, Refusal>> {
  const { world, tenant } = maker
  // Also of a repeated request: it may come with another key.
  const lack = exceeds(maker, scopes)
  if (lack) return fail(lack)
  const validate = async () =>
    refused() ?? (await quotaRefusal(world, keysList(tenant), LIMITS.api_keys, 'API keys'))
  const settled = await settleId(world, tenant, 'key', keyed, validate)
  if (!settled.ok) return settled
  const id = settled.value.id.slice('key_'.length).slice(0, KEY_ID)
  const before = settled.value.known ? await findKey(maker, id) : undefined
  if (before) return ok({ stored: before.key, replayed: true })
  const made = await createKey(world, tenant, scopes, { ...more, id })
  await noted(maker, made.stored, 'create', scopes.join(' '))
  return ok({ ...made, replayed: false })
}

export function exceeds({ scopes: own }: KeyMaker, scopes: readonly string[]): Refusal | undefined {
  const lacking = scopes.filter((scope) => !holds(own, scope))
  if (lacking.length === 0) return undefined
  const message = `A key can grant only scopes that it has; yours lacks ${lacking.join(', ')}.`
  return refusal('insufficient_scope', message)
}

export function isPast({ world }: KeyMaker, expires_at: string | undefined): Refusal | undefined {
  if (expires_at === undefined || (parseTime(expires_at) ?? 0) > world.clock.now()) return undefined
  return refusal('invalid_request', 'The expiry of the key is in the past.')
}

/** Undefined: there is none, or it is another tenant's. */
export async function findKey(
  { world, tenant }: Pick<Asker, 'world' | 'tenant'>,
  id: string,
): Promise<{ readonly key: StoredKey; readonly version: number } | undefined> {
  const [row] = await world.store.heads([keyPartition(id)])
  const key = row && storedKeyOf(row.body)
  return key?.tenant === tenant ? { key, version: row!.version } : undefined
}

/** The old key goes on for `overlap_seconds`, or until its own end. */
export async function rotateKey(
  maker: KeyMaker,
  id: string,
  overlap_seconds: number,
  keyed: Keyed | undefined,
): Promise<Outcome<Made, Refusal>> {
  const { world } = maker
  const found = await findKey(maker, id)
  if (!found) return fail(missing())
  const grant = grantOf(found.key)
  const own = await findKey(maker, maker.by)
  const wider = exceedsMaker(world, own?.key, grant)
  if (wider) return fail(wider)
  const refused = () =>
    hasExpired(found.key, world.clock.now())
      ? refusal('conflict', 'The key has expired; create a new one.')
      : undefined
  const made = await createOnce(maker, grant, keyed, refused)
  if (!made.ok) return made
  // A repeated request finishes what one that died left: the old key ends no later than it does.
  const until = world.clock.now() + overlap_seconds * 1_000
  const gone = await update(world, 'the key', async () => {
    const again = await findKey(maker, id)
    if (!again) return true
    const end = Math.min(until, parseTime(again.key.expires_at ?? '') ?? until)
    const next = { ...again.key, expires_at: iso(end), revision: revisionAfter(again.key) }
    return (await writeKey(world, next, again.version)) === 'ok' ? false : undefined
  })
  forgetKey(world, id)
  const by = made.value.stored.key_id
  if (made.value.replayed) return made
  await noted(
    maker,
    found.key,
    'rotate',
    gone ? `it was revoked in the meantime; ${by}` : `by ${by}`,
  )
  return made
}

/** A key cannot revoke itself, so that the last one is not lost by mistake. */
export async function revokeKey(maker: KeyMaker, id: string): Promise<Outcome<undefined, Refusal>> {
  const { world, by } = maker
  const found = await findKey(maker, id)
  if (!found) return fail(missing())
  if (id === by) return fail(refusal('conflict', 'A key cannot revoke itself; use another key.'))
  await world.store.drop(keyPartition(id))
  forgetKey(world, id)
  await noted(maker, found.key, 'delete')
  return ok(undefined)
}

export const revisionAfter = ({ revision = 1 }: StoredKey): number => revision + 1

export const noted = (
  { world, tenant, by }: KeyMaker,
  { key_id: name }: StoredKey,
  action: 'create' | 'rotate' | 'update' | 'delete',
  detail?: string,
): Promise<void> => audit(world, tenant, { kind: 'key', name, action, by, number: 0, detail })
