/**
 * Browser sessions: an API key, or a sign-in link made with a key, is exchanged for a secret that
 * the browser keeps in a cookie. A session has at most the current rights of its key. It ends after
 * twelve hours, with its key, or when revoked. Only the hash of the secret is stored. A revocation
 * takes effect immediately in this process, and within `key_cache_seconds` in others.
 */

import { LIMITS } from '../../core/limits.ts'
import { type Refusal, refusal } from '../../core/problem.ts'
import { holds } from '../../core/scopes.ts'
import { random } from '../../lib/id.ts'
import { boundedCache } from '../../lib/lru-cache.ts'
import { fail, type Outcome, ok } from '../../lib/outcome.ts'
import { iso, parseTime } from '../../lib/time.ts'
import { Unavailable } from '../../lib/unavailable.ts'
import type { World } from '../../ports/world.ts'
import { browserSessionPartition, browserSessionsList } from '../partition/keys.ts'
import { processMemory } from '../partition/process.ts'
import { stored } from '../partition/stored.ts'
import { hasExpired, KEY_CACHE_MS, type Principal, readKey, type StoredKey } from './api-keys.ts'
import { type Asker, audit } from './audit.ts'
import { freeSlot, reserveSlot, type Slot } from './resource-quota.ts'
import { isSecretOf, newCredential, parseCredential } from './secret-text.ts'

/** Stored browser session; all times are RFC 3339. */
export interface StoredBrowserSession {
  readonly id: string
  readonly tenant: string
  /** ID of the API key that created the session. */
  readonly key_id: string
  /** Scopes of the browser session; if absent, all scopes of its key. */
  readonly scopes?: readonly string[]
  readonly hash: string
  readonly created_at: string
  readonly expires_at: string
}

/** Browser session and its API key, both as currently stored. */
export interface BrowserSession {
  readonly session: StoredBrowserSession
  readonly key: StoredKey
}

const PREFIX = 'strata_browser'
const LIFE_MS = LIMITS.browser_session_seconds * 1_000

const slotOf = (tenant: string, id: string): Slot => ({
  ...{ tenant, kind: 'browsers', partition: browserSessionPartition(id) },
})

type Cached = { readonly session: StoredBrowserSession; readonly until: number }
const cacheOf = processMemory('browserSessions', () => boundedCache<Cached>(1_000))

/**
 * Creates a browser session and returns its secret, which is never stored. `how` is the detail of
 * the audit entry.
 */
export async function createBrowserSession(
  world: World,
  key: StoredKey,
  {
    scopes,
    how: method,
  }: { readonly scopes?: readonly string[] | undefined; readonly how: string },
): Promise<Outcome<BrowserSession & { readonly secret: string }, Refusal>> {
  const { tenant, key_id } = key
  const now = world.clock.now()
  const id = random('brs', world.clock.random(17))
  const full = await reserveSlot(world, slotOf(tenant, id))
  if (full) return fail(full)
  const { text, hash } = newCredential(PREFIX, id.slice('brs_'.length), world.clock.random)
  const end = Math.min(now + LIFE_MS, parseTime(key.expires_at ?? '') ?? Number.POSITIVE_INFINITY)
  const times = { created_at: iso(now), expires_at: iso(end) }
  const session = { id, tenant, key_id, hash, ...times, ...(scopes && { scopes }) }
  const done = await world.store.commit(browserSessionPartition(id), [], {
    ...{ expect: null, body: JSON.stringify(session), expiresAt: end },
    listed: { under: browserSessionsList(tenant), at: `${session.created_at} ${id}` },
  })
  if (done !== 'ok') throw new Unavailable(`could not store a browser session: ${done}`)
  await record({ world, tenant, by: key_id }, id, 'create', method)
  return ok({ session, key, secret: text })
}

/** Returns the scopes of the browser session that its key still has. */
export const scopesOf = ({ session, key }: BrowserSession): readonly string[] =>
  session.scopes?.filter((scope) => holds(key.scopes, scope)) ?? key.scopes

/**
 * Verifies the secret of a browser session. Returns undefined for a malformed, unknown, revoked, or
 * expired secret, without distinguishing them.
 */
export async function verifyBrowserSession(
  world: World,
  secret: string,
): Promise<Principal | undefined> {
  const parsed = parseCredential(PREFIX, secret)
  if (!parsed) return undefined
  const session = await readCached(world, `brs_${parsed.id}`)
  const matches = isSecretOf(session?.hash, parsed.secret)
  if (!session || !matches) return undefined
  const live = await withKey(world, session)
  if (!live) return undefined
  const { tenant, key_id, id, expires_at } = session
  const browser = { id, expires_at }
  return { tenant, key_id, scopes: scopesOf(live), browser }
}

async function readCached(world: World, id: string): Promise<StoredBrowserSession | undefined> {
  const cache = cacheOf(world.store)
  const now = world.clock.now()
  const cached = cache.get(id)
  if (cached && cached.until > now) return cached.session
  const session = await read(world, id)
  if (session) cache.set(id, { session, until: now + KEY_CACHE_MS })
  else cache.delete(id)
  return session
}

async function read(world: World, id: string): Promise<StoredBrowserSession | undefined> {
  const [row] = await world.store.heads([browserSessionPartition(id)])
  return row ? sessionOf(row.body) : undefined
}

const sessionOf = (body: string): StoredBrowserSession =>
  stored<StoredBrowserSession>('a browser session', body, {
    ...{ id: 'string', tenant: 'string', key_id: 'string', hash: 'string', expires_at: 'string' },
  })

/** Returns the browser session with its key; undefined if either has ended. */
async function withKey(
  world: World,
  session: StoredBrowserSession,
): Promise<BrowserSession | undefined> {
  const now = world.clock.now()
  if ((parseTime(session.expires_at) ?? 0) <= now) return undefined
  const key = await readKey(world, session.key_id)
  const counts = key?.tenant === session.tenant && !hasExpired(key, now)
  return counts ? { session, key } : undefined
}

/** Finds a browser session; returns undefined if it has ended or belongs to another tenant. */
export async function findBrowserSession(
  { world, tenant }: Pick<Asker, 'world' | 'tenant'>,
  id: string,
): Promise<BrowserSession | undefined> {
  const session = await read(world, id)
  return session?.tenant === tenant ? withKey(world, session) : undefined
}

/** Parses the row of a browser session; returns undefined if the session has ended. */
export const browserSessionOf = (world: World, body: string): Promise<BrowserSession | undefined> =>
  withKey(world, sessionOf(body))

/** Ends a browser session; `how` is the detail of the audit entry. */
export async function endBrowserSession(
  asker: Asker,
  id: string,
  method: string,
): Promise<Outcome<undefined, Refusal>> {
  const { world } = asker
  if (!(await findBrowserSession(asker, id)))
    return fail(refusal('not_found', 'Browser session not found.'))
  const now = world.clock.now()
  await world.store.drop(browserSessionPartition(id))
  cacheOf(world.store).delete(id)
  await freeSlot(world, slotOf(asker.tenant, id), now)
  await record(asker, id, 'delete', method)
  return ok(undefined)
}

const record = (
  { world, tenant, by }: Asker,
  name: string,
  action: 'create' | 'delete',
  detail: string,
): Promise<void> =>
  audit(world, tenant, { kind: 'browser_session', name, action, by, number: 0, detail })
