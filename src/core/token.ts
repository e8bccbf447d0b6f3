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

/** A verified token: its id stands in the audit in place of the key's. */
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
