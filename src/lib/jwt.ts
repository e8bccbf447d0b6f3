/** JSON Web Tokens (RFC 7519) that somebody else has signed, by jose, which is loaded when one comes. */

import type { JSONWebKeySet } from 'jose'

export type Jwks = JSONWebKeySet

export interface Expected {
  readonly issuer: string
  readonly audience: string
  /** Milliseconds since 1970. */
  readonly now: number
}

export type Verified =
  | {
      readonly ok: true
      readonly payload: Readonly<Record<string, unknown>>
      readonly until: number
    }
  /** `code`: of jose, such as `ERR_JWT_EXPIRED`. */
  | { readonly ok: false; readonly code: string }

/** Signed by public keys alone: with a shared secret the checker could sign too. */
const ALGORITHMS = ['RS256', 'PS256', 'ES256', 'ES384', 'EdDSA']
/** Clocks of issuers differ by so much (seconds). */
const TOLERANCE = 30

export const mayBeJwt = (text: string): boolean =>
  text.length <= 8_192 && /^[\w-]+\.[\w-]+\.[\w-]+$/.test(text)

/** Signature, issuer, audience and time; `exp` and `sub` are required. */
export async function verifyJwt(text: string, keys: Jwks, expected: Expected): Promise<Verified> {
  const { createLocalJWKSet, errors, jwtVerify } = await import('jose')
  try {
    const { payload } = await jwtVerify(text, createLocalJWKSet(keys), {
      issuer: expected.issuer,
      audience: expected.audience,
      algorithms: ALGORITHMS,
      clockTolerance: TOLERANCE,
      requiredClaims: ['exp', 'sub'],
      currentDate: new Date(expected.now),
    })
    return { ok: true, payload, until: (payload.exp! + TOLERANCE) * 1_000 }
  } catch (error) {
    return { ok: false, code: error instanceof errors.JOSEError ? error.code : 'ERR_JWT_INVALID' }
  }
}

/** It names a key that is not among these. */
export const isUnknownKey = (verified: Verified): boolean =>
  !verified.ok && verified.code === 'ERR_JWKS_NO_MATCHING_KEY'
