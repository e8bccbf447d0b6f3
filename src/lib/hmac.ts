/** Computes the HMAC-SHA256 of concatenated parts; strings are encoded as UTF-8. */

import { createHmac } from 'node:crypto'

/** Returns the HMAC-SHA256 (32 bytes) in base64. */
export function hmacBase64(key: Uint8Array, ...parts: readonly (string | Uint8Array)[]): string {
  const hmac = createHmac('sha256', key)
  for (const part of parts) hmac.update(part)
  return hmac.digest('base64')
}

/** Returns the HMAC-SHA256 as 64 lower-case hex digits; the key is a string. */
export function hmacHex(key: string, ...parts: readonly (string | Uint8Array)[]): string {
  const hmac = createHmac('sha256', key)
  for (const part of parts) hmac.update(part)
  return hmac.digest('hex')
}
