/** Filters of the audit log: what each selects, its pages, and its refusals. */

import { describe, expect, it } from 'vitest'
import { audit } from '../../../../src/engine/tenant/audit.ts'
import { TENANT } from '../../../support/drive.ts'
import { type TestApi, testApi } from '../../../support/http.ts'

interface Entry {
  readonly version: string
  readonly kind: string
  readonly name: string
  readonly action: string
  readonly by: string
  readonly created_at: string
}

const listed = async (api: TestApi, query = ''): Promise<Entry[]> => {
  const { status, body } = await api.call('GET', `/v1/audit?limit=100&${query}`)
  if (status !== 200) throw new Error(`${query}: ${status} ${JSON.stringify(body)}`)
  return body.data
}

async function changedApi(): Promise<{ api: TestApi; between: string; other: string }> {
  const api = await testApi()
  const file = '/v1/files/base/.agents/notes.md'
  await api.call('PUT', file, { body: 'one' })
  await api.call('PUT', '/v1/files/base/.agents/other.md', { body: 'two' })
  api.world.clock.advance(60_000)
  const between = new Date(api.world.clock.now()).toISOString()
  const json = { scopes: ['*'] }
  const other = (await api.call('POST', '/v1/keys', { json })).body
  const headers = { authorization: `Bearer ${other.key}` }
  await api.call('DELETE', file, { headers })
  const text = '---\ndescription: Tries.\n---\nTry.'
  await api.call('PUT', '/v1/agents/tries?layer=base/', { json: { content: text }, headers })
  return { api, between, other: other.id }
}

describe('GET /v1/audit with filters', () => {
  it('200 each filter selects exactly the entries that match it, and filters combine with AND', async () => {
    const { api, between, other } = await changedApi()
    const all = await listed(api)
    expect(new Set(all.map(({ kind }) => kind)).size).toBeGreaterThan(1)
    const name = 'base/.agents/notes.md'
    const cases: [string, (entry: Entry) => boolean][] = [
      ['kind=file', ({ kind }) => kind === 'file'],
      ['kind=file,key', ({ kind }) => ['file', 'key'].includes(kind)],
      [`name=${encodeURIComponent(name)}`, (entry) => entry.name === name],
      [`by=${other}`, ({ by }) => by === other],
      ['action=delete', ({ action }) => action === 'delete'],
      ['action=delete,create', ({ action }) => ['delete', 'create'].includes(action)],
      [`created[gte]=${between}`, ({ created_at }) => created_at >= between],
      [`created[lt]=${between}`, ({ created_at }) => created_at < between],
      [`kind=file&by=${other}`, ({ kind, by }) => kind === 'file' && by === other],
      ['kind=hook', () => false],
      ['by=system', () => false],
    ]
    for (const [query, matches] of cases) {
      const expected = all.filter(matches)
      expect([query, await listed(api, query)]).toEqual([query, expected])
      const { body } = await api.call('GET', `/v1/audit?limit=1&${query}`)
      expect(body.data).toEqual(expected.slice(0, 1))
      if (!body.next_cursor) continue
      const rest = `cursor=${encodeURIComponent(body.next_cursor)}`
      expect(await listed(api, `${rest}&${query}`)).toEqual(expected.slice(1))
      const wider = await api.call('GET', `/v1/audit?${rest}`)
      expect([wider.status, wider.body.code]).toEqual([400, 'invalid_cursor'])
    }
  })

  it('200 a request reads at most 2,000 entries, and its cursor continues', async () => {
    const api = await testApi()
    for (let count = 0; count < 2_010; count += 1) {
      const entry = { kind: 'run', name: `r${count}`, action: 'cancel', by: 'system' } as const
      await audit(api.world, TENANT, { ...entry, number: 0 })
    }
    const first = (await api.call('GET', '/v1/audit?action=approve')).body
    expect(first).toMatchObject({ data: [], has_more: true })
    const rest = encodeURIComponent(first.next_cursor)
    const next = await api.call('GET', `/v1/audit?action=approve&cursor=${rest}`)
    expect(next.body).toMatchObject({ data: [], has_more: false })
  })

  it.each([
    ['kind=banana', '/kind/0'],
    ['action=explode', '/action/0'],
    ['created[gte]=today', '/created[gte]'],
    ['created[gte]=2026-02-30T00:00:00Z', '/created[gte]'],
    ['created[lt]=9999-12-31T23:59:59-23:00', '/created[lt]'],
    ['who=me', '/who'],
  ])('400: %s', async (query, pointer) => {
    const api = await testApi()
    const { status, body } = await api.call('GET', `/v1/audit?${query}`)
    expect([status, body.code, body.errors[0].pointer]).toEqual([400, 'invalid_query', pointer])
  })
})
