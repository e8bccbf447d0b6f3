/**
 * API keys of a tenant: made, listed, replaced, revoked. A key grants nothing that the one that
 * makes it does not hold. Changes count at once in this process, in others after 30 seconds.
 */

import { LIMITS } from '../../core/limits.ts'
import { type Refusal, refusal } from '../../core/problem.ts'
import { grants, PREFIXED } from '../../core/scopes.ts'
import { covered } from '../../lib/address.ts'
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
import { leavePlace, type Quota, quotaRefusal, takePlace } from './quota.ts'

/** An asker with the scopes of its own key. */
export interface KeyMaker extends Asker {
  readonly scopes: readonly string[]
  readonly allowed_addresses?: readonly string[]
}

export interface KeyRequest {
  readonly name?: string | undefined
  readonly scopes: readonly string[]
  /** RFC 3339; absent: with its maker, or never. */
  readonly expires_at?: string | undefined
  /** Absent: those of its maker. */
  readonly allowed_addresses?: readonly string[] | undefined
}

export interface Made {
  /** Shown once; absent: an earlier answer has shown it. */
  readonly key?: string
  readonly stored: StoredKey
  readonly replayed: boolean
}

/** Characters of a key's id. */
const KEY_ID = 16

const missing = (): Refusal => refusal('not_found', 'There is no such key.')

export async function makeKey(
  maker: KeyMaker,
  { name, scopes, expires_at, allowed_addresses }: KeyRequest,
  keyed: Keyed | undefined,
): Promise<Outcome<Made, Refusal>> {
  const own = await endOf(maker)
  const refused = () => isPast(maker, expires_at) ?? outlives(own, expires_at ?? own)
  const until = expires_at ?? own
  const end = until === undefined ? {} : { expires_at: iso(parseTime(until) ?? 0) }
  const from = allowed_addresses ?? maker.allowed_addresses
  const grant = {
    ...(name === undefined ? {} : { name }),
    ...end,
    ...(from && { allowed_addresses: [...new Set(from)] }),
    scopes: [...new Set(scopes)],
  }
  return createOnce(maker, grant, keyed, refused)
}

const quotaOf = (tenant: string): Quota => ({
  ...{ name: 'keys', under: keysList(tenant), max: LIMITS.api_keys, what: 'API keys' },
})

/** Under one `Idempotency-Key` one key; whoever repeats the request is not shown its text again. */
async function createOnce(
  maker: KeyMaker,
  { scopes, ...more }: Grant,
  keyed: Keyed | undefined,
  refused: () => Refusal | undefined,
): Promise<Outcome<Made, Refusal>> {
  const { world, tenant } = maker
  // Also of a repeated request: it may come with another key.
  const lack = exceeds(maker, scopes) ?? addressRefusal(maker, more.allowed_addresses)
  if (lack) return fail(lack)
  const validate = async () => refused() ?? (await quotaRefusal(world, quotaOf(tenant)))
  const settled = await settleId(world, tenant, 'key', keyed, validate)
  if (!settled.ok) return settled
  const id = settled.value.id.slice('key_'.length).slice(0, KEY_ID)
  const before = settled.value.known ? await findKey(maker, id) : undefined
  if (before) return ok({ stored: before.key, replayed: true })
  const full = await takePlace(world, tenant, quotaOf(tenant), keyPartition(id))
  if (full) return fail(full)
  const made = await createKey(world, tenant, scopes, { ...more, id })
  await noted(maker, made.stored, 'create', scopes.join(' '))
  return ok({ ...made, replayed: false })
}

function exceeds({ scopes: own }: KeyMaker, scopes: readonly string[]): Refusal | undefined {
  const lacking = scopes.filter((scope) => !grants(own, scope))
  if (lacking.length === 0) return undefined
  const files = lacking.some((scope) => PREFIXED.test(scope))
  const why = files ? ' (a prefix comes with files as they are: `config:raw`)' : ''
  const message = `A key grants what its maker holds; yours lacks ${lacking.join(', ')}${why}.`
  return refusal('insufficient_scope', message)
}

