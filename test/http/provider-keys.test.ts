/**
 * Keys of models and of web search that tenants bring: each call of a tenant carries its own, seen by
 * the server that plays the provider.
 */

import { beforeEach, describe, expect, it } from 'vitest'
import { createKey } from '../../src/engine/tenant/api-keys.ts'
import { modelConfigFromEnv } from '../../src/hosts/models/config.ts'
import { createModel } from '../../src/hosts/models/model.ts'
import { modelFetch } from '../../src/hosts/node/model-fetch.ts'
import { createSearch, searchConfigFromEnv } from '../../src/hosts/search/search.ts'
import type { Store } from '../../src/ports/world.ts'
import { type CannedServer, startCannedServer } from '../support/canned-server.ts'
import { cleanup } from '../support/cleanup.ts'
import { TENANT, testWorld } from '../support/drive.ts'
import { type TestApi, testApi } from '../support/http.ts'
import { type ModelServer, startModelServer } from '../support/model-server.ts'

const OURS = 'sk-of-the-deployment-0001'
const ACME = 'sk-of-acme-canary-4711'
const BOLT = 'sk-of-bolt-canary-0815'
const HERE = ['127.0.0.1']

let provider: ModelServer
let search: CannedServer
let api: TestApi
let reads: string[]
const keys: Record<string, string> = {}

async function open(env: Record<string, string> = {}): Promise<void> {
  provider = await startModelServer()
  search = await startCannedServer(({ headers }, response) => {
    const hit = { title: 'T', url: 'https://a.example/', content: `${headers.authorization}` }
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ results: [hit] }))
  })
  cleanup.push(provider.close, search.close)
  const models = { OPENAI_BASE_URL: provider.url, OPENAI_API_KEY: OURS, STRATA_MODEL: 'openai/m' }
  const filled = Object.entries({ ...models, ...env }).map(([name, text]) => [
    name,
    text.replaceAll('URL', provider.url),
  ])
  const searched = { STRATA_SEARCH_BASE_URL: search.origin, TAVILY_API_KEY: OURS, ...env }
  reads = []
  const { store: bare } = testWorld()
  const store: Store = {
    ...bare,
    read(partition, after) {
      reads.push(partition)
      return bare.read(partition, after)
    },
  }
  api = await testApi({
    store,
    model: createModel(modelConfigFromEnv(Object.fromEntries(filled)), modelFetch()),
    search: createSearch(searchConfigFromEnv(searched)!, (url, init) => fetch(url, init)),
  })
  for (const tenant of ['acme', 'bolt']) {
    keys[tenant] = (await createKey(api.world, tenant, ['*'])).key
  }
  keys.default = api.key
}
beforeEach(() => open())

const put = (tenant: string, name: string, json: object) =>
  api.call('PUT', `/v1/secrets/${name}`, { key: keys[tenant]!, json })
async function run(tenant: string, json: object = { input: '@say done' }) {
  const key = keys[tenant]!
  const { body } = await api.call('POST', '/v1/runs', { key, json })
  await api.settle()
  return (await api.call('GET', `/v1/runs/${body.id}`, { key })).body
}
const sent = () => provider.requests.map(({ headers }) => headers.authorization)
const MODEL = { hosts: HERE, uses: ['model'] }

describe('a key of models', () => {
  it("of a tenant goes before the deployment's, in its own calls alone", async () => {
    expect((await put('acme', 'OPENAI_API_KEY', { value: ACME, ...MODEL })).body.warnings).toEqual(
      [],
    )
    await put('bolt', 'OPENAI_API_KEY', { value: BOLT, ...MODEL })
    for (const tenant of ['acme', 'bolt', 'default', 'acme']) {
      expect((await run(tenant)).status).toBe('completed')
    }
    expect(sent()).toEqual([ACME, BOLT, OURS, ACME].map((one) => `Bearer ${one}`))
    await api.call('DELETE', '/v1/secrets/OPENAI_API_KEY', { key: keys.acme! })
    await run('acme')
    expect(sent().at(-1)).toBe(`Bearer ${OURS}`)
  })

  it('counts for calls at once, each with the key of its tenant', async () => {
    await put('acme', 'OPENAI_API_KEY', { value: ACME, ...MODEL })
    await put('bolt', 'OPENAI_API_KEY', { value: BOLT, ...MODEL })
    const tenants = Array.from({ length: 20 }, (_, at) => ['acme', 'bolt', 'default'][at % 3]!)
    await Promise.all(
      tenants.map((tenant) =>
        api.call('POST', '/v1/runs', { key: keys[tenant]!, json: { input: `@say ${tenant}` } }),
      ),
    )
    await api.settle()
    const pairs = provider.requests.map(({ headers, body }) => {
      const [, tenant] = /@say (\w+)/.exec(JSON.stringify(body)) ?? []
      return `${tenant} ${headers.authorization}`
    })
    const wanted = { acme: ACME, bolt: BOLT, default: OURS } as Record<string, string>
    expect(pairs.sort()).toEqual(tenants.map((one) => `${one} Bearer ${wanted[one]}`).sort())
  })

  it('that must not go there is refused, and the deployment does not pay in its place', async () => {
    const { body } = await put('acme', 'OPENAI_API_KEY', {
      ...{ value: ACME, uses: ['model'], hosts: ['api.openai.com'] },
    })
    expect(body.warnings.join()).toContain('127.0.0.1, which hosts lacks')
    const { status, error } = await run('acme')
    expect([status, error.code]).toEqual(['failed', 'model_unauthorized'])
    expect(error.message).toContain(
      'the secret OPENAI_API_KEY of the tenant is bound to api.openai.com, not to 127.0.0.1',
    )
    expect(sent()).toEqual([])
  })

  it('is none without the use: a secret of a server of this name changes nothing', async () => {
    const { body } = await put('acme', 'OPENAI_API_KEY', { value: ACME, hosts: HERE })
    expect(body.uses).toEqual(['server'])
    await run('acme')
    expect(sent()).toEqual([`Bearer ${OURS}`])
  })

  it('is none by another name, which its writer is told', async () => {
    const { body } = await put('acme', 'OPEN_AI_KEY', { value: ACME, ...MODEL })
    expect(body.warnings).toEqual([
      'No model takes a key of this name; names here: OPENAI_API_KEY.',
    ])
    await run('acme')
    expect(sent()).toEqual([`Bearer ${OURS}`])
    const wrong = await put('acme', 'OPENAI_API_KEY', {
      value: ACME,
      hosts: HERE,
      uses: ['models'],
    })
    expect([wrong.status, wrong.body.code]).toEqual([422, 'invalid_request'])
  })

  it('costs no read of the store in a plain run within thirty seconds', async () => {
    await run('acme')
    reads.length = 0
    await run('acme')
    expect(reads.filter((partition) => partition.includes('/secrets'))).toEqual([])
  })

  it('is taken out of what tools and models see', async () => {
    await put('acme', 'OPENAI_API_KEY', { value: ACME, ...MODEL })
    const called = await run('acme', {
      input: `@call file_write {"path":"a.txt","content":"${ACME}"}\n@say {last}`,
    })
    expect(called.output.text).not.toContain(ACME)
  })
})

