/** Settings of an identity provider, whose tokens count beside API keys. */

import type { IdentityProvider } from '../../ports/world.ts'

/** Undefined: there is none. Throws a sentence when the settings do not go together. */
export function identityFromEnv(
  env: Readonly<Record<string, string | undefined>>,
): IdentityProvider | undefined {
  const given = (name: string): string | undefined => env[name]?.trim() || undefined
  const issuer = given('OIDC_ISSUER')
  const audience = given('OIDC_AUDIENCE')
  if (issuer === undefined && audience === undefined) return undefined
  if (issuer === undefined || audience === undefined)
    throw new Error('OIDC_ISSUER and OIDC_AUDIENCE go together')
  const url = URL.parse(issuer)
  if (!url || !/^https?:$/.test(url.protocol) || url.search !== '' || url.hash !== '')
    throw new Error('OIDC_ISSUER must be a URL such as https://login.example.com')
  return {
    ...{ issuer, audience },
    tenantClaim: given('OIDC_TENANT_CLAIM'),
    scopeClaim: given('OIDC_SCOPE_CLAIM') ?? 'scope',
  }
}
