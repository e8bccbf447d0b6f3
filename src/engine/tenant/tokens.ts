/**
 * Tokens (`core/token.ts`): self-contained and sealed by the deployment. No token is stored, and
 * verification reads only the parent key. A token ends with that key or at its expiry by the
 * server's clock, and never exceeds the key's current rights.
 */

import { type Refusal, refusal } from '../../core/problem.ts'
import { holds } from '../../core/scopes.ts'
import {
  TOKEN_SCOPES,
  type TokenBinding,
  type TokenKind,
  type TokenSubject,
} from '../../core/token.ts'
import { random } from '../../lib/id.ts'
import { boundedCache } from '../../lib/lru-cache.ts'
import { fail, type Outcome, ok } from '../../lib/outcome.ts'
import { iso, parseTime } from '../../lib/time.ts'
import type { World } from '../../ports/world.ts'
import { processMemory } from '../partition/process.ts'
import { hasExpired, type KeyMaker, type Principal, readKey } from './api-keys.ts'
import { audit } from './audit.ts'

export interface TokenRequest extends TokenSubject {
  readonly scopes: readonly string[]
  readonly expires_in: number
  /** ID of a token that may be created repeatedly; if absent, a new ID is generated. */
  readonly id?: string
  readonly ends?: string | undefined
}

export interface MadeToken {
  readonly token: string
  readonly id: string
  readonly scopes: readonly string[]
  /** Expiry time of the token in milliseconds since 1970; at most the key's expiry. */
  readonly until: number
}

interface SealedToken extends TokenBinding {
  readonly tenant: string
  readonly key_id: string
  readonly scopes: readonly string[]
}

const PREFIX = 'strata_token_'
const FORM = /^strata_token_([\w.-]{1,2000})$/
const CONTEXT = 'token'

/** Cache of opened tokens by their text; the content of an opened token never changes. */
const openedTokens = processMemory('tokens', () => boundedCache<SealedToken>(1_000))

export const isToken = (text: string): boolean => text.startsWith(PREFIX)

/** Rejects scopes that this kind of token or its key lacks. */
export function scopesRefusal(
  { scopes: holderScopes }: Pick<Principal, 'scopes'>,
  kind: TokenKind,
  scopes: readonly string[],
): Refusal | undefined {
  const allowed: readonly string[] = TOKEN_SCOPES[kind]
  const errors = scopes.flatMap((scope, index) =>
    allowed.includes(scope)
      ? []
      : [{ pointer: `/scopes/${index}`, message: `not allowed in a token for a ${kind}` }],
  )
  if (errors.length > 0) {
    const message = `A token for a ${kind} can have only the scopes ${allowed.join(', ')}.`
    return refusal('invalid_request', message, { errors })
  }
  const lacking = scopes.filter((scope) => !holds(holderScopes, scope))
  if (lacking.length === 0) return undefined
  return refusal(
    'insufficient_scope',
    `A token can have only its key's scopes; this key lacks ${lacking.join(', ')}.`,
  )
}

/**
 * Creates a token for an existing subject. A token created by a browser session ends with that
 * session (`ends`, RFC 3339), so that a session cannot extend itself; `ends` is absent if a key
 * creates the token.
 */
export async function makeToken(
  maker: KeyMaker,
  { kind, subject, scopes: requestedScopes, expires_in, ends, id: requestedId }: TokenRequest,
): Promise<Outcome<MadeToken, Refusal>> {
  const scopes = [...new Set(requestedScopes)]
  const rejection = scopesRefusal(maker, kind, scopes)
  if (rejection) return fail(rejection)
  const { world, tenant, by } = maker
  const id = requestedId ?? random('tok', world.clock.random(17))
  const requestedEnd = world.clock.now() + expires_in * 1_000
  const key = await readKey(world, by)
  if (!key) return fail(refusal('insufficient_scope', 'Only an API key can create tokens.'))
  const bounds = [key.expires_at, ends].map((end) => parseTime(end ?? '') ?? requestedEnd)
  const until = Math.min(requestedEnd, ...bounds)
  const sealed = { id, kind, subject, until, tenant, key_id: by, scopes } satisfies SealedToken
  const token = PREFIX + (await world.secrets.seal(JSON.stringify(sealed), CONTEXT))
  const detail = `${kind} ${subject} ${scopes.join(' ')} until ${iso(until)}`
  const entry = { kind: 'token', name: id, action: 'create', by, number: 0, detail } as const
  await audit(world, tenant, entry, requestedId && 'create')
  return ok({ token, id, scopes, until })
}

/**
 * Verifies a token; returns undefined if it is forged, expired, or from another deployment, or if
 * its key has ended.
 */
export async function verifyToken(world: World, text: string): Promise<Principal | undefined> {
  const sealed = await openToken(world, text)
  const now = world.clock.now()
  if (!sealed || sealed.until <= now) return undefined
  const { tenant, key_id, scopes, ...token } = sealed
  const key = await readKey(world, key_id)
  if (key?.tenant !== tenant || hasExpired(key, now)) return undefined
  return { tenant, key_id, scopes: scopes.filter((scope) => holds(key.scopes, scope)), token }
}

async function openToken(world: World, text: string): Promise<SealedToken | undefined> {
  const cached = openedTokens(world.store).get(text)
  if (cached) return cached
  const [, body] = FORM.exec(text) ?? []
  const opened = body && (await world.secrets.open(body, CONTEXT))
  if (!opened) return undefined
  const sealed = JSON.parse(opened) as SealedToken
  openedTokens(world.store).set(text, sealed)
  return sealed
}
