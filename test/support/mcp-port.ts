/** The tools port before real MCP servers. */

import type { ServerEntry } from '../../src/core/config/types.ts'
import { createMcpTools } from '../../src/hosts/mcp/mcp.ts'
import type { McpOptions } from '../../src/hosts/mcp/types.ts'
import { pinnedFetch } from '../../src/hosts/node/outbound.ts'
import { openStdio } from '../../src/hosts/node/stdio.ts'
import { guardedFetch } from '../../src/hosts/outbound/fetch.ts'
import type { Secrets } from '../../src/ports/world.ts'
import { type CannedMcpOptions, startCannedMcp } from './canned-mcp.ts'
import { cleanup } from './cleanup.ts'
import { serverEntry } from './everything.ts'

/** Secrets that are just these. */
export const secretsOf = (
  values: Record<string, string>,
  bindings: Record<string, readonly string[]> = {},
): Secrets => ({
  get: async (_, name) => values[name],
  names: async () => new Set(Object.keys(values)),
  bindings: async () => new Map(Object.entries(bindings)),
  seal: async (text) => text,
  open: async (text) => text,
})
/** The tools port as the Node host makes it, with loopback allowed. */
export function mcp(more: Partial<McpOptions> = {}) {
  const policy = { allowLoopback: true }
  const fetch = guardedFetch(policy, pinnedFetch(policy))
  const tools = createMcpTools({ secrets: secretsOf({}), fetch, stdio: openStdio, ...more })
  cleanup.push(tools.close)
  return {
    ...tools,
    run: (server: ServerEntry, tool: string, args: Record<string, unknown> = {}) =>
      tools.call('default', server, {
        tool,
        arguments: args,
        key: 'key-1',
        signal: new AbortController().signal,
      }),
  }
}
/** A server of the test's own and its entry. */
export async function canned(options: CannedMcpOptions = {}, entry: Partial<ServerEntry> = {}) {
  const server = await startCannedMcp(options)
  cleanup.push(server.close)
  const name = 'canned'
  return { server, entry: serverEntry({ name, transport: 'http', url: server.url, ...entry }) }
}
