/** Encryption of bodies: what opens, and what does not. */

import { createDecipheriv, createHmac, hkdfSync } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { encode } from '../../../src/lib/bytes.ts'
import { cipherOf, isEncrypted, OVERHEAD_BYTES } from '../../../src/lib/cipher.ts'

const key = (byte: number) => cipherOf(new Uint8Array(32).fill(byte))
const cipher = key(1)
const TEXT = '{"input":"the plan for the merger"}'
const PLACE = 'acme/run/run_1\0f/0000000001'

describe('a cipher', () => {
  it('opens texts and bytes at their place, and shows nothing of them', () => {
    const sealed = cipher.sealText(PLACE, TEXT)
    expect(sealed).not.toMatch(/merger/)
    expect(cipher.openText(PLACE, sealed)).toBe(TEXT)
    const bytes = cipher.seal('acme/files/a', encode(TEXT))
    expect(Buffer.from(bytes).toString('latin1')).not.toContain('merger')
    expect(bytes.byteLength).toBe(TEXT.length + OVERHEAD_BYTES)
    expect(cipher.open('acme/files/a', bytes)).toEqual(encode(TEXT))
    expect(cipher.openText(PLACE, cipher.sealText(PLACE, ''))).toBe('')
    expect(cipher.openText(PLACE, cipher.sealText(PLACE, 'ä🙂\u0000'))).toBe('ä🙂\u0000')
  })

  it('opens nothing at another place, with another key, or after a change', () => {
    const sealed = cipher.sealText(PLACE, TEXT)
    expect(cipher.openText(`${PLACE}0`, sealed)).toBeUndefined()
    expect(key(2).openText(PLACE, sealed)).toBeUndefined()
    const flipped = `${sealed.slice(0, 40)}${sealed[40] === 'A' ? 'B' : 'A'}${sealed.slice(41)}`
    expect(cipher.openText(PLACE, flipped)).toBeUndefined()
    expect(cipher.openText(PLACE, TEXT)).toBeUndefined()
    expect(cipher.openText(PLACE, 'enc1.')).toBeUndefined()
    const bytes = cipher.seal('a', encode(TEXT))
    expect(cipher.open('b', bytes)).toBeUndefined()
    bytes[bytes.length - 1]! ^= 1
    expect(cipher.open('a', bytes)).toBeUndefined()
  })

  it('gives equal bodies at one place equal bytes, and different ones elsewhere', () => {
    expect(cipher.sealText(PLACE, TEXT)).toBe(cipher.sealText(PLACE, TEXT))
    const elsewhere = cipher.sealText(`${PLACE}0`, TEXT)
    expect(elsewhere.slice(0, 21)).not.toBe(cipher.sealText(PLACE, TEXT).slice(0, 21))
  })

  // A stored format: what it says here is what every later version must open.
  it('derives its keys by HKDF with SHA-512, and its nonces by HMAC with SHA-256', () => {
    const sealed = Buffer.from(cipher.sealText(PLACE, TEXT).slice('enc1.'.length), 'base64')
    const keys = Buffer.from(hkdfSync('sha512', new Uint8Array(32).fill(1), '', PLACE, 64))
    const nonce = createHmac('sha256', keys.subarray(32)).update(TEXT).digest().subarray(0, 12)
    expect(sealed.subarray(0, 12)).toEqual(nonce)
    const decipher = createDecipheriv('aes-256-gcm', keys.subarray(0, 32), nonce)
    decipher.setAAD(Buffer.from(PLACE)).setAuthTag(sealed.subarray(-16))
    const text = Buffer.concat([decipher.update(sealed.subarray(12, -16)), decipher.final()])
    expect(text.toString()).toBe(TEXT)
  })

  it('recognizes encrypted bytes by their mark, and no text file', () => {
    expect(isEncrypted(cipher.seal('a', new Uint8Array()))).toBe(true)
    expect(isEncrypted(encode('strata1 is a text file that is quite long, to be sure'))).toBe(false)
    expect(isEncrypted(new Uint8Array())).toBe(false)
  })
})
