/** Who may ask at all, and what holds for every request: routes, methods, headers, queries. */

import { describe, expect, it } from 'vitest'
import { type Problem, pointers, problem, rawProblem } from '../support/problem.ts'
import { raw } from '../support/raw.ts'
import { type Server, sharedServer, startServer } from '../support/server.ts'

const server = sharedServer()

describe('who asks', () => {
  const ask = (headers: [string, string][], path = '/v1/runs') => raw(server(), { path, headers })
  const wrongSecret = ({ key }: Server): string => {
    const [, id] = key.split('_')
    return `strata_${id}_${'0'.repeat(52)}_000000`
  }

  it('H01 401 for no key, another scheme, two spaces, or a key in the query', async () => {
    const { key } = server()
    const bare = await fetch(`${server().url}/v1/runs`)
    expect((await problem(bare, 401)).code).toBe('unauthorized')
    expect(bare.headers.get('www-authenticate')).toMatch(/^Bearer/)
    for (const header of ['', `Basic ${btoa(key)}`, `Bearer  ${key}`, `Bearer ${key} x`, key]) {
      expect((await ask([['Authorization', header]])).status, header).toBe(401)
    }
    for (const name of ['key', 'api_key', 'access_token']) {
      const asked = await fetch(`${server().url}/v1/runs?${name}=${key}`)
      expect((await problem(asked, 401)).code).toBe('unauthorized')
      expect((await ask([], `/v1/runs?${name}=${key}`)).status).toBe(400)
    }
  })
  it('H01 200 for the scheme in lower case', async () => {
    expect((await ask([['Authorization', `bearer ${server().key}`]])).status).toBe(200)
  })
  it('H02, H03 401, the same for a wrong checksum, a wrong secret and an unknown id', async () => {
    const { key } = server()
    const keys = [`${key.slice(0, -1)}${key.endsWith('0') ? '1' : '0'}`, wrongSecret(server()), 'x']
    const answers = await Promise.all(keys.map((one) => ask([['Authorization', `Bearer ${one}`]])))
    const bodies = answers.map((answer) => {
      const { request_id: _, ...body } = rawProblem(answer, 401) as Problem & { request_id: string }
      return body
    })
    expect(new Set(bodies.map((body) => JSON.stringify(body))).size).toBe(1)
  })
  it('J19 400 for two Authorization headers', async () => {
    const bearer: [string, string] = ['Authorization', `Bearer ${server().key}`]
    expect(rawProblem(await ask([bearer, bearer]), 400).code).toBe('invalid_header')
  })
  it('H16 the tenant comes from the key: a header changes nothing', async () => {
    const answer = await ask([
      ['X-Tenant', 'other'],
      ['X-Tenant-Id', 'other'],
    ])
    expect(answer.status).toBe(200)
    const refused = await problem(
      await server().ask('/v1/runs', { method: 'POST', json: { input: 'x', tenant: 'other' } }),
      422,
    )
    expect(pointers(refused)).toEqual(['/tenant'])
  })
})

describe('every request', () => {
  it('404 as a problem for unknown routes, with and without a key', async () => {
    for (const path of ['/', '/nothing', '/v1/nothing', '/v1/runs/x/nothing', '/v2/runs']) {
      expect((await problem(await server().ask(path), 404)).code).toBe('not_found')
    }
    expect((await problem(await fetch(`${server().url}/nothing`), 404)).code).toBe('not_found')
    const run = `/v1/runs/run_${'0'.repeat(26)}`
    for (const path of [run, `${run}/events`, `${run}/transcript`, `${run}/tree`, '/v1/runs/x']) {
      expect((await problem(await server().ask(path), 404)).code).toBe('not_found')
    }
  })
  it('405 for a known path under another method, naming those there are', async () => {
    const response = await server().ask('/v1/runs', { method: 'DELETE' })
    expect((await problem(response, 405)).code).toBe('method_not_allowed')
    expect(response.headers.get('allow')).toBe('POST, GET')
  })
  it('J22 no Access-Control-Allow-Origin, whatever the Origin', async () => {
    const headers = { origin: 'https://evil.example' }
    for (const method of ['GET', 'OPTIONS']) {
      const response = await server().ask('/v1/runs', { method, headers })
      expect(response.headers.get('access-control-allow-origin')).toBeNull()
    }
  })
  it('J23 a problem stays JSON for who accepts HTML, and is not sniffed', async () => {
    const path = '/v1/<script>alert(1)</script>'
    const response = await server().ask(path, { headers: { accept: 'text/html' } })
    await problem(response, 404)
    expect(response.headers.get('x-content-type-options')).toBe('nosniff')
  })
  it.each(['limit=1&limit=99999', 'limit=-1', 'limit=1e9', 'limit=NaN', 'limit=101', 'limit='])(
    'J24 400 for ?%s',
    async (query) => {
      const answer = await raw(server(), { path: `/v1/runs?${query}` })
      expect(rawProblem(answer, 400).code).toBe('invalid_query')
    },
  )
  it.each(['__proto__[x]=1', 'a[b]=c', '__proto__=1', 'constructor=1'])(
    'J25 400 for ?%s',
    async (query) => {
      for (const path of ['/v1/runs', '/v1/limits']) {
        const answer = await raw(server(), { path: `${path}?${query}` })
        expect(rawProblem(answer, 400).code).toBe('invalid_query')
      }
    },
  )
  it('C01 400 for a cursor that was changed, cut, emptied or made up', async () => {
    const own = await startServer({ env: { OPENAI_BASE_URL: 'http://127.0.0.1:9/v1' } })
    for (const name of ['a', 'b']) {
      await own.ask(`/v1/files/${name}`, { method: 'PUT', body: 'x' })
    }
    const listed = '/v1/files?limit=1'
    const { next_cursor } = await own.get<{ next_cursor: string }>(listed)
    const flipped = `${next_cursor.slice(0, -2)}${next_cursor.endsWith('A') ? 'BB' : 'AA'}`
    for (const cursor of [flipped, next_cursor.slice(0, -4), '', 'x'.repeat(10_000), '{"a":1}']) {
      const asked = await own.ask(`${listed}&cursor=${encodeURIComponent(cursor)}`)
      expect((await problem(asked, 400)).code).toBe('invalid_cursor')
    }
    const elsewhere = await own.ask(`/v1/runs?cursor=${encodeURIComponent(next_cursor)}`)
    expect((await problem(elsewhere, 400)).code).toBe('invalid_cursor')
    expect((await own.ask(`${listed}&cursor=${encodeURIComponent(next_cursor)}`)).status).toBe(200)
  })
})
