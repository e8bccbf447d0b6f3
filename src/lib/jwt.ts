/**
 * Verifies JSON Web Tokens (RFC 7519) and loads key sets with jose. The first token loads this
 * module; named imports keep the rest of jose out of a bundle.
 */

import {
  createLocalJWKSet,
  createRemoteJWKSet,
  customFetch,
  decodeJwt,
  errors,
  type JSONWebKeySet,
  type JWTPayload,
  type JWTVerifyGetKey,
  jwtVerify,
  type RemoteJWKSet,
} from 'jose'
import { fail, type Outcome, ok } from './outcome.ts'

interface Expected {
  readonly issuer: string
  readonly audience: readonly string[]
  readonly algorithms: readonly string[]
  /** Maximum difference between the clocks of the issuer and this process, in seconds. */
  readonly clockTolerance: number
  /** Current time, in milliseconds since 1970. */
  readonly now: number
}

/** Returns `iss` of a token whose signature is not verified; undefined if it is malformed. */
export function issuerIn(text: string): unknown {
  try {
    return decodeJwt(text).iss ?? ''
  } catch {
    return undefined
  }
}

/**
 * Returns the payload of a token whose signature, issuer, audience, and times are valid; otherwise,
 * a phrase with the reason. Errors of `key` that are not about the token are thrown.
 */
export async function verifyJwt(
  text: string,
  key: JWTVerifyGetKey,
  { now, issuer, audience, algorithms, clockTolerance }: Expected,
): Promise<Outcome<JWTPayload & { readonly exp: number }, string>> {
  const lists = { audience: [...audience], algorithms: [...algorithms], requiredClaims: ['exp'] }
  const options = { ...lists, issuer, clockTolerance, currentDate: new Date(now) }
  try {
    const { payload } = await jwtVerify(text, key, options)
    return ok({ ...payload, exp: payload.exp! })
  } catch (error) {
    if (!(error instanceof errors.JOSEError)) throw error
    if (error instanceof errors.JWTClaimValidationFailed)
      return fail(`its claim ${error.claim} is missing or not accepted`)
    return fail(REASONS[error.code] ?? 'it is malformed')
  }
}

const REASONS: Readonly<Record<string, string>> = {
  ERR_JWT_EXPIRED: 'it has expired',
  ERR_JWS_SIGNATURE_VERIFICATION_FAILED: 'its signature does not match',
  ERR_JWKS_NO_MATCHING_KEY: 'its issuer has no such key',
  ERR_JWKS_MULTIPLE_MATCHING_KEYS: 'it does not name the key of its issuer',
  ERR_JOSE_ALG_NOT_ALLOWED: 'its algorithm is not accepted',
  ERR_JOSE_NOT_SUPPORTED: 'its algorithm is not accepted',
}

/** Returns a key set that `load` fetches, and fetches again for an unknown key. */
export const remoteKeys = (url: URL, load: (url: string) => Promise<JSONWebKeySet>): RemoteJWKSet =>
  createRemoteJWKSet(url, {
    [customFetch]: async (jwksUrl: string) => Response.json(await load(jwksUrl)),
  })

export const localKeys = (keys: JSONWebKeySet): JWTVerifyGetKey => createLocalJWKSet(keys)