describe('a provider that takes keys of tenants alone', () => {
  const providers = {
    open: { kind: 'openai-compatible', base_url: 'URL', tenant_key: 'MY_KEY' },
    gate: {
      kind: 'openai-compatible',
      base_url: 'URL',
      key: OURS,
      headers: { Authorization: 'Bearer gate' },
    },
  }
  beforeEach(() =>
    open({ STRATA_PROVIDERS: JSON.stringify({ providers }), STRATA_MODEL: 'gate/m' }),
  )

  it('is asked with the key of the tenant, and says what is missing where there is none', async () => {
    const json = { input: '@say done', model: 'open/m' }
    const { status, error } = await run('bolt', json)
    expect([status, error.code]).toEqual(['failed', 'model_unauthorized'])
    expect(error.message).toContain(
      'the secret MY_KEY, with the use `model` and the host 127.0.0.1',
    )
    await put('acme', 'MY_KEY', { value: ACME, ...MODEL })
    await run('acme', json)
    expect(sent()).toEqual([`Bearer ${ACME}`])
  })

  it("is never asked with a header that proves the deployment beside a tenant's key", async () => {
    await put('acme', 'GATE_API_KEY', { value: ACME, ...MODEL })
    await run('acme')
    await run('bolt')
    expect(sent()).toEqual([`Bearer ${ACME}`, 'Bearer gate'])
  })
})

describe('a key of web search', () => {
  const asking = {
    input: '@call web_search {"query":"otters"}\n@say {last}',
    tools: ['web_search'],
  }
  const SEARCH = { hosts: HERE, uses: ['search'] }
  const got = () => search.received.map(({ headers }) => headers.authorization)

  it("of a tenant goes before the deployment's, and is hidden in results", async () => {
    await put('acme', 'TAVILY_API_KEY', { value: ACME, ...SEARCH })
    await put('bolt', 'TAVILY_API_KEY', { value: BOLT, ...SEARCH })
    const outputs = []
    for (const tenant of ['acme', 'bolt', 'default']) outputs.push(await run(tenant, asking))
    expect(got()).toEqual([ACME, BOLT, OURS].map((one) => `Bearer ${one}`))
    expect(outputs[0].output.text).toContain('[redacted]')
    expect(JSON.stringify(outputs)).not.toMatch(/canary/)
  })

  it('that must not go there is refused, and no other stands for it', async () => {
    await put('acme', 'TAVILY_API_KEY', { value: ACME, uses: ['search'], hosts: ['a.example'] })
    expect((await run('acme', asking)).output.text).toContain(
      'the secret TAVILY_API_KEY of the tenant is bound to a.example, not to 127.0.0.1',
    )
    expect(got()).toEqual([])
  })

  it('may be brought by each tenant alone', async () => {
    await open({ STRATA_SEARCH: 'tavily', STRATA_SEARCH_KEYS: 'tenant', TAVILY_API_KEY: '' })
    expect((await run('bolt', asking)).output.text).toContain(
      'keep it as the secret TAVILY_API_KEY',
    )
    await put('acme', 'TAVILY_API_KEY', { value: ACME, ...SEARCH })
    await run('acme', asking)
    expect(got()).toEqual([`Bearer ${ACME}`])
    expect(() => searchConfigFromEnv({ STRATA_SEARCH: 'exa' })).toThrow('needs EXA_API_KEY')
    const odd = { STRATA_SEARCH: 'exa', STRATA_SEARCH_KEYS: 'all' }
    expect(() => searchConfigFromEnv(odd)).toThrow('must be "tenant"')
  })
})

it('names of the deployment for servers are no keys of models', async () => {
  expect(
    await api.world.secrets.get(TENANT, 'x', { use: 'model', place: 'a.example' }),
  ).toBeUndefined()
})
