/**
 * Encrypts bodies with AES-256-GCM, each under a key of its own that is derived from a data key and
 * the body's place. A body that was moved to another place, or changed, does not open. The nonce is
 * derived from the body, so equal bodies at one place have equal ciphertexts, and a nonce repeats
 * under a key only with its body.
 */

import { createCipheriv, createDecipheriv, createHmac } from 'node:crypto'
import { assert } from './assert.ts'
import { encode } from './bytes.ts'

/** Length of a data key, in bytes. */
export const DATA_KEY_BYTES = 32
const NONCE_BYTES = 12
const TAG_BYTES = 16
/** First byte is no text in UTF-8, so a text file never begins like an encrypted one. */
const MARK = Uint8Array.from([0xff, ...encode('strata1'), 0])
/** Number of bytes by which an encrypted body is longer. */
export const OVERHEAD_BYTES = MARK.byteLength + NONCE_BYTES + TAG_BYTES
/** Prefix of an encrypted text; no JSON begins with it. */
export const TEXT_MARK = 'enc1.'

export interface Cipher {
  /** Encrypts bytes for a place. */
  seal(place: string, body: Uint8Array): Uint8Array
  /** Decrypts bytes; undefined if they are damaged, or were encrypted for another place or key. */
  open(place: string, sealed: Uint8Array): Uint8Array | undefined
  /** Encrypts a text as text. */
  sealText(place: string, text: string): string
  /** Decrypts a text; undefined as in `open`, and for a text that is not encrypted. */
  openText(place: string, sealed: string): string | undefined
}

/** Returns the cipher of a data key of 32 bytes. */
export function cipherOf(dataKey: Uint8Array): Cipher {
  assert(dataKey.byteLength === DATA_KEY_BYTES, 'a data key must have 32 bytes')
  const keyOf = (place: string): Buffer => createHmac('sha256', dataKey).update(place).digest()
  const encrypted = (place: string, body: string | Uint8Array): Buffer[] => {
    const key = keyOf(place)
    const nonce = createHmac('sha256', key).update(body).digest().subarray(0, NONCE_BYTES)
    const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(place))
    const text = typeof body === 'string' ? cipher.update(body, 'utf8') : cipher.update(body)
    return [nonce, text, cipher.final(), cipher.getAuthTag()]
  }
  const decrypted = (place: string, sealed: Buffer): Buffer | undefined => {
    if (sealed.byteLength < NONCE_BYTES + TAG_BYTES) return undefined
    const nonce = sealed.subarray(0, NONCE_BYTES)
    const options = { authTagLength: TAG_BYTES }
    const decipher = createDecipheriv('aes-256-gcm', keyOf(place), nonce, options)
      .setAAD(Buffer.from(place))
      .setAuthTag(sealed.subarray(-TAG_BYTES))
    try {
      const text = decipher.update(sealed.subarray(NONCE_BYTES, -TAG_BYTES))
      return Buffer.concat([text, decipher.final()])
    } catch {
      return undefined
    }
  }
  return {
    seal: (place, body) => new Uint8Array(Buffer.concat([MARK, ...encrypted(place, body)])),
    open(place, sealed) {
      if (!isEncrypted(sealed)) return undefined
      const { buffer, byteOffset, byteLength } = sealed.subarray(MARK.byteLength)
      const body = decrypted(place, Buffer.from(buffer, byteOffset, byteLength))
      return body && new Uint8Array(body)
    },
    sealText: (place, text) =>
      TEXT_MARK + Buffer.concat(encrypted(place, text)).toString('base64url'),
    openText: (place, sealed) =>
      sealed.startsWith(TEXT_MARK)
        ? decrypted(place, Buffer.from(sealed.slice(TEXT_MARK.length), 'base64url'))?.toString()
        : undefined,
  }
}

/** Whether bytes begin like an encrypted body. */
export const isEncrypted = (bytes: Uint8Array): boolean =>
  bytes.byteLength >= OVERHEAD_BYTES && MARK.every((byte, index) => bytes[index] === byte)
