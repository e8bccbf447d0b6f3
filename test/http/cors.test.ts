/** Pages of other origins: none, or those that the operator lists. */

import { beforeEach, describe, expect, it } from 'vitest'
import { commonOptions } from '../../src/hosts/shared/options.ts'
import { type Answer, type TestApi, testApi } from '../support/http.ts'

const APP = 'https://app.example.com'
const EVIL = 'https://evil.example'
const NEAR = [
  EVIL,
  'null',
  'http://app.example.com',
  'https://app.example.com:8443',
  'https://app.example.com.evil.example',
  'https://evilapp.example.com',
  'https://sub.app.example.com',
  'HTTPS://APP.EXAMPLE.COM',
  '*',
]
let api: TestApi
beforeEach(async () => {
  api = await testApi({ settings: { corsOrigins: [APP, 'http://localhost:3000'] } })
})

const corsOf = ({ headers }: Answer): string[] =>
  [...headers.keys()].filter((name) => name.startsWith('access-control-'))
const preflight = (origin: string, path = '/v1/runs') =>
  api.call('OPTIONS', path, {
    key: null,
    headers: {
      origin,
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'authorization, content-type',
    },
  })
const get = (origin: string, path = '/v1/runs', key?: string) =>
  api.call('GET', path, { headers: { origin }, ...(key === undefined ? {} : { key }) })

describe('J22 a listed origin', () => {
  it('passes the preflight without a key, for every path and method of /v1', async () => {
    for (const path of ['/v1/runs', '/v1/files/base/AGENTS.md']) {
      const { status, headers } = await preflight(APP, path)
      expect(status).toBe(204)
      expect(headers.get('access-control-allow-origin')).toBe(APP)
      expect(headers.get('access-control-allow-methods')).toContain('DELETE')
      expect(headers.get('access-control-allow-headers')).toContain('authorization')
      expect(headers.get('access-control-max-age')).toBe('600')
      expect(headers.get('access-control-allow-credentials')).toBeNull()
      expect(headers.get('vary')).toContain('Origin')
    }
  })

  it('reads answers, refusals among them, with the headers that they have', async () => {
    for (const [path, key, status] of [
      ['/v1/runs', undefined, 200],
      ['/v1/runs', 'wrong', 401],
      ['/v1/runs/run_0', undefined, 404],
      ['/v1/nothing', undefined, 404],
      ['/v1/runs?x=1', undefined, 400],
    ] as const) {
      const answer = await get(APP, path, key)
      expect([path, answer.status]).toEqual([path, status])
      expect(answer.headers.get('access-control-allow-origin')).toBe(APP)
      expect(answer.headers.get('access-control-expose-headers')).toContain('Retry-After')
      expect(answer.headers.get('vary')).toBe('Origin')
      expect(answer.headers.get('x-request-id')).toMatch(/^req_/)
    }
    const { headers } = await get('http://localhost:3000')
    expect(headers.get('access-control-allow-origin')).toBe('http://localhost:3000')
  })

  it('reads streams', async () => {
    const { body } = await api.call('POST', '/v1/runs', { json: { input: '@say done' } })
    await api.settle()
    const { text, headers } = await api.call('GET', `/v1/runs/${body.id}/events`, {
      headers: { origin: APP, accept: 'text/event-stream' },
    })
    expect(text).toContain('run.completed')
    expect(headers.get('access-control-allow-origin')).toBe(APP)
  })
})

describe('J22 any other origin', () => {
  it.each(NEAR)('%s gets no header of CORS, and is told apart by caches', async (origin) => {
    const answer = await get(origin)
    expect([answer.status, corsOf(answer)]).toEqual([200, []])
    expect(answer.headers.get('vary')).toBe('Origin')
    const before = await preflight(origin)
    expect(corsOf(before)).toEqual([])
    expect(before.status).toBeGreaterThanOrEqual(400)
  })

  it('is every origin, when none is listed', async () => {
    api = await testApi()
    for (const origin of [APP, EVIL]) {
      expect(corsOf(await get(origin))).toEqual([])
      const before = await preflight(origin)
      expect(corsOf(before)).toEqual([])
      expect(before.status).toBeGreaterThanOrEqual(400)
    }
  })
})

it('nothing outside of /v1 is opened', async () => {
  for (const path of ['/healthz', '/metrics', '/docs'])
    expect(corsOf(await get(APP, path))).toEqual([])
})

describe('CORS_ORIGINS', () => {
  const read = (CORS_ORIGINS?: string) =>
    commonOptions(CORS_ORIGINS === undefined ? {} : { CORS_ORIGINS }).limits.corsOrigins
  it('lists exact origins', () => {
    expect(read()).toEqual([])
    expect(read(' , ')).toEqual([])
    expect(read(`${APP}, http://localhost:3000 ${APP}/`)).toEqual([APP, 'http://localhost:3000'])
  })
  it.each(['*', 'null', 'app.example.com', `${APP}/page`, 'https://*.example.com/x', 'file:///'])(
    'refuses %s at the start',
    (text) => {
      expect(() => read(`${APP},${text}`)).toThrow('CORS_ORIGINS must be an origin')
    },
  )
})
