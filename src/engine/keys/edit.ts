/** Changes an API key: its name, scopes, expiry, addresses, rate limits, and quotas. */

import { changeOf } from '../../core/audit-change.ts'
import { type Refusal, refusal } from '../../core/problem.ts'
import { changedQuotas, type KeyQuota } from '../../core/tenant-quotas.ts'
import { fail, type Outcome, ok } from '../../lib/outcome.ts'
import { update } from '../partition/update.ts'
import {
  forgetKey,
  type Grant,
  hasExpired,
  type KeyMaker,
  type StoredKey,
  writeKey,
} from '../tenant/api-keys.ts'
import { exceedsMaker, grantOf, withoutAbsent } from './grants.ts'
import { auditKey, exceeds, findKey, isPast, revisionAfter } from './manage.ts'

/** Edit of an API key; null removes a member, undefined leaves it unchanged. */
export type KeyChange = {
  readonly [K in keyof Omit<Grant, 'quotas'>]?:
    | Grant[K]
    | undefined
    | (K extends 'scopes' ? never : null)
} & {
  /** Quotas to set, or to remove by null; others stay. */
  readonly quotas?: { readonly [Q in KeyQuota]?: number | null | undefined } | null | undefined
}

const missing = (): Refusal => refusal('not_found', 'API key not found.')

/**
 * Edits the key if its revision is still `revision`, as read by the caller; undefined accepts any
 * revision.
 */
export async function editKey(
  maker: KeyMaker,
  id: string,
  change: KeyChange,
  revision: string | undefined,
): Promise<Outcome<StoredKey, Refusal>> {
  const { world } = maker
  const makerKey = (await findKey(maker, maker.by))?.key
  const done = await update(
    world,
    'the key',
    async (): Promise<Outcome<KeyEdit, Refusal> | undefined> => {
      const current = await findKey(maker, id)
      if (!current) return fail(missing())
      const { key, version } = current
      if (revision !== undefined && revision !== String(key.revision ?? 1)) return fail(stale())
      const next = changed(key, change)
      const rejection = refusalOf(maker, makerKey, { key, next, change })
      if (rejection) return fail(rejection)
      return (await writeKey(world, next, version)) === 'ok' ? ok({ key, next }) : undefined
    },
  )
  forgetKey(world, id)
  if (!done.ok) return done
  const { key, next } = done.value
  const audited = changeOf(grantOf(key), grantOf(next))
  await auditKey(maker, next, 'update', { detail: detailOf(change), ...audited })
  return ok(next)
}

/** API key before and after an edit. */
interface KeyEdit {
  readonly key: StoredKey
  readonly next: StoredKey
}

const stale = (): Refusal =>
  refusal('precondition_failed', 'The key has changed since you read it; read it again and retry.')

function changed(key: StoredKey, change: KeyChange): StoredKey {
  const quotas = change.quotas && (changedQuotas(key.quotas, change.quotas) ?? null)
  const edited = { ...key, ...withoutAbsent({ ...change, quotas }) }
  const present = Object.fromEntries(
    Object.entries(edited).filter(([, value]) => value !== null),
  ) as unknown as StoredKey
  return { ...present, ...grantOf(present), revision: revisionAfter(key) }
}

function refusalOf(
  maker: KeyMaker,
  makerKey: StoredKey | undefined,
  { key, next, change }: { key: StoredKey; next: StoredKey; change: KeyChange },
): Refusal | undefined {
  const { name: _, ...rights } = withoutAbsent(change)
  if (key.key_id === maker.by && Object.keys(rights).length > 0) {
    return refusal(
      'conflict',
      'A key can change only its own name; use another key for other changes.',
    )
  }
  if (hasExpired(key, maker.world.clock.now())) {
    return refusal('conflict', 'The key has expired; create a new one.')
  }
  return (
    exceeds(maker, key.scopes) ??
    exceeds(maker, next.scopes) ??
    isPast(maker, change.expires_at ?? undefined) ??
    exceedsMaker(maker.world, makerKey, next)
  )
}

/** Returns a description of the changed members for the audit entry, limited in length. */
const detailOf = (change: KeyChange): string =>
  Object.entries(withoutAbsent(change))
    .map(([name, value]) => `${name}: ${JSON.stringify(value)}`)
    .join('; ')
    .slice(0, 500)
