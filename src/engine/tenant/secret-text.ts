/**
 * Secrets that are shown once: an ID, 256 random bits, and a checksum, so that a mistyped secret is
 * rejected without a read. Only the SHA-256 of the random part is stored.
 */

import { equalSecret } from '../../lib/bytes.ts'
import { sha256 } from '../../lib/digest.ts'
import { base32 } from '../../lib/id.ts'

/** Hash to compare with if the ID is unknown, so that known and unknown IDs take the same time. */
const NO_HASH = sha256('none')

const checksumOf = (id: string, secret: string): string =>
  base32(Buffer.from(sha256(`${id}_${secret}`), 'hex'), 6)

/** Returns the credential's text `<prefix>_<id>_<secret>_<checksum>` and the hash to store. */
export function newCredential(
  prefix: string,
  id: string,
  random: (bytes: number) => Uint8Array,
): { readonly text: string; readonly hash: string } {
  const secret = base32(random(33), 52)
  return { text: `${prefix}_${id}_${secret}_${checksumOf(id, secret)}`, hash: sha256(secret) }
}

const FORM = /^([0-9a-z]+)_([0-9a-z]{52})_([0-9a-z]{6})$/

/**
 * Parses a credential; returns undefined if the prefix differs, the ID does not have `length`
 * characters, or the checksum is wrong.
 */
export function parseCredential(
  prefix: string,
  text: string,
  length = 26,
): { readonly id: string; readonly secret: string } | undefined {
  if (!text.startsWith(`${prefix}_`)) return undefined
  const [, id, secret, check] = FORM.exec(text.slice(prefix.length + 1)) ?? []
  if (!secret || !check || id?.length !== length) return undefined
  return equalSecret(checksumOf(id, secret), check) ? { id, secret } : undefined
}

/** Compares a secret with a stored hash in constant time; `hash` is undefined if none is stored. */
export const isSecretOf = (hash: string | undefined, secret: string): boolean =>
  equalSecret(sha256(secret), hash ?? NO_HASH)
