/**
 * Encrypts bodies with AES-256-GCM, each under a key of its own that is derived from a data key and
 * the body's place. A body that was moved to another place, or changed, does not open. The nonce is
 * derived from the body, so equal bodies at one place have equal ciphertexts, and a nonce repeats
 * under a key only with its body.
 */

import { createCipheriv, createDecipheriv, createHmac, createSecretKey } from 'node:crypto'
import { assert } from './assert.ts'

/** Length of a data key, in bytes. */
export const DATA_KEY_BYTES = 32
const AES = 'aes-256-gcm'
const NONCE_BYTES = 12
/** HKDF without a salt: as many zeros as the hash has bytes. */
const NO_SALT = Buffer.alloc(64)
/** Number of the only block of HKDF that is used. */
const FIRST_BLOCK = Buffer.of(1)
const TAG = { authTagLength: 16 }
/** The first byte is no text in UTF-8, so a text file never begins like an encrypted one. */
const MARK = Buffer.from('\u00ffstrata1\0', 'latin1')
/** Number of bytes by which an encrypted body is longer. */
export const OVERHEAD_BYTES = MARK.byteLength + NONCE_BYTES + TAG.authTagLength
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
  // With bytes as keys, Node's ciphers and HMACs take three times as long.
  const extracted = createSecretKey(createHmac('sha512', NO_SALT).update(dataKey).digest())
  /**
   * Derives the key of a place, and the secret of its nonces: the first 64 bytes of HKDF with
   * SHA-512 (RFC 5869). `hkdfSync` rejects places of more than 1,024 bytes and extracts each time.
   */
  const keysOf = (place: string) => {
    const bytes = createHmac('sha512', extracted).update(place).update(FIRST_BLOCK).digest()
    const key = createSecretKey(bytes.subarray(0, DATA_KEY_BYTES))
    return { key, nonces: createSecretKey(bytes.subarray(DATA_KEY_BYTES)) }
  }
  const encrypted = (place: string, body: Uint8Array): Buffer[] => {
    const { key, nonces } = keysOf(place)
    const nonce = createHmac('sha256', nonces).update(body).digest().subarray(0, NONCE_BYTES)
    const cipher = createCipheriv(AES, key, nonce, TAG)
    const text = cipher.setAAD(Buffer.from(place)).update(body)
    return [nonce, text, cipher.final(), cipher.getAuthTag()]
  }
  const decrypted = (place: string, sealed: Buffer): Buffer | undefined => {
    if (sealed.byteLength < OVERHEAD_BYTES - MARK.byteLength) return undefined
    const nonce = sealed.subarray(0, NONCE_BYTES)
    const decipher = createDecipheriv(AES, keysOf(place).key, nonce, TAG)
    decipher.setAAD(Buffer.from(place)).setAuthTag(sealed.subarray(-TAG.authTagLength))
    try {
      const body = decipher.update(sealed.subarray(NONCE_BYTES, -TAG.authTagLength))
      return Buffer.concat([body, decipher.final()])
    } catch {
      return undefined
    }
  }
  return {
    seal: (place, body) => new Uint8Array(Buffer.concat([MARK, ...encrypted(place, body)])),
    open(place, sealed) {
      const body =
        isEncrypted(sealed) && decrypted(place, Buffer.from(sealed.subarray(MARK.byteLength)))
      return body ? new Uint8Array(body) : undefined
    },
    sealText: (place, text) =>
      TEXT_MARK + Buffer.concat(encrypted(place, Buffer.from(text))).toString('base64'),
    openText: (place, sealed) =>
      sealed.startsWith(TEXT_MARK)
        ? decrypted(place, Buffer.from(sealed.slice(TEXT_MARK.length), 'base64'))?.toString()
        : undefined,
  }
}

/** Whether bytes begin like an encrypted body. */
export const isEncrypted = (bytes: Uint8Array): boolean =>
  bytes.byteLength >= OVERHEAD_BYTES && MARK.every((byte, index) => bytes[index] === byte)
