/**
 * Links that sign a browser in once: made by an API key, good for ten minutes, and then exchanged
 * for a session of that key. The token stands behind the `#` of the address, which no server and no
 * log sees; only its hash is stored. Of many uses at once one wins.
 */

import { LIMITS } from '../../core/limits.ts'
import type { Refusal } from '../../core/problem.ts'
import { random } from '../../lib/id.ts'
import { fail, type Outcome, ok } from '../../lib/outcome.ts'
import { iso } from '../../lib/time.ts'
import { Unavailable } from '../../lib/unavailable.ts'
import type { World } from '../../ports/world.ts'
import { signInLinkPartition, signInLinksList } from '../partition/keys.ts'
import { stored } from '../partition/stored.ts'
import { update } from '../partition/update.ts'
import { hasExpired, readKey, type StoredKey } from './api-keys.ts'
import { audit } from './audit.ts'
import { isSecretOf, newCredential, parseCredential } from './credential.ts'
import { type Quota, takePlace } from './quota.ts'

interface StoredLink {
  readonly id: string
  readonly tenant: string
  readonly key_id: string
  readonly hash: string
  /** Milliseconds since 1970. */
  readonly until: number
  /** Names the one use; absent: it was not used. */
  readonly used_by?: string
}

export interface SignInLink {
  readonly id: string
  /** Shown once, stored nowhere. */
  readonly token: string
  readonly expires_at: string
}

const PREFIX = 'strata_link_'
const FORM = /^strata_link_([0-9a-z]{26})_([0-9a-z]{52})_([0-9a-z]{6})$/
const LIFE_MS = LIMITS.sign_in_link_seconds * 1_000

const quotaOf = (tenant: string, key_id: string): Quota => ({
  ...{ name: `links-${key_id}`, max: LIMITS.sign_in_links, lifeMs: LIFE_MS },
  under: `${signInLinksList(tenant)}/${key_id}`,
  ...{ owner: 'An API key', what: 'links to sign in within ten minutes' },
})

export async function createSignInLink(
  world: World,
  { tenant, key_id }: Pick<StoredKey, 'tenant' | 'key_id'>,
): Promise<Outcome<SignInLink, Refusal>> {
  const now = world.clock.now()
  const id = random('lnk', world.clock.random(17))
  const partition = signInLinkPartition(id)
  const full = await takePlace(world, tenant, quotaOf(tenant, key_id), partition)
  if (full) return fail(full)
  const { text, hash } = newCredential(PREFIX, id.slice('lnk_'.length), world.clock.random)
  const link: StoredLink = { id, tenant, key_id, hash, until: now + LIFE_MS }
  const done = await world.store.commit(partition, [], {
    ...{ expect: null, body: JSON.stringify(link), expiresAt: link.until },
    listed: { under: signInLinksList(tenant), at: `${iso(now)} ${id}` },
  })
  if (done !== 'ok') throw new Unavailable(`storing a link to sign in was ${done}`)
  const expires_at = iso(link.until)
  await audit(world, tenant, {
    ...{ kind: 'sign_in_link', name: id, action: 'create', by: key_id },
    ...{ number: 1, detail: `until ${expires_at}` },
  })
  return ok({ id, token: text, expires_at })
}

export interface FoundLink {
  readonly id: string
  readonly key: StoredKey
}

/** Undefined: malformed, unknown, used, over and of a key that ended are the same. */
export async function findSignInLink(world: World, token: string): Promise<FoundLink | undefined> {
  const found = await readLink(world, token)
  if (!found || found.link.used_by !== undefined) return undefined
  const key = await readKey(world, found.link.key_id)
  if (key?.tenant !== found.link.tenant || hasExpired(key, world.clock.now())) return undefined
  return { id: found.link.id, key }
}

async function readLink(world: World, token: string) {
  const parsed = parseCredential(FORM, token)
  if (!parsed) return undefined
  const [row] = await world.store.heads([signInLinkPartition(`lnk_${parsed.id}`)])
  const link = row && linkOf(row.body)
  const matches = isSecretOf(link?.hash, parsed.secret)
  if (!link || !matches || link.until <= world.clock.now()) return undefined
  return { link, version: row.version }
}

const linkOf = (body: string): StoredLink =>
  stored<StoredLink>('a link to sign in', body, {
    ...{ id: 'string', tenant: 'string', key_id: 'string', hash: 'string', until: 'number' },
  })

/** Whether this use of the link is the one that counts. */
export function takeSignInLink(world: World, token: string): Promise<boolean> {
  // A write whose outcome nobody knows is recognized by it.
  const used_by = random('req', world.clock.random(17))
  return update(world, 'the link to sign in', async () => {
    const found = await readLink(world, token)
    if (!found) return false
    const { link, version } = found
    if (link.used_by !== undefined) return link.used_by === used_by
    const done = await world.store.commit(signInLinkPartition(link.id), [], {
      ...{ expect: version, body: JSON.stringify({ ...link, used_by }), expiresAt: link.until },
    })
    return done === 'ok' ? true : undefined
  })
}
