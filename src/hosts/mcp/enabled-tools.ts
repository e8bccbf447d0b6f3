/** Which tools of a server its entry allows. */

import type { ServerEntry } from '../../core/config/types.ts'

/**
 * Whether the server entry's lists allow a tool; deny wins. Entries may be written with the
 * server's name in front (`server__tool`, `mcp__server__tool`), as other programs do.
 */
export function isEnabled(server: ServerEntry, tool: string): boolean {
  const names = [tool, `${server.name}__${tool}`, `mcp__${server.name}__${tool}`]
  const isListed = (list: readonly string[]) => names.some((name) => list.includes(name))
  if (isListed(server.disabled_tools)) return false
  return server.enabled_tools === null || isListed(server.enabled_tools)
}
