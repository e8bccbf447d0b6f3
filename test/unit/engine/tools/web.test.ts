/** `web_fetch` and `web_search` under a tenant's policy. */

import { expect, it } from 'vitest'
import { homeOfRun } from '../../../../src/engine/partition/home.ts'
import { load } from '../../../../src/engine/tenant/blobs.ts'
import { readDocument } from '../../../../src/hosts/sandbox/documents.ts'
import { ok } from '../../../../src/lib/outcome.ts'
import type { WebRequest } from '../../../../src/ports/world.ts'
import { setPolicy } from '../../../support/approvals.ts'
import { factsOf, runToRest, TENANT, testWorld } from '../../../support/drive.ts'

function webWorld(pages: Readonly<Record<string, string>>) {
  const asked: string[] = []
  const web = {
    check: () => undefined,
    send: async ({ url }: WebRequest) => {
      asked.push(url)
      const body = pages[url]
      const headers = body?.startsWith('http') ? { location: body } : {}
      const status = body === undefined ? 404 : body.startsWith('http') ? 302 : 200
      return ok({ status, headers: { ...headers, 'content-type': 'text/plain' }, body: body ?? '' })
    },
  }
  const search = {
    provider: 'test',
    find: async () =>
      ok(
        ['a.example', 'b.example'].map((host) => ({
          ...{ title: host, url: `https://${host}/`, extract: 'x', published: null },
        })),
      ),
  }
  const world = testWorld({ web, search, documents: { read: readDocument } })
  const results = async (...calls: readonly (readonly [string, object])[]) => {
    const steps = calls.map(([tool, given]) => `@call ${tool} ${JSON.stringify(given)}\n@then\n`)
    const run = await runToRest(world, { input: `${steps.join('')}@say done` })
    const facts = await factsOf(world, run.state.spec!.id)
    const found = facts.filter((fact) => fact.type === 'tool.result')
    const home = homeOfRun(TENANT, run.state.spec)
    return Promise.all(found.map(({ text }) => load(world, home, text)))
  }
  return { world, asked, results }
}
const fetching = (url: string, more: object = {}) => ['web_fetch', { url, ...more }] as const

it('a long page is delivered in parts, from one request, with the caller’s prompt', async () => {
  const { asked, results } = webWorld({ 'https://a.example/long': 'word '.repeat(12_000) })
  const [first, second] = await results(
    fetching('http://a.example/long#top', { prompt: 'What is it about?' }),
    fetching('https://a.example/long', { offset: 50_000 }),
  )
  expect(first).toContain('characters: 0-50000 of 59999\nasked: What is it about?')
  expect(first).toContain('[Continue with the same url and offset 50000.]')
  expect(second).toContain('characters: 50000-59999 of 59999')
  expect(asked).toEqual(['https://a.example/robots.txt', 'https://a.example/long'])
})

it('domains denied by the policy are reached neither directly nor through a redirect', async () => {
  const pages = { 'https://a.example/': 'https://docs.evil.example/x', 'https://b.example/': 'b' }
  const { world, asked, results } = webWorld(pages)
  await setPolicy(world, {
    web: { allowed_domains: [], denied_domains: ['evil.example'], robots: 'ignore' },
  })
  const [denied, redirected, good] = await results(
    fetching('https://evil.example/'),
    fetching('https://a.example/'),
    fetching('https://b.example/'),
  )
  expect(denied).toContain("the tenant's policy denies the domain evil.example")
  expect(redirected).toContain("redirect to https://docs.evil.example/x: the tenant's policy")
  expect(good).toContain('\n\nb')
  // And no robots.txt was asked for.
  expect(asked).toEqual(['https://a.example/', 'https://b.example/'])
})

it('only allowed domains are fetched, searched, and shown; cached pages obey a changed policy', async () => {
  const { world, results } = webWorld({ 'https://a.example/': 'a', 'https://b.example/': 'b' })
  expect((await results(fetching('https://b.example/')))[0]).toContain('\n\nb')
  await setPolicy(world, {
    web: { allowed_domains: ['a.example'], denied_domains: [], robots: 'respect' },
  })
  const [page, search, wrong] = await results(
    fetching('https://b.example/'),
    ['web_search', { query: 'x' }],
    ['web_search', { query: 'x', domains: ['b.example'] }],
  )
  expect(page).toContain('does not allow the domain b.example')
  expect(search).toContain('https://a.example/')
  expect(search).not.toContain('https://b.example/')
  expect(search).toContain("[1 results omitted: denied by the tenant's policy]")
  expect(wrong).toContain('does not allow the domain b.example')
})
