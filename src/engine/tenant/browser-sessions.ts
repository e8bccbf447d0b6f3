/**
 * Browsers that are signed in to the console. An API key is exchanged for a session, whose secret
 * is a cookie: it has the rights of its key as they are now, and ends after twelve hours, with its
 * key, or when it is revoked. Only the hash of the secret is stored. Changes count at once in this
 * process, in others after 30 seconds.
 */

import { LIMITS } from '../../core/limits.ts'
import { type Refusal, refusal } from '../../core/problem.ts'
import { bounded } from '../../lib/bounded.ts'
import { random } from '../../lib/id.ts'
import { fail, type Outcome, ok } from '../../lib/outcome.ts'
import { iso, parseTime } from '../../lib/time.ts'
import { Unavailable } from '../../lib/unavailable.ts'
import type { World } from '../../ports/world.ts'
import { browserSessionPartition, browserSessionsList } from '../partition/keys.ts'
import { processMemory } from '../partition/process.ts'
import { stored } from '../partition/stored.ts'
import { hasExpired, type Principal, principalOf, readKey, type StoredKey } from './api-keys.ts'
import { type Asker, audit } from './audit.ts'
import { isSecretOf, newCredential, parseCredential } from './credential.ts'
import { leavePlace, type Quota, takePlace } from './quota.ts'

/** Times in RFC 3339. */
export interface StoredBrowserSession {
  readonly id: string
  readonly tenant: string
  /** Of the key that it was made from, whose rights it has. */
  readonly key_id: string
  readonly hash: string
  readonly created_at: string
  readonly expires_at: string
}

const PREFIX = 'strata_browser_'
const FORM = /^strata_browser_([0-9a-z]{26})_([0-9a-z]{52})_([0-9a-z]{6})$/
const LIFE_MS = LIMITS.browser_session_seconds * 1_000
/** A revoked session stops working after at most this long, in other processes. */
const CACHE_MS = 30_000

type Known = { readonly session: StoredBrowserSession; readonly until: number }
const cacheOf = processMemory('browserSessions', () => bounded<Known>(1_000))

const quotaOf = (tenant: string, key_id: string): Quota => ({
  ...{ name: `browser-${key_id}`, max: LIMITS.browser_sessions, lifeMs: LIFE_MS },
  // The places are its list: that of the tenant holds those of all keys.
  under: `${browserSessionsList(tenant)}/${key_id}`,
  ...{ owner: 'An API key', what: 'signed-in browsers' },
  wayOn: 'Sign one of them out (DELETE /v1/browser-sessions/{id}), or use another key.',
})

/** `how`: for the audit. The text is known to nobody else, and stored nowhere. */
export async function createBrowserSession(
  world: World,
  { tenant, key_id, expires_at }: StoredKey,
  how: string,
): Promise<Outcome<{ readonly text: string; readonly session: StoredBrowserSession }, Refusal>> {
  const now = world.clock.now()
  const id = random('brs', world.clock.random(17))
  const partition = browserSessionPartition(id)
  const full = await takePlace(world, tenant, quotaOf(tenant, key_id), partition)
  if (full) return fail(full)
  const end = Math.min(now + LIFE_MS, parseTime(expires_at ?? '') ?? Number.POSITIVE_INFINITY)
  const { text, hash } = newCredential(PREFIX, id.slice('brs_'.length), world.clock.random)
  const session = { id, tenant, key_id, hash, created_at: iso(now), expires_at: iso(end) }
  const done = await world.store.commit(partition, [], {
    ...{ expect: null, body: JSON.stringify(session), expiresAt: end },
    listed: { under: browserSessionsList(tenant), at: `${session.created_at} ${id}` },
  })
  if (done !== 'ok') throw new Unavailable(`storing a session of a browser was ${done}`)
  await noted({ world, tenant, by: key_id }, session, 'create', how)
  return ok({ text, session })
}

const sessionOf = (body: string): StoredBrowserSession =>
  stored<StoredBrowserSession>('a session of a browser', body, {
    ...{ id: 'string', tenant: 'string', key_id: 'string', hash: 'string', expires_at: 'string' },
  })

