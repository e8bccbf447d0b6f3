/** The sign-in of the console on the real server: the printed link, `strata link`, the cookie. */

import { execFile } from 'node:child_process'
import { expect, it } from 'vitest'
import { createClient } from '../../src/client/index.ts'
import { MAIN, type Server, startServer } from '../support/server.ts'

const PATH = '/v1/browser-sessions'
const strata = (server: Server, ...args: string[]): Promise<string> =>
  new Promise((resolve, reject) => {
    const env = { STRATA_URL: server.url, STRATA_API_KEY: server.key }
    execFile(process.execPath, [MAIN, ...args], { env }, (error, out) =>
      error ? reject(error) : resolve(out.trim()),
    )
  })
const tokenOf = (url: string): string => new URL(url).hash.slice('#link='.length)

/** A browser, as far as the API sees one: it keeps the cookie and says where its page is from. */
function browserAt(server: Server, page = server.url) {
  let cookie = ''
  const send = async (url: string | URL | Request, init: RequestInit = {}): Promise<Response> => {
    const headers = new Headers(init.headers)
    headers.set('sec-fetch-site', page === server.url ? 'same-origin' : 'cross-site')
    if (init.method !== undefined && init.method !== 'GET') headers.set('origin', page)
    if (cookie !== '') headers.set('cookie', cookie)
    const response = await fetch(url, { ...init, headers })
    cookie = response.headers.getSetCookie()[0]?.split(';')[0] ?? cookie
    return response
  }
  const client = createClient({ url: server.url, auth: 'cookie', fetch: send as typeof fetch })
  return { client, take: (other: string) => (cookie = other), cookie: () => cookie }
}

it('a new server prints a link, which signs one browser in; the next start names another way', async () => {
  const server = await startServer()
  const [, url = ''] = await server.process.line(/Console: (\S+#link=\S+) \(signs in once/)
  expect(new URL(url).origin).toBe(server.url)
  const { client } = browserAt(server)
  const session = await client.browserSessions.create({ link: tokenOf(url) })
  expect(session).toMatchObject({ scopes: ['*'], key_id: server.key.split('_')[1] })
  const run = await client.runs.create({ input: 'Hello.' }).catch((error: unknown) => error)
  // No model is configured: it is the run that is refused, and not the browser.
  expect(run).toMatchObject({ code: 'model_not_configured' })
  await expect(
    browserAt(server).client.browserSessions.create({ link: tokenOf(url) }),
  ).rejects.toMatchObject({ code: 'unauthorized' })
  const output = server.process.output()
  await server.process.stop('SIGTERM')
  const again = await startServer({ before: server })
  await again.process.line(/Console: \S+\/console \(sign in with an API key, or by a link of/)
  expect(again.process.output()).not.toContain('#link=')
  const stranger = browserAt(again).client.keys.list()
  await expect(stranger).rejects.toMatchObject({ code: 'unauthorized' })
  // Its line alone has the token, and no line the cookie.
  expect(output.split(tokenOf(url))).toHaveLength(2)
  expect(output).not.toContain('strata_browser_')
})

it('`strata link` signs in; pages of others do nothing by the cookie; signing out ends it', async () => {
  const server = await startServer()
  await expect(strata(server, 'link', '--approval', 'apr_none')).rejects.toThrow('approval')
  const made = JSON.parse(await strata(server, 'link', '--json'))
  expect(made).toMatchObject({ object: 'sign_in_link', url: expect.stringContaining('#link=') })
  const mine = browserAt(server)
  const uses = Array.from({ length: 20 }, () =>
    mine.client.browserSessions.create({ link: made.token }).then(
      () => 201,
      (error) => error.status,
    ),
  )
  expect((await Promise.all(uses)).toSorted()).toEqual([201, ...Array(19).fill(401)])
  expect((await mine.client.keys.list()).data).toHaveLength(1)
  const evil = browserAt(server, 'https://evil.example')
  evil.take(mine.cookie())
  const refused = { status: 403, code: 'cross_site' }
  await expect(evil.client.keys.list()).rejects.toMatchObject(refused)
  await expect(evil.client.keys.create({ scopes: ['*'] })).rejects.toMatchObject(refused)
  const plain = { cookie: mine.cookie() }
  expect((await fetch(`${server.url}/v1/keys`, { headers: plain })).status).toBe(403)
  await mine.client.browserSessions.signOut()
  await expect(mine.client.keys.list()).rejects.toMatchObject({ status: 401 })
  const [first] = (await server.get<{ data: { expires_at: string }[] }>(PATH)).data
  expect(first).toBeUndefined()
})
