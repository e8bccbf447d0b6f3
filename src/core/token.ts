/**
 * Tokens: credentials that a key derives for a page, a script, or a link. Each is bound to one run,
 * session, fan-out, or approval with everything below it, or reads the whole tenant.
 */

import type { Prefix } from '../lib/id.ts'
import { SCOPES, type Scope } from './scopes.ts'

export type BoundKind = 'run' | 'session' | 'fanout' | 'approval'
export type TokenKind = BoundKind | 'tenant'

/** The subject of a token. */
export interface TokenSubject {
  readonly kind: TokenKind
  /** The id of the run, session, fan-out, or approval; empty for a tenant. */
  readonly subject: string
}

/** A verified token; its ID replaces the key's in the audit. */
export interface TokenBinding extends TokenSubject {
  readonly id: string
  /** Milliseconds since 1970. */
  readonly until: number
}

export const SUBJECT_PREFIX: Readonly<Record<BoundKind, Prefix>> = {
  run: 'run',
  session: 'ses',
  fanout: 'fan',
  approval: 'apr',
}

/** The page of a signed link; the rest of its path is the token. */
export const LINK_PATH = '/decide/'

const TOKEN = /strata_token_[^/]+/gi
const LINKED = /^(\/+decide\/+).+/i
/** A path that proxies have percent-encoded repeatedly. */
const DECODED = 3

/** A path for logs and refusals: a token in it, however it is encoded, is written `{token}`. */
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

/** The scopes that a token of each kind may have. */
export const TOKEN_SCOPES: Readonly<Record<TokenKind, readonly Scope[]>> = {
  run: RUN_SCOPES,
  session: [...RUN_SCOPES, 'sessions:read', 'sessions:write'],
  fanout: RUN_SCOPES,
  approval: ['approvals:read', 'approvals:write'],
  tenant: SCOPES.filter((scope) => scope.endsWith(':read')),
}
