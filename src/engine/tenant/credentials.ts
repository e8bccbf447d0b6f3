/** Request credentials: each kind has its own prefix and verification. */

import type { World } from '../../ports/world.ts'
import { type Principal, verifyKey } from './api-keys.ts'
import { isToken, verifyToken } from './tokens.ts'

/**
 * Returns the principal of a key or token; undefined if it is malformed, unknown, expired, or
 * revoked.
 */
export const verifyCredential = (world: World, text: string): Promise<Principal | undefined> =>
  isToken(text) ? verifyToken(world, text) : verifyKey(world, text)
