/** Secrets of a tenant on every host: stored, sent to their server, replaced, resealed, deleted. */

import { expect } from 'vitest'
import { startCannedMcp } from '../support/canned-mcp.ts'
import { type Client, type Open, runToEnd } from '../support/launch.ts'
import { eventually } from './store/kit.ts'

interface Secret {
  readonly name: string
  readonly version: number
}

export async function storesSecrets(client: Client, open: Open): Promise<void> {
  const mcp = await startCannedMcp({
    onCall: (message, response) => {
      const sent = String(mcp.messages('tools/call').at(-1)!.headers.authorization)
      const result = { content: [{ type: 'text', text: `you sent ${sent}` }] }
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ jsonrpc: '2.0', id: message.id, result }))
      return true
    },
  })
  open.push(mcp.close)
  const value = `value-${crypto.randomUUID()}`
  const path = '/v1/secrets/HOST_TOKEN'
  const put = (text: string): Promise<Secret> =>
    client.get(path, { method: 'PUT', json: { value: text, hosts: ['127.0.0.1'] } })
  const { version } = await put(value)
  await client.ask('/v1/files/roles/keeper/.agents/config.toml', {
    method: 'PUT',
    body: `[mcp_servers.kept]\nurl = "${mcp.url}"\nbearer_token_env_var = "HOST_TOKEN"\n`,
  })
  const request = { role: 'keeper', input: '@call mcp__kept__act {}\n@say {last}' }
  // Another process may use the secrets that it has read for some seconds more.
  await eventually(async () => {
    const run = await runToEnd(client, request)
    expect(run.status).toBe('completed')
    expect(run.output?.text).toContain('you sent Bearer [redacted]')
  })
  const sent = () => mcp.messages('tools/call').at(-1)?.headers.authorization
  expect(sent()).toBe(`Bearer ${value}`)
  const shown = JSON.stringify([
    await client.get('/v1/secrets'),
    await client.get(path),
    await client.get('/v1/audit'),
  ])
  expect(shown).toContain('HOST_TOKEN')
  expect(shown).not.toContain(value)
  expect((await put(`${value}-next`)).version).toBeGreaterThan(version)
  await eventually(async () => {
    await runToEnd(client, request)
    expect(sent()).toBe(`Bearer ${value}-next`)
  })
  const json = { value: `${value}-of-alice`, hosts: ['127.0.0.1'] }
  await client.get(`${path}?subject=alice`, { method: 'PUT', json })
  await eventually(async () => {
    await runToEnd(client, { ...request, subject: 'alice' })
    expect(sent()).toBe(`Bearer ${value}-of-alice`)
  })
  // The list of end users may be a moment behind.
  await eventually(async () => {
    const { resealed, lost } = await client.get<{ resealed: number; lost: readonly string[] }>(
      '/v1/secrets/reseal',
      { method: 'POST' },
    )
    expect(lost).toEqual([])
    expect(resealed).toBeGreaterThanOrEqual(2)
  })
  await runToEnd(client, request)
  expect(sent()).toBe(`Bearer ${value}-next`)
  expect((await client.ask(path, { method: 'DELETE' })).status).toBe(204)
  expect((await client.ask(path)).status).toBe(404)
}
