/**
 * Tokens: credentials derived from a key for a page, a script, or a link. Each token is bound to a
 * run, session, fan-out, or approval, including descendants, or can read the entire tenant.
 */

import type { Prefix } from '../lib/id.ts'
import { SCOPES, type Scope } from './scopes.ts'

export type BoundKind = 'run' | 'session' | 'fanout' | 'approval'
export type TokenKind = BoundKind | 'tenant'

/** Subject to which a token is bound. */
export interface TokenSubject {
  readonly kind: TokenKind
  /** ID of the token's run, session, fan-out, or approval; empty for a tenant. */
  readonly subject: string
}

/** Verified token. The token's ID replaces the key's ID in the audit log. */
export interface TokenBinding extends TokenSubject {
  readonly id: string
  /** Expiry time of the token, in milliseconds since 1970. */
  readonly until: number
}

export const SUBJECT_PREFIX: Readonly<Record<BoundKind, Prefix>> = {
  run: 'run',
  session: 'ses',
  fanout: 'fan',
  approval: 'apr',
}

/** Path prefix of a signed link's page. The rest of the path is the token. */
export const LINK_PATH = '/decide/'

const TOKEN = /strata_token_[^/]+/gi
const LINKED = /^(\/+decide\/+).+/i
/**
 * Maximum number of percent-decoding passes over a path, because proxies may encode a path
 * repeatedly.
 */
const DECODED = 3

/**
 * Returns a request path for logs and errors. Any token in it, however encoded, is replaced by
 * `{token}`.
 */
export function withoutToken(path: string): string {
  let decoded = path
  for (let times = 0; times < DECODED && decoded.includes('%'); times += 1) {
    try {
      decoded = decodeURIComponent(decoded)
    } catch {
      break
    }
  }
  const hidden = decoded.replace(LINKED, '$1{token}').replace(TOKEN, '{token}')
  return hidden === decoded ? path : hidden
}

const RUN_SCOPES: readonly Scope[] = [
  'runs:read',
  'runs:write',
  'approvals:read',
  'approvals:write',
]

/** Scopes that a token of each kind may have. */
export const TOKEN_SCOPES: Readonly<Record<TokenKind, readonly Scope[]>> = {
  run: RUN_SCOPES,
  session: [...RUN_SCOPES, 'sessions:read', 'sessions:write'],
  fanout: RUN_SCOPES,
  approval: ['approvals:read', 'approvals:write'],
  // Even the names of secrets are for keys only.
  tenant: SCOPES.filter(
    (scope) => scope.endsWith(':read') && !['tenants:read', 'secrets:read'].includes(scope),
  ),
}
