/**
 * Names of MCP tools: `mcp__<server>__<tool>`. Models accept at most 64 letters, digits, `_`, and
 * `-`. A name changed to fit contains a hash of the original name. Names with a long common prefix
 * therefore stay distinct, and each name is stable.
 */

import { sha256 } from '../../lib/digest.ts'
import { LIMITS } from '../limits.ts'

const HASH_LENGTH = 8

/**
 * Returns an MCP tool's name of at most `LIMITS.tool_name_length` characters, distinct for each
 * server and tool.
 */
export function mcpToolName(server: string, tool: string): string {
  const name = `mcp__${server}__${tool}`
  const clean = name.replace(/[^A-Za-z0-9_-]/g, '_')
  // Server names contain no `__`, so an unchanged name identifies both server and tool.
  if (clean === name && name.length <= LIMITS.tool_name_length) return name
  const hash = sha256(JSON.stringify([server, tool])).slice(0, HASH_LENGTH)
  return `${clean.slice(0, LIMITS.tool_name_length - HASH_LENGTH - 1)}_${hash}`
}
