/**
 * Texts that open something and are shown once: a name, 256 bits of chance, and a checksum, so that
 * a mistyped one is refused without a read. Only the SHA-256 of the secret is stored.
 */

import { equalSecret } from '../../lib/bytes.ts'
import { sha256 } from '../../lib/digest.ts'
import { base32 } from '../../lib/id.ts'

const checksum = (id: string, secret: string): string =>
  base32(Buffer.from(sha256(`${id}_${secret}`), 'hex'), 6)

export function newCredential(
  prefix: string,
  id: string,
  random: (bytes: number) => Uint8Array,
): { readonly text: string; readonly hash: string } {
  const secret = base32(random(33), 52)
  return { text: `${prefix}${id}_${secret}_${checksum(id, secret)}`, hash: sha256(secret) }
}

/** `form` finds the id, the secret and the checksum. Undefined: it is no such text. */
export function parseCredential(
  form: RegExp,
  text: string,
): { readonly id: string; readonly secret: string } | undefined {
  const [, id, secret, check] = form.exec(text) ?? []
  if (!id || !secret || !check || !equalSecret(checksum(id, secret), check)) return undefined
  return { id, secret }
}

/** Compared with when the id is unknown, so that both cases take the same time. */
const NOBODY = sha256('nobody')

/** `hash`: as it is stored; undefined: there is no such thing. */
export const isSecretOf = (hash: string | undefined, secret: string): boolean =>
  equalSecret(sha256(secret), hash ?? NOBODY)
