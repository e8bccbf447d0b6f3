/**
 * Names of the tools of MCP servers: `mcp__<server>__<tool>`. Models accept at most 64 letters,
 * digits, `_` and `-`; a name that must be changed to fit carries a hash of the original, so that
 * two tools with a long beginning in common stay two, and the name is the same every time.
 */

import { sha256 } from '../../lib/digest.ts'
import { LIMITS } from '../limits.ts'

const HASH_LENGTH = 8

/** Never longer than `LIMITS.tool_name_length`; different for different (server, tool). */
export function mcpToolName(server: string, tool: string): string {
  const name = `mcp__${server}__${tool}`
  const clean = name.replace(/[^A-Za-z0-9_-]/g, '_')
  // Server names hold no `__`, so the unchanged name says which server and tool it means.
  if (clean === name && name.length <= LIMITS.tool_name_length) return name
  const hash = sha256(JSON.stringify([server, tool])).slice(0, HASH_LENGTH)
  return `${clean.slice(0, LIMITS.tool_name_length - HASH_LENGTH - 1)}_${hash}`
}
