/** Credentials of requests: each form has a separate prefix and verification. */

import type { World } from '../../ports/world.ts'
import { type Principal, verifyKey } from './api-keys.ts'
import { isToken, verifyToken } from './tokens.ts'

/**
 * Returns the owner of a key or a token; undefined when malformed, unknown, expired, or revoked.
 */
export const verifyCredential = (world: World, text: string): Promise<Principal | undefined> =>
  isToken(text) ? verifyToken(world, text) : verifyKey(world, text)
