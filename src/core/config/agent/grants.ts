/**
 * Tool grants: tool names in the vocabulary of any product, and the calls that each grant covers.
 */

import { matchSegment } from '../../../lib/glob.ts'
import { NAME_LENGTH, serverName } from '../../../lib/name.ts'
import type { Grant } from '../types.ts'
import { OUR_TOOLS, toolsNamed } from './tool-names.ts'
import { distinct } from './tool-values.ts'

/**
 * Whether a grant (a tool, `*`, all tools of a server, or a glob) covers another grant completely.
 */
export function covers(wide: Grant, grant: Grant): boolean {
  if (wide === '*' || wide === grant) return true
  if (!wide.startsWith('mcp:') || !wide.includes('*') || !grant.startsWith('mcp:')) return false
  const [server, tool] = [wide.indexOf('/'), grant.indexOf('/')]
  return (
    matchSegment(wide.slice(0, server), grant.slice(0, tool)) &&
    matchSegment(wide.slice(server + 1), grant.slice(tool + 1))
  )
}

/** Translates a tool name of any product to grants; undefined if the name is unknown. */
export function translate(name: string): readonly Grant[] | undefined {
  const grants = toolsNamed(name)
  if (grants !== undefined) return grants
  const grant = mcpGrant(name)
  return grant === undefined ? undefined : [grant]
}

/**
 * Translates a denied tool name. A glob denies every match: `file_*`, `*_write`, `mcp__*`. An
 * ambiguous name denies both the server's tools and the built-in tools.
 */
export function translateDenied(name: string): readonly Grant[] | undefined {
  if (!name.includes('*')) return translate(name)
  if (/^\*+$/.test(name)) return ['*']
  const ours = OUR_TOOLS.filter((tool) => matchSegment(name.toLowerCase(), tool))
  const [, server, tool = '*'] = /^mcp__(.+?)(?:__(.+))?$/.exec(name) ?? []
  const remote = server === undefined ? (translate(name) ?? []) : [`mcp:${server}/${tool}`]
  const all = distinct([...ours, ...remote])
  return all.length === 0 ? undefined : all
}

function mcpGrant(name: string): Grant | undefined {
  const claude = /^mcp__([A-Za-z0-9](?:[A-Za-z0-9-]|_(?!_))*?)(?:__(.+))?$/.exec(name)
  if (claude !== null) return grantOf(claude[1] ?? '', claude[2] ?? '*')
  const slash = /^([^/\s]+)\/([^/\s]+)$/.exec(name)
  if (slash !== null) return grantOf(slash[1] ?? '', slash[2] ?? '')
  const openCode = /^(.+)_\*$/.exec(name)
  if (openCode !== null) return grantOf(openCode[1] ?? '', '*')
  const ours = /^mcp:([^/\s]+)\/(\S+)$/.exec(name)
  return ours === null ? undefined : grantOf(ours[1] ?? '', ours[2] ?? '')
}

/**
 * Splits OpenCode's `<server>_<tool>` at every possible position. Each split names one tool of one
 * server, so it grants nothing if that server does not exist.
 */
export function guessedMcp(name: string): Grant[] {
  if (!/^[A-Za-z0-9][\w-]*$/.test(name)) return []
  // The maximum length of server names makes separators after it irrelevant.
  const splits = [...name.slice(0, NAME_LENGTH + 1).matchAll(/_/g)].map(({ index }) => index)
  return splits.flatMap((at) => {
    const tool = name.slice(at + 1)
    return tool === '' ? [] : (grantOf(name.slice(0, at), tool) ?? [])
  })
}

const grantOf = (server: string, tool: string): Grant | undefined =>
  serverName(server).ok ? `mcp:${server}/${tool}` : undefined
