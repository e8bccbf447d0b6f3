/** AES-256-GCM of bytes, bound to what they are about: a nonce of chance, the ciphertext, its tag. */

import { createCipheriv, createDecipheriv, type KeyObject } from 'node:crypto'
import { DataKeyMissing } from '../../ports/world.ts'
import { systemClock } from './clock.ts'

const NONCE_BYTES = 12
const TAG_BYTES = 16
/** So many more than the bytes that are sealed. */
export const SEAL_BYTES = NONCE_BYTES + TAG_BYTES

/** Nonce, ciphertext, tag. A `KeyObject`, because bytes would be made one for each call. */
export function seal(key: KeyObject, about: Buffer, body: Uint8Array): Buffer {
  const nonce = systemClock.random(NONCE_BYTES)
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(about)
  return Buffer.concat([nonce, cipher.update(body), cipher.final(), cipher.getAuthTag()])
}

export function open(key: KeyObject, about: Buffer, sealed: Buffer, what: string): Buffer {
  const options = { authTagLength: TAG_BYTES }
  try {
    const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, NONCE_BYTES), options)
      .setAAD(about)
      .setAuthTag(sealed.subarray(-TAG_BYTES))
    const text = decipher.update(sealed.subarray(NONCE_BYTES, -TAG_BYTES))
    return Buffer.concat([text, decipher.final()])
  } catch (cause) {
    const why = 'does not open under the data key of its tenant: it was changed or moved'
    throw new DataKeyMissing(`${what} ${why}`, { cause })
  }
}