/** As it was read in the last 30 seconds; undefined: there is none. */
async function readSession(world: World, id: string): Promise<StoredBrowserSession | undefined> {
  const cache = cacheOf(world.store)
  const now = world.clock.now()
  const known = cache.get(id)
  if (known && known.until > now) return known.session
  const [row] = await world.store.heads([browserSessionPartition(id)])
  if (!row) {
    cache.delete(id)
    return undefined
  }
  const session = sessionOf(row.body)
  cache.set(id, { session, until: now + CACHE_MS })
  return session
}

const isOver = ({ expires_at }: StoredBrowserSession, now: number): boolean =>
  (parseTime(expires_at) ?? 0) <= now

/** The owner of the cookie, or undefined: malformed, unknown, revoked and over are the same. */
export async function verifyBrowserSession(
  world: World,
  text: string,
): Promise<Principal | undefined> {
  const parsed = parseCredential(FORM, text)
  if (!parsed) return undefined
  const session = await readSession(world, `brs_${parsed.id}`)
  const matches = isSecretOf(session?.hash, parsed.secret)
  const now = world.clock.now()
  if (!session || !matches || isOver(session, now)) return undefined
  const key = await keyOf(world, session)
  const until = parseTime(session.expires_at) ?? 0
  return key && { ...principalOf(key), browser: { id: session.id, until } }
}

/** Its key, while that counts. */
async function keyOf(
  world: World,
  { key_id, tenant }: StoredBrowserSession,
): Promise<StoredKey | undefined> {
  const key = await readKey(world, key_id)
  return key?.tenant === tenant && !hasExpired(key, world.clock.now()) ? key : undefined
}

/** Why it counts no more, its key apart; undefined: it does. */
export async function browserSessionEnd(world: World, id: string): Promise<string | undefined> {
  const session = await readSession(world, id)
  if (!session) return 'the session of the browser was revoked'
  return isOver(session, world.clock.now()) ? 'the session of the browser has expired' : undefined
}

export interface BrowserSession extends Omit<StoredBrowserSession, 'hash'> {
  /** Of its key, as they are now. */
  readonly scopes: readonly string[]
}

export function shownBrowserSession(
  { hash: _, ...session }: StoredBrowserSession,
  { scopes }: Pick<Principal, 'scopes'>,
): BrowserSession {
  return { ...session, scopes }
}

/** Undefined: there is none, it is another tenant's, or it is over. */
export async function findBrowserSession(
  world: World,
  tenant: string,
  id: string,
): Promise<BrowserSession | undefined> {
  const [row] = await world.store.heads([browserSessionPartition(id)])
  const session = row && sessionOf(row.body)
  return session?.tenant === tenant ? living(world, session) : undefined
}

async function living(
  world: World,
  session: StoredBrowserSession,
): Promise<BrowserSession | undefined> {
  if (isOver(session, world.clock.now())) return undefined
  const key = await keyOf(world, session)
  return key && shownBrowserSession(session, key)
}

/** Those of the tenant that are not over, the newest first, after `last`: so many rows are read. */
export async function listBrowserSessions(
  world: World,
  tenant: string,
  last: string | undefined,
  rows: number,
) {
  const listed = await world.store.list(browserSessionsList(tenant), last, rows)
  const all = listed.map(async ({ at, body }) => {
    const item = await living(world, sessionOf(body))
    return item ? [{ at, item }] : []
  })
  const reached = listed.length < rows ? undefined : listed.at(-1)?.at
  return { found: (await Promise.all(all)).flat(), reached }
}

/** `why`: for the audit. */
export async function endBrowserSession(
  asker: Asker,
  id: string,
  why: string,
): Promise<Outcome<undefined, Refusal>> {
  const { world, tenant } = asker
  const found = await findBrowserSession(world, tenant, id)
  if (!found) return fail(refusal('not_found', 'There is no such session of a browser.'))
  await world.store.drop(browserSessionPartition(id))
  cacheOf(world.store).delete(id)
  await leavePlace(world, tenant, quotaOf(tenant, found.key_id), browserSessionPartition(id))
  await noted(asker, found, 'delete', why)
  return ok(undefined)
}

const noted = (
  { world, tenant, by }: Asker,
  { id: name, key_id }: Pick<StoredBrowserSession, 'id' | 'key_id'>,
  action: 'create' | 'delete',
  detail: string,
): Promise<void> => {
  const change = action === 'create' ? { number: 1, after: key_id } : { number: 2, before: key_id }
  return audit(world, tenant, { kind: 'browser_session', name, action, by, detail, ...change })
}
