/** Addresses that `web_fetch` must not reach, and redirects, through the real server and its door. */

import { expect, it } from 'vitest'
import { startCannedServer } from '../support/canned-server.ts'
import { cleanup } from '../support/cleanup.ts'
import { startNodeApi } from '../support/node-api.ts'
import { eventsOf, runToEnd } from '../support/node-client.ts'

const PRIVATE = [
  'http://127.0.0.1:8787/v1/policy',
  'http://localhost/',
  'http://localhost./',
  'http://2130706433/',
  'http://0x7f.1/',
  'http://017700000001/',
  'http://[::1]/',
  'http://[::ffff:127.0.0.1]/',
  'http://0.0.0.0/',
  'http://169.254.169.254/latest/meta-data/',
  'http://metadata.google.internal/',
  'http://10.0.0.1/',
  'http://172.16.0.1/',
  'http://192.168.1.1/',
  'http://100.64.0.1/',
  'http://[fe80::1]/',
  'http://[fd00::1]/',
  'https://user:pass@example.com/',
  'file:///etc/passwd',
  'ftp://example.com/',
  'gopher://example.com/',
  'javascript:alert(1)',
  'data:text/html,x',
  'not a url',
]

const fetching = (urls: readonly string[]): string =>
  `${urls.map((url) => `@call web_fetch ${JSON.stringify({ url })}\n`).join('')}@then\n@say done`

it('no internal address is fetched for a model in any spelling, and the run continues [A06]', async () => {
  const api = await startNodeApi({ ALLOW_LOOPBACK: 'false' }, {})
  const run = await runToEnd(api, { input: fetching(PRIVATE) }).catch((error) => error)
  // The scripted model itself is on loopback, and the server was told so by its base URL.
  expect(run).toMatchObject({ status: 'completed' })
  const results = (await eventsOf(api, run.id)).filter(({ type }) => type === 'tool.result')
  expect(results).toHaveLength(PRIVATE.length)
  for (const { data } of results) expect(data.status, data.text).toBe('error')
})

it('endless and circular redirects and redirects back to the server are refused [U20]', async () => {
  const api = await startNodeApi()
  const asked: string[] = []
  const site = await startCannedServer(({ url = '' }, response) => {
    asked.push(url)
    const step = Number(/^\/far\/(\d+)$/.exec(url)?.[1] ?? -1)
    const to =
      step >= 0 ? `/far/${step + 1}` : url === '/circle' ? '/circle' : `${api.url}/v1/policy`
    if (url === '/robots.txt') response.writeHead(404).end()
    else response.writeHead(302, { location: to }).end()
  })
  cleanup.push(site.close)
  const urls = ['/far/0', '/circle', '/home'].map((path) => `${site.origin}${path}`)
  const run = await runToEnd(api, { input: fetching(urls) })
  const results = (await eventsOf(api, run.id)).filter(({ type }) => type === 'tool.result')
  for (const { data } of results) expect(data.status, data.text).toBe('error')
  expect(asked.filter((url) => url.startsWith('/far/')).length).toBeLessThanOrEqual(6)
  expect(asked.filter((url) => url === '/circle').length).toBeLessThanOrEqual(6)
  const home = results.find(({ data }) => data.text.includes('/home'))
  expect(home?.data.text).toMatch(/redirect to .*: the URL points back to this service/)
})
