/** Request credentials: each kind has its own form and verification. */

import { fail, type Outcome, ok } from '../../lib/outcome.ts'
import type { World } from '../../ports/world.ts'
import { type Principal, verifyKey } from './api-keys.ts'
import { isJwt, verifyIdentity } from './identities.ts'
import { isToken, verifyToken } from './tokens.ts'

/**
 * Returns the principal of a key, a token, or a JSON Web Token of a trusted issuer. Otherwise,
 * returns a sentence for the 401 response, which does not distinguish malformed, unknown, and
 * revoked keys.
 */
export async function verifyCredential(
  world: World,
  text: string,
): Promise<Outcome<Principal, string>> {
  if (world.settings.issuers?.length && isJwt(text)) return verifyIdentity(world, text)
  if (!isToken(text)) return verified(await verifyKey(world, text), 'Invalid API key.')
  return verified(await verifyToken(world, text), OVER)
}

const OVER =
  'Invalid token: it expired, its API key is no longer valid, or this deployment did ' +
  'not issue it.'

const verified = (principal: Principal | undefined, invalid: string): Outcome<Principal, string> =>
  principal ? ok(principal) : fail(invalid)
