/** Keys of tenants for model providers: which secret replaces which key, and where it is sent. */

import { expect, it } from 'vitest'
import { modelConfigFromEnv } from '../../../../src/hosts/models/config.ts'
import { modelSlots, withTenantKey } from '../../../../src/hosts/models/tenant-key.ts'
import { fail, ok } from '../../../../src/lib/outcome.ts'

const slotsOf = (providers: object, env = {}) =>
  modelSlots(modelConfigFromEnv({ ...env, STRATA_PROVIDERS: JSON.stringify({ providers }) })).map(
    ({ name, place }) => `${name}@${place}`,
  )

it('each key has the name of its variable, or of its provider, and the host of its requests', () => {
  const key = 'sk-of-the-deployment'
  expect(
    slotsOf(
      {
        'my-proxy': { kind: 'openai-compatible', base_url: 'https://llm.example:8443/v1', key },
        azure: { kind: 'azure', resource: 'desk', key_env: 'DESK_KEY' },
        google: { kind: 'google', key },
        bedrock: { kind: 'amazon-bedrock', region: 'eu-west-1', key },
        express: { kind: 'vertex', key },
        cloudflare: { kind: 'workers-ai', account_id: 'acc', key },
      },
      { DESK_KEY: key, OPENAI_API_KEY: key, ANTHROPIC_API_KEY: key },
    ).sort(),
  ).toEqual([
    'ANTHROPIC_API_KEY@api.anthropic.com',
    'BEDROCK_API_KEY@bedrock-runtime.eu-west-1.amazonaws.com',
    'CLOUDFLARE_API_KEY@api.cloudflare.com',
    'DESK_KEY@desk.openai.azure.com',
    'EXPRESS_API_KEY@aiplatform.googleapis.com',
    'GOOGLE_API_KEY@generativelanguage.googleapis.com',
    'MY_PROXY_API_KEY@llm.example',
    'OPENAI_API_KEY@api.openai.com',
  ])
})

const provider = {
  kind: 'openai-compatible',
  base_url: 'https://llm.example/v1',
  key: 'sk-of-the-deployment',
  headers: { Authorization: 'Bearer of-the-deployment', 'x-team': 'desk' },
} as const

it("a tenant's key replaces every credential of the deployment", async () => {
  const keyed = await withTenantKey('p', provider, async () => ok('sk-of-the-tenant'))
  expect(keyed).toEqual(ok({ ...provider, key: 'sk-of-the-tenant', headers: { 'x-team': 'desk' } }))
})

it("without a tenant's key, the provider is unchanged", async () => {
  const same = await withTenantKey('p', provider, async () => ok(undefined))
  expect(same.ok && same.value).toBe(provider)
})

it('a key that must not be used fails the call, and a failed read may be retried', async () => {
  expect(await withTenantKey('p', provider, async () => fail('it is bound'))).toMatchObject({
    error: { code: 'unauthorized', message: 'p was not called: it is bound', retryable: false },
  })
  const broken = async () => {
    throw new Error('the store is unavailable')
  }
  expect(await withTenantKey('p', provider, broken)).toMatchObject({
    error: { code: 'unavailable', retryable: true },
  })
})
