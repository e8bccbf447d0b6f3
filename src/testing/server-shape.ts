/** Converts requests to MCP servers to the form that recordings store and compare. */

import type { ServerEntry } from '../core/config/types.ts'
import type { ToolCall } from '../ports/world.ts'
import type { ServerShape } from './normalize.ts'

const optionalMember = (name: string, value: unknown): object =>
  value == null ? {} : { [name]: value }

/**
 * Returns the stored form of a tool list request. A server is identified by name, because its
 * address may differ between recordings.
 */
export const listShape = (server: ServerEntry): ServerShape => ({
  ...{ server: server.name, method: 'tools/list' },
  ...optionalMember('enabled_tools', server.enabled_tools),
  ...(server.disabled_tools.length > 0 ? { disabled_tools: server.disabled_tools } : {}),
})
export const callShape = (server: ServerEntry, call: ToolCall): ServerShape => ({
  ...{ server: server.name, method: 'tools/call', tool: call.tool, arguments: call.arguments },
  ...optionalMember('answers', call.answers),
})
export const probeShape = (server: ServerEntry): ServerShape => ({
  ...{ server: server.name, method: 'initialize' },
})
