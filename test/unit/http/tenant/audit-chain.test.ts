import { describe, expect, it } from 'vitest'
import type { ExportLine } from '../../../../src/core/audit-chain.ts'
import { AuditVerifier } from '../../../../src/core/audit-verifier.ts'
import { auditList, chainPage } from '../../../../src/engine/partition/keys.ts'
import { sha256 } from '../../../../src/lib/digest.ts'
import { TENANT } from '../../../support/drive.ts'
import { type TestApi, testApi } from '../../../support/http.ts'
import { receivers } from '../../../support/receivers.ts'

const FILE = '/v1/files/base/.agents/notes.md'
const entries = async (api: TestApi, query = '') =>
  (await api.call('GET', `/v1/audit?limit=100&${query}`)).body.data

async function linesOf(api: TestApi): Promise<ExportLine[]> {
  const { text, headers } = await api.call('GET', '/v1/audit/export')
  expect(headers.get('content-type')).toBe('application/jsonl')
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as ExportLine)
}

describe('GET /v1/audit/export', () => {
  it('200 contains every entry in an intact chain, and nothing of another tenant', async () => {
    const api = await testApi()
    await api.call('PUT', FILE, { body: 'one' })
    await api.call('POST', '/v1/keys', { json: { scopes: ['runs:read'] } })
    await api.call('DELETE', FILE)
    const verifier = new AuditVerifier()
    const lines = await linesOf(api)
    for (const line of lines) expect(verifier.check(line)).toBeUndefined()
    expect(verifier.finish()).toMatchObject({ links: 3, unsealed: 0, without_row: 0 })
    const listed = await entries(api)
    const links = lines.filter(({ object }) => object === 'audit_link')
    expect(links.map((line) => (line as { entry: object }).entry)).toEqual(listed.toReversed())
  })

  it('200 of an empty log has an anchor and a head', async () => {
    const lines = await linesOf(await testApi())
    expect(lines.map(({ object }) => object)).toEqual(['audit_chain', 'audit_head'])
  })

  it('400, 401, and 403 for a query, a missing key, and a key without the scope', async () => {
    const api = await testApi()
    expect((await api.call('GET', '/v1/audit/export?x=1')).status).toBe(400)
    const none = { headers: { authorization: '' } }
    expect((await api.call('GET', '/v1/audit/export', none)).status).toBe(401)
    const { body } = await api.call('POST', '/v1/keys', { json: { scopes: ['runs:read'] } })
    const headers = { authorization: `Bearer ${body.key}` }
    for (const path of ['export', 'ver_00000000000000000000000000'])
      expect((await api.call('GET', `/v1/audit/${path}`, { headers })).status).toBe(403)
  })
})

describe('a damaged row', () => {
  const faultOf = async (api: TestApi) => {
    const verifier = new AuditVerifier()
    return (await linesOf(api)).map((line) => verifier.check(line)).find((fault) => fault)
  }
  const damage = async ({ world }: TestApi, partition: string, key: string) => {
    const rows = (await world.store.readIndexed!(partition)).filter((row) => row.key === key)
    expect(rows).toHaveLength(1)
    await world.store.writeIndexed!(
      partition,
      rows.map((row) => ({ ...row, body: '{' })),
    )
  }
  const withEntries = async () => {
    const api = await testApi()
    for (const body of ['one', 'two', 'three']) {
      await api.call('PUT', FILE, { body })
      api.world.clock.advance(1)
    }
    expect(await faultOf(api)).toBeUndefined()
    return { api, version: (await entries(api))[1].version as string }
  }

  it('is reported as changed if it contains an entry', async () => {
    const { api, version } = await withEntries()
    const [row] = (await api.world.store.list(auditList(TENANT))).filter(({ body }) =>
      body.includes(version),
    )
    await damage(api, row!.partition, row!.key)
    expect(await faultOf(api)).toBe(`The row of entry 2 (${version}) was changed`)
  })

  it('is reported as changed if it contains a link, and later entries are sealed', async () => {
    const { api } = await withEntries()
    await damage(api, chainPage(TENANT, 0), 'l/0000000002')
    await api.call('PUT', FILE, { body: 'four' })
    expect(await faultOf(api)).toMatch(/^Entry 2 .* was changed$/)
    const [latest] = await entries(api)
    const { body } = await api.call('GET', `/v1/audit/${latest.version}`)
    // The entry of the damaged link has a second one, number 4.
    expect(body.seq).toBe(5)
  })
})

describe('GET /v1/audit/{version}', () => {
  it('200 has the entry and its position, for each kind of storage', async () => {
    const api = await testApi({ web: receivers() })
    await api.call('PUT', FILE, { body: 'one' })
    api.world.clock.advance(1)
    const endpoint = { url: 'https://one.example/hook', events: ['run.completed'] }
    await api.call('POST', '/v1/webhook-endpoints', { json: endpoint })
    api.world.clock.advance(1)
    const json = { agent_md: '---\nname: scout\ndescription: Looks.\n---\nLook.' }
    expect((await api.call('PUT', '/v1/agents/scout', { json })).status).toBeLessThan(300)
    const listed = (await entries(api)).toReversed()
    expect(listed.map(({ kind }: { kind: string }) => kind)).toEqual(['file', 'endpoint', 'agent'])
    for (const [index, entry] of listed.entries()) {
      const { status, body } = await api.call('GET', `/v1/audit/${entry.version}`)
      const hash = expect.stringMatching(/^[0-9a-f]{64}$/)
      expect([status, body]).toEqual([200, { ...entry, seq: index + 1, hash }])
    }
  })

  it.each([
    'ver_00000000000000000000000000',
    'ver_',
    'export%20',
    '..%2fpolicy',
    'key_00000000000000000000000000',
    `ver_${'0'.repeat(5_000)}`,
    'ver_%00',
    '%F0%9F%98%80',
  ])('404 for an unknown or invalid ID: %s', async (id) => {
    const api = await testApi()
    const { status, body } = await api.call('GET', `/v1/audit/${id}`)
    expect([status, body.code]).toEqual([404, 'not_found'])
  })

  it('404 for an entry of another tenant', async () => {
    const api = await testApi()
    await api.call('PUT', FILE, { body: 'one' })
    const [entry] = await entries(api)
    const other = await testApi()
    expect((await other.call('GET', `/v1/audit/${entry.version}`)).status).toBe(404)
  })
})

