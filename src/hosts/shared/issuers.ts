/** Reads the trusted OpenID Connect issuers from `OIDC_ISSUERS`, a JSON list. */

import * as z from 'zod'
import { type Issuer, isGrant, JWT_ALGORITHMS, TENANT_NAME } from '../../core/issuer.ts'
import { LIMITS } from '../../core/limits.ts'

const claimName = z.string().min(1).max(200)
const audience = z.string().min(1).max(500)

/** An issuer's URL uses https, without a query (OpenID Connect Discovery 1.0, section 3). */
function isIssuerUrl(text: string): boolean {
  const url = URL.parse(text)
  if (url === null || /[?#@]/.test(text)) return false
  const isLocal = /^(?:localhost|127\.0\.0\.1|\[::1\])$/.test(url.hostname)
  return url.protocol === 'https:' || (url.protocol === 'http:' && isLocal)
}

const IssuerEntry = z
  .strictObject({
    issuer: z.string().max(500).refine(isIssuerUrl, 'must be an https URL without a query'),
    audience: z.union([audience.transform((text) => [text]), z.array(audience).min(1).max(10)], {
      error: 'must be a text or a list of 1 to 10 texts',
    }),
    tenant: z.string().regex(TENANT_NAME).optional(),
    tenant_claim: claimName.optional(),
    scope_claim: claimName.default('scope'),
    scopes: z.array(z.string().refine(isGrant, 'is not a scope')).min(1).optional(),
    subject_claim: claimName.default('sub'),
    algorithms: z
      .array(z.enum(JWT_ALGORITHMS))
      .min(1)
      .default([...JWT_ALGORITHMS]),
  })
  .refine(({ tenant, tenant_claim }) => (tenant === undefined) !== (tenant_claim === undefined), {
    message: 'requires one of tenant and tenant_claim',
  })

const Entries = z
  .array(IssuerEntry)
  .max(LIMITS.issuers)
  .refine((entries) => new Set(entries.map(({ issuer }) => issuer)).size === entries.length, {
    message: 'lists an issuer twice',
  })

/** Returns the issuers; throws a one-line error that names the invalid member. */
export function issuersFromEnv(
  env: Readonly<Record<string, string | undefined>>,
): readonly Issuer[] {
  const text = env.OIDC_ISSUERS?.trim()
  if (!text) return []
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new Error('OIDC_ISSUERS must be a JSON list of issuers')
  }
  const parsed = Entries.safeParse(value)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  const path = ['OIDC_ISSUERS', ...(issue?.path ?? [])].join('/')
  throw new Error(`${path}: ${issue?.message ?? 'invalid'}`)
}
