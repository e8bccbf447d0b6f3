/**
 * Trusted OpenID Connect issuers: the configuration of each, and the rights that the claims of its
 * JSON Web Tokens grant.
 */

import { fail, type Outcome, ok } from '../lib/outcome.ts'
import { GRANTS, holds, LAYER_GRANT } from './scopes.ts'

/**
 * Signature algorithms with public keys (RFC 7518, RFC 8037). An algorithm with a shared secret
 * would let every verifier sign, and would allow a public key to be used as that secret.
 */
export const JWT_ALGORITHMS = [
  ...(['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'] as const),
  ...(['ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'] as const),
] as const
type JwtAlgorithm = (typeof JWT_ALGORITHMS)[number]

export interface Issuer {
  /** URL of the issuer, equal to the `iss` claim of its tokens. */
  readonly issuer: string
  /** Accepted values of the `aud` claim. */
  readonly audience: readonly string[]
  /** Tenant of all tokens; absent if `tenant_claim` names it. */
  readonly tenant?: string | undefined
  /** Claim with the tenant's name, which must not be the operator's tenant. */
  readonly tenant_claim?: string | undefined
  /** Claim with the scopes, as a space-separated text or a list. */
  readonly scope_claim: string
  /** Scopes that tokens can have at most; absent if the claim alone decides. */
  readonly scopes?: readonly string[] | undefined
  /** Claim that identifies the user. */
  readonly subject_claim: string
  readonly algorithms: readonly JwtAlgorithm[]
}

export interface IssuedRights {
  readonly tenant: string
  readonly subject: string
  readonly scopes: readonly string[]
}

export type Claims = Readonly<Record<string, unknown>>

/** Name of a tenant, as it precedes its storage keys. */
export const TENANT_NAME = /^[a-z0-9][a-z0-9-]{0,62}$/
/** Maximum length of a user's name, as of the `subject` of a run. */
const SUBJECT_MAX = 200
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u

/**
 * Returns the rights that verified claims grant, or a reason for the rejection. Scope names of
 * other services are ignored.
 */
export function rightsOf(
  issuer: Issuer,
  claims: Claims,
  operatorTenant: string,
): Outcome<IssuedRights, string> {
  const subject = claimOf(claims, issuer.subject_claim)
  if (
    typeof subject !== 'string' ||
    subject === '' ||
    subject.length > SUBJECT_MAX ||
    UNPRINTABLE.test(subject)
  )
    return fail(`its claim ${issuer.subject_claim} does not identify a user`)
  const tenant = issuer.tenant ?? claimOf(claims, issuer.tenant_claim ?? '')
  if (typeof tenant !== 'string' || !TENANT_NAME.test(tenant))
    return fail(`its claim ${issuer.tenant_claim} does not name a tenant`)
  if (issuer.tenant === undefined && tenant === operatorTenant)
    return fail(`its claim ${issuer.tenant_claim} names the operator's tenant`)
  const words = wordsOf(claimOf(claims, issuer.scope_claim)).filter(isGrant)
  return ok({ tenant, subject, scopes: common(words, issuer.scopes) })
}

/** Returns a claim by its name, or by its path in nested claims (`realm_access.roles`). */
function claimOf(claims: Claims, name: string): unknown {
  if (Object.hasOwn(claims, name)) return claims[name]
  let value: unknown = claims
  for (const member of name.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, member))
      return undefined
    value = (value as Claims)[member]
  }
  return value
}

function wordsOf(claim: unknown): string[] {
  if (typeof claim === 'string') return claim.split(/\s+/)
  return Array.isArray(claim) ? claim.filter((word) => typeof word === 'string') : []
}

export const isGrant = (word: string): boolean => GRANTS.includes(word) || LAYER_GRANT.test(word)

/** Returns the scopes that both lists grant. */
function common(words: readonly string[], most: readonly string[] | undefined): string[] {
  if (most === undefined) return [...new Set(words)]
  const granted = words.filter((word) => holds(most, word))
  return [...new Set([...granted, ...most.filter((scope) => holds(words, scope))])]
}
