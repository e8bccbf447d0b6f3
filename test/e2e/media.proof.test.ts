/** The time that a request may spend on the addresses of its pictures, by a real clock. */

import { expect, it } from 'vitest'
import { startCannedServer } from '../support/canned-server.ts'
import { cleanup } from '../support/cleanup.ts'
import { measured } from '../support/measured.ts'
import { startNodeApi } from '../support/node-api.ts'
import { ask } from '../support/node-client.ts'
import { GIF } from '../support/pictures.ts'

it('addresses of one request share the time for which its caller waits', async () => {
  const api = await startNodeApi(
    {},
    { models: { 'openai/scripted': { input: ['text', 'image'] } } },
  )
  const site = await startCannedServer((_, response) => {
    setTimeout(() => response.writeHead(200).end(GIF), 12_000).unref()
  })
  cleanup.push(site.close)
  const task = [{ type: 'image', url: `${site.origin}/slow.gif` }]
  const create = () => ask(api, 'POST', '/v1/fanouts', { tasks: [{ task }, { task }, { task }] })
  const { status, body } = await measured('three slow addresses', create, { wallMs: 25_000 })
  expect([status, body.errors[0].pointer]).toEqual([422, '/tasks/1/task/0/url'])
})