/** A key that counts at some addresses makes none that counts elsewhere. */
function addressRefusal(
  { allowed_addresses: own }: KeyMaker,
  addresses: readonly string[] | undefined,
): Refusal | undefined {
  if (own === undefined) return undefined
  const elsewhere = addresses?.filter((one) => !covered(own, one)) ?? ['every address']
  if (elsewhere.length === 0) return undefined
  const message = `A key counts where its maker does; yours does not at ${elsewhere.join(', ')}.`
  return refusal('insufficient_scope', message)
}

/** When the key of the maker ends, as it stands now: it may have been replaced a moment ago. */
const endOf = async (maker: KeyMaker): Promise<string | undefined> =>
  (await findKey(maker, maker.by))?.key.expires_at

/** A key that ends makes none that counts longer. Not of a repeated request: it shows no text. */
function outlives(own: string | undefined, expires_at: string | undefined): Refusal | undefined {
  if (own === undefined) return undefined
  if (expires_at !== undefined && parseTime(expires_at)! <= parseTime(own)!) return undefined
  const message = `A key counts no longer than its maker; yours expires at ${own}.`
  return refusal('insufficient_scope', message)
}

function isPast({ world }: KeyMaker, expires_at: string | undefined): Refusal | undefined {
  if (expires_at === undefined || (parseTime(expires_at) ?? 0) > world.clock.now()) return undefined
  return refusal('invalid_request', 'The key would have expired already.')
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
  const { scopes, name, expires_at, allowed_addresses } = found.key
  const grant = {
    scopes,
    ...(name === undefined ? {} : { name }),
    ...(expires_at && { expires_at }),
    ...(allowed_addresses && { allowed_addresses }),
  }
  const own = await endOf(maker)
  const refused = () =>
    hasExpired(found.key, world.clock.now())
      ? refusal('conflict', 'The key has expired; make a new one.')
      : outlives(own, expires_at)
  const made = await createOnce(maker, grant, keyed, refused)
  if (!made.ok) return made
  // A repeated request finishes what one that died left: the old key ends no later than it does.
  const until = world.clock.now() + overlap_seconds * 1_000
  const gone = await update(world, 'the key', async () => {
    const again = await findKey(maker, id)
    if (!again) return true
    const end = Math.min(until, parseTime(again.key.expires_at ?? '') ?? until)
    const next = { ...again.key, expires_at: iso(end) }
    return (await writeKey(world, next, again.version)) === 'ok' ? false : undefined
  })
  forgetKey(world, id)
  const by = made.value.stored.key_id
  if (made.value.replayed) return made
  await noted(maker, found.key, 'rotate', gone ? `it was revoked meanwhile; ${by}` : `by ${by}`)
  return made
}

/** A key does not revoke itself: nobody locks the last door from outside by mistake. */
export async function revokeKey(maker: KeyMaker, id: string): Promise<Outcome<undefined, Refusal>> {
  const { world, by } = maker
  const found = await findKey(maker, id)
  if (!found) return fail(missing())
  if (id === by) return fail(refusal('conflict', 'A key does not revoke itself: use another one.'))
  await world.store.drop(keyPartition(id))
  forgetKey(world, id)
  await leavePlace(world, maker.tenant, quotaOf(maker.tenant), keyPartition(id))
  await noted(maker, found.key, 'delete')
  return ok(undefined)
}

const noted = (
  { world, tenant, by }: KeyMaker,
  { key_id: name, scopes }: StoredKey,
  action: 'create' | 'rotate' | 'delete',
  detail?: string,
): Promise<void> => {
  const granted = scopes.join(' ')
  const values = action === 'create' ? { after: granted } : { before: granted }
  return audit(world, tenant, { kind: 'key', name, action, by, number: 0, detail, ...values })
}
