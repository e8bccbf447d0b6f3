/**
 * Short-lived tokens: one run, session or approval, and what may be done with it. A page in a
 * browser gets one in place of an API key.
 */

import { isId, type Prefix } from '../lib/id.ts'
import type { Scope } from './scopes.ts'

export const TOKEN_ACTIONS = ['read', 'stream', 'decide'] as const
export type TokenAction = (typeof TOKEN_ACTIONS)[number]
export type SubjectKind = 'run' | 'session' | 'approval'

/** All that may be done with it. */
export interface TokenRights {
  /** `tok_…`: the audit names its uses so. */
  readonly id: string
  readonly kind: SubjectKind
  readonly subject: string
  readonly actions: readonly TokenAction[]
  /** Milliseconds since 1970. */
  readonly until: number
}

type Needs = Partial<Record<TokenAction, readonly Scope[]>>

/** By kind the actions that there are, each with the scopes that a key needs to hand it on. */
const SUBJECTS: Readonly<Record<SubjectKind, { readonly prefix: Prefix; readonly needs: Needs }>> =
  {
    run: { prefix: 'run', needs: { read: ['runs:read'], stream: ['runs:read'] } },
    // With the runs of the session.
    session: {
      prefix: 'ses',
      needs: { read: ['sessions:read', 'runs:read'], stream: ['sessions:read', 'runs:read'] },
    },
    approval: {
      prefix: 'apr',
      needs: { read: ['approvals:read'], decide: ['approvals:read', 'approvals:write'] },
    },
  }

/** The kind of thing that an id names, or undefined. */
export const subjectKind = (id: string): SubjectKind | undefined =>
  (Object.keys(SUBJECTS) as SubjectKind[]).find((kind) => isId(SUBJECTS[kind].prefix, id))

/** Undefined: there is no such action for this kind. */
export const needsOf = (kind: SubjectKind, action: TokenAction): readonly Scope[] | undefined =>
  SUBJECTS[kind].needs[action]
