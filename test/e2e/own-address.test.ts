/** The running server is no target of its own, though nothing names it, and shows hosts as they are. */

import { expect, it } from 'vitest'
import { startServer } from '../support/server.ts'

it("the server's own port returns 422 for webhooks and endpoints, and other ports do not [U23]", async () => {
  const env = { OPENAI_BASE_URL: 'http://127.0.0.1:9/v1', STRATA_MODEL: 'openai/x' }
  const server = await startServer({ env })
  const { port } = new URL(server.url)
  for (const host of ['127.0.0.1', 'localhost', '[::1]']) {
    const url = `http://${host}:${port}/v1/hooks/hook_x`
    const json = { input: 'x', webhook: { url } }
    const refused = await server.ask('/v1/runs', { method: 'POST', json })
    expect(refused.status).toBe(422)
    expect(await refused.json()).toMatchObject({ code: 'blocked_url' })
    const endpoint = { url, events: ['run.completed'] }
    const none = await server.ask('/v1/webhook-endpoints', { method: 'POST', json: endpoint })
    expect(none.status).toBe(422)
  }
})

it('a created endpoint (201) is stored and shown with its host in canonical form [U03]', async () => {
  const server = await startServer({})
  const create = (url: string) =>
    server.ask('/v1/webhook-endpoints', { method: 'POST', json: { url } })
  const made = await create('https://Bücher.Example./Hook')
  expect(made.status).toBe(201)
  const { id, url } = (await made.json()) as { id: string; url: string }
  expect(url).toBe('https://xn--bcher-kva.example/Hook')
  expect(await server.get(`/v1/webhook-endpoints/${id}`)).toMatchObject({ url })
  const patch = { method: 'PATCH', json: { url: 'https://OTHER.example:443/x' } }
  expect(await server.get(`/v1/webhook-endpoints/${id}`, patch)).toMatchObject({
    url: 'https://other.example/x',
  })
  for (const disguised of ['https://exam\u00adple.com/', 'https://ex%61mple.com/']) {
    expect((await create(disguised)).status).toBe(422)
  }
})

it('a server of a layer is shown with its host in canonical form, or is unavailable [T23]', async () => {
  const server = await startServer({})
  const config = [
    '[mcp_servers.plain]',
    'url = "https://BÜCHER.example/Mcp"',
    '[mcp_servers.disguised]',
    'url = "https://exam\\u00ADple.com/mcp"',
  ].join('\n')
  const put = await server.ask('/v1/files/base/.agents/config.toml', {
    method: 'PUT',
    body: config,
    headers: { 'content-type': 'application/octet-stream' },
  })
  expect(put.status).toBeLessThan(300)
  const resolved = await server.get<{
    servers: { name: string; url: string }[]
    unavailable: { name: string }[]
  }>('/v1/resolve', { method: 'POST', json: {} })
  expect(resolved.servers.map(({ url }) => url)).toEqual(['https://xn--bcher-kva.example/Mcp'])
  expect(resolved.unavailable).toMatchObject([{ name: 'disguised' }])
})
