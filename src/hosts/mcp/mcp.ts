/**
 * Implements the tools port with MCP servers. The client library is loaded on the first call to a
 * server, so deployments without servers need not load it.
 */

import type { Authorization } from '../../ports/world.ts'
import type { McpOptions, McpTools } from './types.ts'

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
    forget: async (tenant) => {
      await Promise.all([
        loading?.then((tools) => tools.forget(tenant)),
        options.shared?.forget(tenant),
      ])
    },
    close: async () => (await loading)?.close(),
    ...(options.oauth ? { authorization: authorization(load) } : {}),
  }
}

const authorization = (load: () => Promise<McpTools>): Authorization => {
  const loaded = async (): Promise<Authorization> => (await load()).authorization!
  return {
    begin: async (tenant, server, consent) => (await loaded()).begin(tenant, server, consent),
    finish: async (answer) => (await loaded()).finish(answer),
    states: async (tenant, servers) => (await loaded()).states(tenant, servers),
    forget: async (tenant, server, by) => (await loaded()).forget(tenant, server, by),
  }
}
