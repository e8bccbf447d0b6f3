/** The HTTP server of the Node host when it is closed. */

import { Hono } from 'hono'
import { expect, it } from 'vitest'
import { listen } from '../../../../src/hosts/node/listen.ts'
import type { App } from '../../../../src/http/request/route.ts'

it('close ends connections at once and waits for the handlers of their requests', async () => {
  const events: string[] = []
  let enter = (): void => undefined
  let leave = (): void => undefined
  const entered = new Promise<void>((resolve) => (enter = resolve))
  const released = new Promise<void>((resolve) => (leave = resolve))
  const app = new Hono().get('/slow', async (c) => {
    enter()
    await released
    events.push('handled')
    return c.text('done')
  })
  const server = await listen(app as unknown as App, { host: '127.0.0.1', port: 0 })
  const request = fetch(`${server.url}/slow`).catch(() => events.push('broken'))
  await entered
  const closed = server.close().then(() => events.push('closed'))
  await request
  expect(events).toEqual(['broken'])
  leave()
  await closed
  expect(events).toEqual(['broken', 'handled', 'closed'])
})
