/** Ed25519 signatures (RFC 8032), verified against a raw public key of 32 bytes. */

import { createPublicKey, verify } from 'node:crypto'

/** The prefix of a raw key in the form that the platform takes (SPKI). */
const SPKI = Buffer.from('302a300506032b6570032100', 'hex')

/** False for everything that is no such signature; never throws. */
export function verifyEd25519(key: Uint8Array, data: Uint8Array, signature: Uint8Array): boolean {
  if (key.length !== 32 || signature.length !== 64) return false
  try {
    const der = Buffer.concat([SPKI, key])
    return verify(null, data, createPublicKey({ key: der, format: 'der', type: 'spki' }), signature)
  } catch {
    return false
  }
}
