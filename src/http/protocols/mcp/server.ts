/** Creates the MCP server for one request; MCP is used without sessions. */

import type { AuthInfo, McpRequestContext, Server } from '@modelcontextprotocol/server'
import type { Caller } from './caller.ts'
import { servePrompts } from './prompts.ts'
import { serveResources } from './resources.ts'
import { serveTasks, TASKS } from './tasks.ts'
import { callTool, toolList } from './tools.ts'

export type Sdk = typeof import('./sdk.ts')

/** Wraps the caller for the MCP library, which passes the value to the server. */
export const authInfo = (caller: Caller): AuthInfo => ({
  token: caller.operations.by,
  clientId: caller.operations.by,
  scopes: [...caller.scopes],
  extra: { caller },
})

export function serverFor(
  { Server: McpServer }: Sdk,
  { authInfo: auth, era }: McpRequestContext,
): Server {
  const caller = auth!.extra!.caller as Caller
  // Later protocol revisions removed tasks.
  const hasTasks = era === 'legacy'
  const offered = { tools: {}, resources: {}, prompts: {} }
  const capabilities = hasTasks ? { ...offered, tasks: TASKS } : offered
  const server = new McpServer({ name: 'strata', version: '1' }, { capabilities })
  showNoException(server, caller)
  server.setRequestHandler('tools/list', () => ({ tools: toolList(caller, hasTasks) }))
  server.setRequestHandler('tools/call', ({ params }, context) =>
    callTool(caller, hasTasks ? params : { ...params, task: undefined }, context),
  )
  serveResources(server, caller)
  servePrompts(server, caller)
  if (hasTasks) serveTasks(server, caller)
  return server
}

type Handler = (...args: readonly unknown[]) => unknown

/**
 * Hides exceptions from the MCP library, because it would send their text, which may name paths and
 * other internals.
 */
function showNoException(server: Server, { shownError }: Caller): void {
  const set = server.setRequestHandler.bind(server) as (...args: readonly unknown[]) => void
  // The last argument is the request handler; a parameter schema may precede it.
  const guarded = (...registered: readonly unknown[]): void => {
    const handle = registered.at(-1) as Handler
    set(...registered.slice(0, -1), async (...args: readonly unknown[]) => {
      try {
        return await handle(...args)
      } catch (error) {
        throw shownError(error)
      }
    })
  }
  Object.assign(server, { setRequestHandler: guarded })
}
