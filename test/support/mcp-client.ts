/** The protocol's own client before our app, without a socket. */

import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { createApp } from '../../src/http/app.ts'
import type { TestApi } from './api.ts'
import { cleanup } from './cleanup.ts'

export async function mcpClient(
  api: TestApi,
  key = api.key,
  mode: 'auto' | 'legacy' = 'auto',
): Promise<Client> {
  const { app } = createApp(api.world)
  const client = new Client(
    { name: 'test', version: '1' },
    mode === 'auto' ? { versionNegotiation: { mode } } : {},
  )
  const transport = new StreamableHTTPClientTransport(new URL('http://strata.test/mcp'), {
    requestInit: { headers: { authorization: `Bearer ${key}` } },
    fetch: async (url, init) => app.request(String(url), init),
  })
  await client.connect(transport)
  cleanup.push(() => client.close())
  return client
}

/** The result of a tool as JSON. */
// biome-ignore lint/suspicious/noExplicitAny: what a test expects of it stands in the test
export async function mcpCall(client: Client, name: string, given = {}): Promise<any> {
  const result = await client.callTool({ name, arguments: given })
  const [first] = result.content as { text: string }[]
  return { is_error: result.isError === true, ...JSON.parse(first?.text ?? '{}') }
}
