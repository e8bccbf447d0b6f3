/** Filters the tools of a server by the allow and deny lists in its entry. */

import type { ServerEntry } from '../../core/config/types.ts'

/**
 * Reports whether the lists in the server's entry allow a tool; deny wins. List entries may be
 * prefixed with the server's name (`server__tool`, `mcp__server__tool`), as in other programs.
 */
export function isEnabled(server: ServerEntry, tool: string): boolean {
  const names = [tool, `${server.name}__${tool}`, `mcp__${server.name}__${tool}`]
  const isListed = (list: readonly string[]) => names.some((name) => list.includes(name))
  if (isListed(server.disabled_tools)) return false
  return server.enabled_tools === null || isListed(server.enabled_tools)
}
