/** End user of a run: chosen by a key, or the user of an identity provider. */

import type { Principal } from '../../engine/tenant/api-keys.ts'
import { refuse } from './problem.ts'

const KEYS_ONLY = 'Only a key can set `subject`; a token cannot choose an end user.'

/** Returns the end user of a run; a user of an identity provider can only be that user. */
export function subjectOf(
  { token, identity }: Principal,
  requested: string | undefined,
): string | undefined {
  if (token && requested !== undefined) throw refuse('insufficient_scope', KEYS_ONLY)
  if (!identity) return requested
  if (requested === undefined || requested === identity.subject) return identity.subject
  throw refuse('insufficient_scope', '`subject` must be the user of the JSON Web Token.')
}
