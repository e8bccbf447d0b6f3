/** Inheritance of a subagent: servers handed down by its parent, and those that its layers lack. */

import { quoted } from '../../lib/visible.ts'
import type { Resolved, ServerEntry } from '../config/types.ts'
import type { Pin } from '../run/log/pin.ts'
import { lackOf } from './available.ts'
import { usableSkills } from './toolset.ts'

const SHOWN = 20
const NAME_BYTES = 200

/** A subagent inherits neither role nor repository: what it misses by that, for both of them. */
export function missingBelow(pin: Pick<Pin, 'skills' | 'servers'>, resolved: Resolved): string[] {
  const skills = new Set(usableSkills(resolved).map(({ id }) => id))
  const lost = [
    ...pin.skills.filter(({ id }) => !skills.has(id)).map(({ id }) => `skill ${name(id)}`),
    ...Object.keys(pin.servers)
      .filter((one) => lackOf(`mcp:${one}/*`, resolved) !== undefined)
      .map((one) => `MCP server ${name(one)}`),
  ]
  const more = lost.length - SHOWN
  return more > 0 ? [...lost.slice(0, SHOWN), `${more} more`] : lost
}

const name = (text: string): string => quoted(text, NAME_BYTES)

/** Servers as a request writes them: what is not said is left out. */
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
