/**
 * Sign-in links: created with an API key, valid for at most ten minutes, exchanged once for a
 * browser session of that key. The token follows the `#` of the URL, so no server or log receives
 * it; only its hash is stored. Only one of several concurrent uses succeeds.
 */

import { LIMITS } from '../../core/limits.ts'
import { type Refusal, refusal } from '../../core/problem.ts'
import { holds } from '../../core/scopes.ts'
import { random } from '../../lib/id.ts'
import { fail, type Outcome, ok } from '../../lib/outcome.ts'
import { iso } from '../../lib/time.ts'
import { Unavailable } from '../../lib/unavailable.ts'
import type { World } from '../../ports/world.ts'
import { signInLinkPartition } from '../partition/keys.ts'
import { stored } from '../partition/stored.ts'
import { update } from '../partition/update.ts'
import { hasExpired, type KeyMaker, readKey, type StoredKey } from './api-keys.ts'
import { audit } from './audit.ts'
import { isSecretOf, newCredential, parseCredential } from './secret-text.ts'

interface StoredLink {
  readonly id: string
  readonly tenant: string
  readonly key_id: string
  /** Scopes of the browser session; if absent, all scopes of the key. */
  readonly scopes?: readonly string[]
  readonly hash: string
  /** Expiry time of the sign-in link, in milliseconds since 1970. */
  readonly until: number
  /** ID of the single use of the link; absent while the link is unused. */
  readonly used_by?: string
}

export interface SignInLink {
  readonly token: string
  /** Expiry time of the sign-in link, in RFC 3339. */
  readonly expires_at: string
}

const PREFIX = 'strata_sign_in'

/**
 * Creates a sign-in link that lasts `expires_in` seconds; `scopes` defaults to all of the key's.
 */
export async function createSignInLink(
  { world, tenant, by, scopes: makerScopes }: KeyMaker,
  {
    scopes,
    expires_in = LIMITS.sign_in_link_seconds,
  }: { readonly scopes?: readonly string[] | undefined; readonly expires_in?: number | undefined },
): Promise<Outcome<SignInLink, Refusal>> {
  const lacking = scopes?.filter((scope) => !holds(makerScopes, scope)) ?? []
  if (lacking.length > 0) {
    const detail = `A link can grant only your key's scopes; your key lacks ${lacking.join(', ')}.`
    return fail(refusal('insufficient_scope', detail))
  }
  if (!(await readKey(world, by)))
    return fail(refusal('insufficient_scope', 'Only an API key can create sign-in links.'))
  const until = world.clock.now() + expires_in * 1_000
  const id = random('lnk', world.clock.random(17))
  const { text, hash } = newCredential(PREFIX, id.slice('lnk_'.length), world.clock.random)
  const link: StoredLink = { id, tenant, key_id: by, hash, until, ...(scopes && { scopes }) }
  const done = await world.store.commit(signInLinkPartition(id), [], {
    ...{ expect: null, body: JSON.stringify(link), expiresAt: until },
  })
  if (done !== 'ok') throw new Unavailable(`could not store a sign-in link: ${done}`)
  const detail = `until ${iso(until)}`
  await audit(world, tenant, {
    kind: 'sign_in_link',
    name: id,
    action: 'create',
    by,
    number: 0,
    detail,
  })
  return ok({ token: text, expires_at: iso(until) })
}

export interface TakenLink {
  readonly id: string
  readonly key: StoredKey
  readonly scopes: readonly string[] | undefined
}

/**
 * Exchanges a sign-in link. Returns undefined for a malformed, unknown, used, or expired token and
 * for an ended key, without distinguishing them. Returns `refused` for a key that `admits` rejects;
 * the link then stays unused.
 */
export async function takeSignInLink(
  world: World,
  token: string,
  admits: (key: StoredKey) => boolean,
): Promise<TakenLink | 'refused' | undefined> {
  const parsed = parseCredential(PREFIX, token)
  if (!parsed) return undefined
  const partition = signInLinkPartition(`lnk_${parsed.id}`)
  // This ID identifies the write if its outcome is unknown.
  const used_by = random('req', world.clock.random(17))
  const result = await update(world, 'the sign-in link', async () => {
    const [row] = await world.store.heads([partition])
    const link = row ? linkOf(row.body) : undefined
    const matches = isSecretOf(link?.hash, parsed.secret)
    const now = world.clock.now()
    if (!row || !link || !matches || link.until <= now) return 'none'
    const key = await readKey(world, link.key_id)
    if (key?.tenant !== link.tenant || hasExpired(key, now)) return 'none'
    const { id, scopes } = link
    if (link.used_by !== undefined) return link.used_by === used_by ? { id, scopes, key } : 'none'
    if (!admits(key)) return 'refused'
    const done = await world.store.commit(partition, [], {
      ...{ expect: row.version, body: JSON.stringify({ ...link, used_by }), expiresAt: link.until },
    })
    return done === 'ok' ? { id, scopes, key } : undefined
  })
  return result === 'none' ? undefined : result
}

const linkOf = (body: string): StoredLink =>
  stored<StoredLink>('a sign-in link', body, {
    ...{ id: 'string', tenant: 'string', key_id: 'string', hash: 'string', until: 'number' },
  })
