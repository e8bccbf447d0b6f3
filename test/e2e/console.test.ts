/** The console of a Node server: where it stands, and the link that the start prints. */

import { expect, it } from 'vitest'
import { cleanup } from '../support/cleanup.ts'
import { launchServer } from '../support/launch.ts'

it('the first start prints a link that signs one browser in, once', async () => {
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

it('a later start, which knows no key, prints the address alone', async () => {
  const first = await launchServer({ open: cleanup })
  await first.process.stop()
  const again = await launchServer({ open: cleanup, before: first })
  const [, text] = await again.process.line(/^Console: (.*)$/m)
  expect(text).toBe(`${again.url}/console (sign in with an API key)`)
})
