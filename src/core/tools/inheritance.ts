/**
 * Inheritance by a subagent: MCP servers that it takes from its parent, and the parent's servers
 * and skills that its layers do not define.
 */

import { quoteText } from '../../lib/invisible-characters.ts'
import type { Resolved, ServerEntry } from '../config/types.ts'
import type { Pin } from '../run/log/pin.ts'
import { lackOf } from './available.ts'
import { usableSkills } from './toolset.ts'

const MAX_SHOWN = 20
const NAME_BYTES = 200

/**
 * Returns the parent's skills and servers that a subagent lacks, because it inherits neither role
 * nor repository.
 */
export function missingBelow(pin: Pick<Pin, 'skills' | 'servers'>, resolved: Resolved): string[] {
  const skills = new Set(usableSkills(resolved).map(({ id }) => id))
  const missing = [
    ...pin.skills.filter(({ id }) => !skills.has(id)).map(({ id }) => `skill ${name(id)}`),
    ...Object.keys(pin.servers)
      .filter((server) => lackOf(`mcp:${server}/*`, resolved) !== undefined)
      .map((server) => `MCP server ${name(server)}`),
  ]
  const more = missing.length - MAX_SHOWN
  return more > 0 ? [...missing.slice(0, MAX_SHOWN), `${more} more`] : missing
}

const name = (text: string): string => quoteText(text, NAME_BYTES)

/** Returns servers in request format, without unspecified members. */
export const asGiven = (servers: readonly ServerEntry[]): Record<string, unknown> =>
  Object.fromEntries(
    servers.map(({ name: server, origin: _, transport, ...fields }) => [
      server,
      { type: transport, ...Object.fromEntries(Object.entries(fields).filter(isSaid)) },
    ]),
  )

const isSaid = ([key, value]: [string, unknown]): boolean =>
  key === 'enabled_tools' || typeof value !== 'object'
    ? value !== null
    : value !== null && Object.keys(value).length > 0
