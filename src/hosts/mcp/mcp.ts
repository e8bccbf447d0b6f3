/**
 * The tools port on MCP servers, as a host creates it. The client's library is loaded when the
 * first server is asked: a deployment without servers pays neither its time nor its memory.
 */

import type { Tools } from '../../ports/world.ts'
import type { Connecting } from './connect.ts'

export interface McpOptions extends Connecting {
  /** How long an unused connection stays open; 0 where connections die with the request. */
  readonly idleMs?: number
  /** How long a list is believed when the server does not say. */
  readonly listMs?: number
}

export interface McpTools extends Tools {
  /** Closes every connection and ends every local server. */
  close(): Promise<void>
}

export function createMcpTools(options: McpOptions): McpTools {
  let loading: Promise<McpTools> | undefined
  const load = () => {
    loading ??= import('./tools.ts').then((module) => module.openMcpTools(options))
    return loading
  }
  return {
    list: async (tenant, server, signal) => (await load()).list(tenant, server, signal),
    call: async (tenant, server, call) => (await load()).call(tenant, server, call),
    probe: async (tenant, server, signal) => (await load()).probe(tenant, server, signal),
    forget: (tenant) => {
      loading?.then((tools) => tools.forget(tenant))
    },
    close: async () => (await loading)?.close(),
  }
}