describe('an audit entry', () => {
  it('states the address, protocol, request, and credential, but no secret', async () => {
    const api = await testApi()
    const made = await api.call('POST', '/v1/keys', { json: { scopes: ['*'], name: 'ops' } })
    const [created] = await entries(api, 'kind=key')
    expect(created).toMatchObject({
      via: 'api',
      request_id: made.headers.get('x-request-id'),
      credential: { type: 'key', id: created.by },
      before: null,
      after: expect.stringMatching(/^[0-9a-f]{64}$/),
      changes: [
        { field: 'name', before: null, after: 'ops' },
        { field: 'scopes', before: null, after: '["*"]' },
      ],
    })
    expect(JSON.stringify(created)).not.toContain(made.body.key.slice(25))
  })

  it('states MCP and the address behind a trusted proxy', async () => {
    const api = await testApi({ settings: { trustedProxies: 1 } })
    const addresses = ['203.0.113.0/24']
    const made = await api.call('POST', '/v1/keys', { json: { scopes: ['*'], addresses } })
    const params = { name: 'memory_write', arguments: { path: 'shared/n.md', content: 'One.' } }
    const json = { jsonrpc: '2.0', id: 1, method: 'tools/call', params }
    const headers = {
      accept: 'application/json, text/event-stream',
      'x-forwarded-for': '192.0.2.1, 203.0.113.7',
    }
    const { status, text } = await api.call('POST', '/mcp', { json, headers, key: made.body.key })
    expect([status, text]).toEqual([200, expect.not.stringContaining('isError')])
    const [entry] = await entries(api, 'kind=memory')
    expect(entry).toMatchObject({ via: 'mcp', address: '203.0.113.7', by: made.body.id })
  })

  it('has the digests of a file before and after', async () => {
    const api = await testApi()
    for (const body of ['one', 'two']) {
      await api.call('PUT', FILE, { body })
      api.world.clock.advance(1)
    }
    await api.call('DELETE', FILE)
    const [one, two] = [sha256('one'), sha256('two')]
    expect(await entries(api)).toMatchObject([
      { action: 'delete', before: two, after: null },
      { action: 'put', before: one, after: two },
      { action: 'put', before: null, after: one },
    ])
  })

  it('has the changed members of a policy, an endpoint, a hook, a schedule, and a key', async () => {
    const api = await testApi({ web: receivers() })
    const changesOf = async (kind: string) => {
      const [entry] = await entries(api, `kind=${kind}&action=put,update`)
      expect(entry.before).toMatch(/^[0-9a-f]{64}$/)
      expect(entry.after).toMatch(/^[0-9a-f]{64}$/)
      expect(entry.before).not.toBe(entry.after)
      return entry.changes
    }
    const policy = await api.call('GET', '/v1/policy')
    const headers = { 'if-match': policy.headers.get('etag')! }
    await api.call('PUT', '/v1/policy', { json: { strict: true }, headers })
    expect(await changesOf('policy')).toEqual([{ field: 'strict', before: 'false', after: 'true' }])

    const secret = `whsec_${Buffer.from('x'.repeat(32)).toString('base64')}`
    const url = 'https://one.example/path?key=canary'
    const endpoint = { url, events: ['run.completed'], secret }
    const { id } = (await api.call('POST', '/v1/webhook-endpoints', { json: endpoint })).body
    const moved = { url: 'https://two.example/canary', description: 'moved' }
    await api.call('PATCH', `/v1/webhook-endpoints/${id}`, { json: moved })
    expect(await changesOf('endpoint')).toEqual([
      { field: 'description', before: null, after: 'moved' },
      { field: 'url', before: 'https://one.example/…', after: 'https://two.example/…' },
    ])

    const hook = (
      await api.call('POST', '/v1/hooks', { json: { scheme: 'standard', agent: 'a', secret } })
    ).body.id
    await api.call('PATCH', `/v1/hooks/${hook}`, { json: { description: 'mine' } })
    expect(await changesOf('hook')).toEqual([{ field: 'description', before: null, after: 'mine' }])

    const schedule = { cron: '0 * * * *', input: 'Look.' }
    const put = (more: object) =>
      api.call('PUT', '/v1/schedules/hourly', { json: { ...schedule, ...more } })
    expect((await put({})).status).toBeLessThan(300)
    await put({ input: 'Look twice.' })
    expect(await changesOf('schedule')).toEqual([
      { field: 'run.input', before: 'Look.', after: 'Look twice.' },
    ])

    const key = (await api.call('POST', '/v1/keys', { json: { scopes: ['runs:read'] } })).body.id
    await api.call('PATCH', `/v1/keys/${key}`, { json: { name: 'reader' } })
    expect(await changesOf('key')).toEqual([{ field: 'name', before: null, after: 'reader' }])
    const { text } = await api.call('GET', '/v1/audit/export')
    expect(text).not.toContain('canary')
    expect(text).not.toContain(secret)
  })
})
