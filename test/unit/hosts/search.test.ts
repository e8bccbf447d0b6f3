/**
 * Each provider of web search against answers as its documentation shows them (November 2026; the
 * addresses stand in `hosts/search/providers.ts`).
 */

import { expect, it } from 'vitest'
import { createSearch, searchConfigFromEnv } from '../../../src/hosts/search/search.ts'
import { startCannedServer } from '../../support/canned-server.ts'
import { cleanup } from '../../support/cleanup.ts'

const KEY = 'key-of-a-search-provider'
const { signal } = new AbortController()

async function provider(env: Readonly<Record<string, string>>, answer: unknown, status = 200) {
  const server = await startCannedServer((_, response) => {
    response.writeHead(status, { 'content-type': 'application/json' })
    response.end(typeof answer === 'string' ? answer : JSON.stringify(answer))
  })
  cleanup.push(server.close)
  const config = searchConfigFromEnv({ ...env, STRATA_SEARCH_BASE_URL: server.origin })!
  return { server, search: createSearch(config, (url, init) => fetch(url, init)) }
}
const ASKED = { query: 'otters hold paws', count: 2, domains: ['example.org'] }
const HIT = { title: 'Otters', url: 'https://example.org/a', extract: 'They hold paws.' }

it.each([
  [
    { BRAVE_API_KEY: KEY },
    {
      type: 'search',
      web: {
        type: 'search',
        results: [
          {
            title: HIT.title,
            url: HIT.url,
            description: HIT.extract,
            page_age: '2026-01-02T03:04:05',
          },
        ],
      },
    },
    '2026-01-02T03:04:05',
    { 'x-subscription-token': KEY },
  ],
  [
    { TAVILY_API_KEY: KEY },
    { query: 'x', results: [{ title: HIT.title, url: HIT.url, content: HIT.extract, score: 0.9 }] },
    null,
    { authorization: `Bearer ${KEY}` },
  ],
  [
    { EXA_API_KEY: KEY },
    {
      requestId: 'r',
      results: [
        {
          id: HIT.url,
          title: HIT.title,
          url: HIT.url,
          publishedDate: '2026-01-02',
          author: null,
          text: HIT.extract,
        },
      ],
    },
    '2026-01-02',
    { 'x-api-key': KEY },
  ],
  [
    { SEARXNG_URL: 'https://searx.example' },
    {
      query: 'x',
      results: [{ title: HIT.title, url: HIT.url, content: HIT.extract, publishedDate: null }],
      answers: [],
    },
    null,
    {},
  ],
])(
  '%j is queried in its own format, and its response is parsed',
  async (env, answer, published, headers) => {
    const { server, search } = await provider(env, answer)
    expect(await search.find(ASKED, signal)).toEqual({ ok: true, value: [{ ...HIT, published }] })
    const [asked] = server.received
    expect(asked!.headers).toMatchObject(headers)
    const said = decodeURIComponent(`${asked!.url} ${asked!.body}`.replaceAll('+', ' '))
    expect(said).toContain('otters hold paws')
    expect(said).toContain('example.org')
  },
)

it.each([
  [401, '{"error":"no"}', 'the provider rejected the API key'],
  [429, '{}', 'the provider received too many requests; retry later'],
  [500, `the key ${KEY} is wrong`, 'the provider responded with 500'],
  [200, 'no json', "the provider's response is not a list of results"],
  [200, '{"web":{"results":[{"title":1}]}}', "the provider's response is not a list of results"],
])('%i %s becomes a sentence without the key', async (status, answer, sentence) => {
  const { search } = await provider({ BRAVE_API_KEY: KEY }, answer, status)
  expect(await search.find(ASKED, signal)).toEqual({ ok: false, error: sentence })
})

it('the variables choose the provider, and an invalid choice stops the start', () => {
  expect(searchConfigFromEnv({})).toBe(undefined)
  expect(searchConfigFromEnv({ EXA_API_KEY: KEY, SEARXNG_URL: 'https://s' })?.name).toBe('exa')
  const chosen = { STRATA_SEARCH: 'searxng', EXA_API_KEY: KEY, SEARXNG_URL: 'https://s' }
  expect(searchConfigFromEnv(chosen)?.name).toBe('searxng')
  expect(() => searchConfigFromEnv({ STRATA_SEARCH: 'bing' })).toThrow('must be one of brave')
  expect(() => searchConfigFromEnv({ STRATA_SEARCH: 'exa' })).toThrow('requires EXA_API_KEY')
  expect(() => searchConfigFromEnv({ SEARXNG_URL: 'searx' })).toThrow('must be a URL')
})
