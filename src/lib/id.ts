/**
 * Defines IDs: a prefix for the kind, and 26 characters of Crockford base 32 (130 bits). An effect
 * derives the IDs of the resources that it creates from their cause, so creation is idempotent. An
 * ID never contains model-written text or a dot, which is the separator in webhook signatures.
 */

import { createHash } from 'node:crypto'

export type Prefix =
  | 'run'
  | 'ses'
  | 'apr'
  | 'fan'
  | 'whe'
  | 'dlv'
  | 'sch'
  | 'key'
  | 'brs'
  | 'lnk'
  | 'hk'
  | 'msg'
  | 'call'
  | 'evt'
  | 'req'
  | 'ver'
  | 'tok'

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'
const LENGTH = 26
const CHARACTERS = /^[0-9a-z]+$/

/**
 * Derives an ID from its cause. The parts of the cause are joined unambiguously, so `('a','bc')`
 * differs from `('ab','c')`.
 */
export function derivedId(prefix: Prefix, ...cause: readonly (string | number)[]): string {
  const hash = createHash('sha256').update(JSON.stringify(cause)).digest()
  return `${prefix}_${base32(hash)}`
}

/** Number of characters that related IDs share: 50 bits, so unrelated IDs rarely collide. */
export const AFFINITY_LENGTH = 10

/** Returns the characters that an ID shares with related IDs. */
export const affinityOf = (id: string): string => {
  const from = id.indexOf('_') + 1
  return id.slice(from, from + AFFINITY_LENGTH)
}

/**
 * Derives an ID that starts with the given affinity; the cause determines the remaining characters.
 */
export function derivedIdIn(
  prefix: Prefix,
  affinity: string,
  ...cause: readonly (string | number)[]
): string {
  return `${prefix}_${affinity}${derivedId(prefix, ...cause).slice(prefix.length + 1 + AFFINITY_LENGTH)}`
}

/** Returns a number in [0, 1) that the cause determines. */
export const fractionOf = (...cause: readonly (string | number)[]): number =>
  createHash('sha256').update(JSON.stringify(cause)).digest().readUInt32BE(0) / 2 ** 32

/** Creates a random ID from at least 17 random bytes. */
export const random = (prefix: Prefix, bytes: Uint8Array): string => `${prefix}_${base32(bytes)}`

/** Creates a random ID that starts with the given affinity, followed by 80 random bits. */
export const randomAmong = (prefix: Prefix, affinity: string, bytes: Uint8Array): string =>
  `${prefix}_${affinity}${base32(bytes).slice(AFFINITY_LENGTH)}`

/**
 * Reports whether a text has the format of an ID with this prefix. An approval ID is twice as long:
 * it contains the run's ID and a separate part.
 */
export function isId(prefix: Prefix, text: string): boolean {
  const length = prefix === 'apr' ? 2 * LENGTH : LENGTH
  const body = text.slice(prefix.length + 1)
  return text.startsWith(`${prefix}_`) && body.length === length && CHARACTERS.test(body)
}

/** Encodes bytes in lower-case Crockford base 32 and returns the first `length` characters. */
export function base32(bytes: Uint8Array, length = LENGTH): string {
  let out = ''
  let bits = 0
  let buffer = 0
  for (const byte of bytes) {
    buffer = (buffer << 8) | byte
    bits += 8
    while (bits >= 5 && out.length < length) {
      bits -= 5
      out += ALPHABET[(buffer >> bits) & 31]
    }
    buffer &= (1 << bits) - 1
  }
  return out
}
