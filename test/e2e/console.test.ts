/** The console of a Node server: the link that the start prints, and the chat in a browser. */

import { expect, it } from 'vitest'
import { newKey } from '../../src/engine/tenant/api-keys.ts'
import { hasBrowser, openBrowser } from '../console/browser.ts'
import { watchesSubagents } from '../console/together.ts'
import { cleanup } from '../support/cleanup.ts'
import { launchServer } from '../support/launch.ts'
import { startModelServer } from '../support/model-server.ts'
import { temporaryFolder } from '../support/server.ts'

it('the first start prints a link that signs in one browser, once', async () => {
  const server = await launchServer({ open: cleanup })
  const [, url = ''] = await server.process.line(/^Console: (\S+)$/m)
  expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/console\/sign-in#t=strata_sign_in_/)
  const { pathname, hash } = new URL(url)
  const page = await fetch(`${server.url}${pathname}`)
  expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
  const signIn = () =>
    server.ask('/v1/browser-sessions', {
      method: 'POST',
      json: { token: hash.slice('#t='.length) },
    })
  expect((await signIn()).status).toBe(201)
  expect((await signIn()).status).toBe(401)
})

it('a server with an operator-chosen key prints no link', async () => {
  const { key } = newKey((bytes) => crypto.getRandomValues(new Uint8Array(bytes)))
  const before = { dataDir: await temporaryFolder(), key }
  const server = await launchServer({ open: cleanup, env: { STRATA_ADMIN_KEY: key }, before })
  const [, text] = await server.process.line(/^Console: (.*)$/m)
  expect(text).toMatch(
    /^http:\S+\/console \(sign in with an API key, or with a link from strata console\)$/,
  )
})

it('each later start prints a link too, or only the address without its key', async () => {
  const first = await launchServer({ open: cleanup })
  await first.process.stop()
  const again = await launchServer({ open: cleanup, before: first })
  const [, url = ''] = await again.process.line(/^Console: (.*)$/m)
  const token = new URL(url).hash.slice('#t='.length)
  const json = { token }
  expect((await again.ask('/v1/browser-sessions', { method: 'POST', json })).status).toBe(201)
  const scopes = ['*']
  const other = await again.get<{ key: string }>('/v1/keys', { method: 'POST', json: { scopes } })
  const headers = { authorization: `Bearer ${other.key}` }
  const own = `/v1/keys/${again.key.split('_')[1]}`
  expect((await again.ask(own, { method: 'DELETE', headers })).status).toBe(204)
  await again.process.stop()
  const last = await launchServer({ open: cleanup, before: again })
  const [, text] = await last.process.line(/^Console: (.*)$/m)
  expect(text).toBe(`${last.url}/console (sign in with an API key)`)
})

it.skipIf(!hasBrowser)(
  'a run with three subagents can be watched and approved, and a reload shows the same',
  async () => {
    const model = await startModelServer()
    cleanup.push(model.close)
    const env = { OPENAI_BASE_URL: model.url, MAX_DEPTH: '2' }
    const server = await launchServer({ open: cleanup, env })
    const faults: string[] = []
    await watchesSubagents({ server, browser: await openBrowser(cleanup), faults })
    expect(faults).toEqual([])
  },
)
