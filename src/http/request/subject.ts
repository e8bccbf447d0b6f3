/** End user of a run: chosen by a key, or the user of an identity provider. */

import type { Principal } from '../../engine/tenant/api-keys.ts'
import { refuse } from './problem.ts'

const KEYS_ONLY = 'Only a key can set `subject`; a token cannot choose an end user.'

/**
 * Returns the end user of a run; a user of an identity provider can only be that user. Null removes
 * the end user from a schedule or hook.
 */
export function subjectOf<T extends string | null | undefined>(
  { token, identity }: Principal,
  requested: T,
): T | string {
  if (token && requested !== undefined) throw refuse('insufficient_scope', KEYS_ONLY)
  if (!identity) return requested
  if (requested == null || requested === identity.subject) return identity.subject
  throw refuse('insufficient_scope', '`subject` must be the user of the JSON Web Token.')
}

/** Returns a request for later runs with the end user on whose behalf they act. */
export function withSubject<B extends object>(principal: Principal, body: B): B {
  const { subject } = body as { readonly subject?: string | null }
  return { ...body, subject: subjectOf(principal, subject) }
}
