/**
 * Our MCP client as the conformance suite starts it: `node client.ts <server url>`. The
 * scenario's name comes by MCP_CONFORMANCE_SCENARIO; the tools port does what a run would do.
 */

import { createMcpTools } from '../../../src/hosts/mcp/mcp.ts'
import { pinnedFetch } from '../../../src/hosts/node/outbound.ts'
import { guardedFetch } from '../../../src/hosts/outbound/fetch.ts'
import { serverEntry } from '../everything.ts'

const url = process.argv.at(-1) ?? ''
const policy = { allowLoopback: true }
const tools = createMcpTools({
  secrets: {
    get: async () => undefined,
    names: async () => new Set(),
    bindings: async () => new Map(),
    seal: async (text) => text,
    open: async (text) => text,
  },
  fetch: guardedFetch(policy, pinnedFetch(policy)),
})
const server = serverEntry({ name: 'suite', transport: 'http', url })
const listed = await tools.list('default', server)
if (!listed.ok) throw new Error(listed.error)
for (const { name, input_schema } of listed.value) {
  const properties = (input_schema.properties ?? {}) as Record<string, { type?: string }>
  const given = Object.entries(properties).map(([key, { type }]) => [
    key,
    type === 'number' || type === 'integer' ? 2 : type === 'boolean' ? true : 'text',
  ])
  const outcome = await tools.call('default', server, {
    tool: name,
    arguments: Object.fromEntries(given),
    key: `key-${name}`,
    signal: AbortSignal.timeout(20_000),
  })
  console.log(name, JSON.stringify(outcome))
}
await tools.close()
