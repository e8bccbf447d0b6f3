/** Configuration of trusted issuers: defaults, and errors that name the invalid member. */

import { expect, it } from 'vitest'
import { issuersFromEnv } from '../../../../src/hosts/shared/issuers.ts'

const entry = { issuer: 'https://login.example', audience: 'api', tenant: 'acme' }
const read = (value: unknown) => issuersFromEnv({ OIDC_ISSUERS: JSON.stringify(value) })

it('reads issuers with their defaults', () => {
  expect(issuersFromEnv({})).toEqual([])
  expect(read([entry])).toMatchObject([
    { ...entry, audience: ['api'], scope_claim: 'scope', subject_claim: 'sub' },
  ])
  expect(read([{ ...entry, algorithms: ['ES256'] }])[0]?.algorithms).toEqual(['ES256'])
})

it.each([
  ['text', 'must be a JSON list'],
  ['{}', 'OIDC_ISSUERS: '],
  [JSON.stringify([{ ...entry, issuer: 'login.example' }]), 'OIDC_ISSUERS/0/issuer: '],
  [JSON.stringify([{ ...entry, issuer: 'http://login.example' }]), 'must be an https URL'],
  [JSON.stringify([{ ...entry, issuer: 'https://login.example?x=1' }]), 'OIDC_ISSUERS/0/issuer: '],
  [JSON.stringify([{ ...entry, audience: [] }]), 'OIDC_ISSUERS/0/audience: '],
  [JSON.stringify([{ ...entry, audience: undefined }]), '/0/audience: must be a text or a list'],
  [JSON.stringify([{ ...entry, tenant: undefined }]), 'one of tenant and tenant_claim'],
  [JSON.stringify([{ ...entry, tenant_claim: 'org' }]), 'one of tenant and tenant_claim'],
  [JSON.stringify([{ ...entry, algorithms: ['HS256'] }]), 'OIDC_ISSUERS/0/algorithms/0: '],
  [JSON.stringify([{ ...entry, algorithms: ['none'] }]), 'OIDC_ISSUERS/0/algorithms/0: '],
  [JSON.stringify([{ ...entry, scopes: ['everything'] }]), 'OIDC_ISSUERS/0/scopes/0: '],
  [JSON.stringify([{ ...entry, secret: 'x' }]), 'OIDC_ISSUERS/0: '],
  [JSON.stringify([entry, entry]), 'lists an issuer twice'],
])('rejects %s', (text, message) => {
  expect(() => issuersFromEnv({ OIDC_ISSUERS: text })).toThrow(message)
})
