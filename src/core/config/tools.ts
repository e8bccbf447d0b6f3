/**
 * The tools that an agent file grants and denies, in any of the forms people write: a comma string,
 * a list, an OpenCode object, `*`, nothing. The rule behind every case: a list that had entries
 * never turns into "all tools", and what cannot be enforced is denied, not widened.
 */

import { serverName } from '../../lib/name.ts'
import { error, note, warning } from './diagnostic.ts'
import { toolsNamed, UNAVAILABLE_TOOLS } from './toolnames.ts'
import type { Diagnostic, Grant } from './types.ts'
import type { HeadEntry, Plain } from './yaml.ts'

export interface ToolList {
  /** `null`: everything is inherited. */
  readonly allowed: readonly Grant[] | null
  readonly denied: readonly Grant[]
  /** Ids of the agents that `Agent(a, b)` allows to start; `null`: any. */
  readonly spawns: readonly string[] | null
  readonly found: readonly Diagnostic[]
}

const INHERIT: ToolList = { allowed: null, denied: [], spawns: null, found: [] }

/** The value of `tools`. An absent key inherits. */
export function grantedTools(entry: HeadEntry | undefined): ToolList {
  if (entry === undefined) return INHERIT
  const { value, line } = entry
  if (value === null || (typeof value === 'string' && value.trim() === '')) {
    return {
      ...INHERIT,
      found: [
        warning('tools_blank', '`tools` is blank: all tools are inherited', {
          line,
          hint: 'tools: []',
        }),
      ],
    }
  }
  const wanted = entries(value)
  if (wanted === undefined) {
    return {
      ...INHERIT,
      found: [error('tools_invalid', '`tools` is not a list of names', { line })],
    }
  }
  if (wanted.yes.some((name) => name.trim() === '*'))
    return { ...INHERIT, ...denials(wanted, line) }
  // OpenCode's `{write: false}` takes tools away from all; it is no list of grants.
  if (wanted.yes.length === 0 && wanted.no.length > 0 && !wanted.no.includes('*')) {
    return { ...INHERIT, ...denials(wanted, line) }
  }
  return granted(wanted, line)
}

function granted(wanted: Wanted, line: number): ToolList {
  const allowed: Grant[] = []
  const unknown: string[] = []
  const { denied, found } = denials(wanted, line)
  let spawns: readonly string[] | null = null
  for (const text of wanted.yes) {
    const { name, specifier } = parts(text)
    const grants = translate(name)
    if (grants === undefined) {
      const guesses = guessedMcp(name)
      allowed.push(...guesses)
      if (guesses.length === 0) unknown.push(text)
      const what = guesses.length === 0 ? 'dropped' : 'taken for a tool of an MCP server'
      found.push(warning('unknown_tool', `nobody knows the tool \`${text}\`: ${what}`, { line }))
    } else if (specifier === undefined) {
      allowed.push(...grants)
      found.push(...unavailable(text, grants, line))
    } else if (grants[0] === 'sessions_spawn') {
      allowed.push(...grants)
      spawns = [...(spawns ?? []), ...specifier.split(',').map((id) => id.trim())]
    } else {
      denied.push(...grants)
      found.push(unenforceable(text, grants, line))
    }
  }
  const kept = distinct(allowed.filter((grant) => !denied.includes(grant)))
  if (kept.length === 0 && wanted.yes.length > 0) {
    const names = unknown.length > 0 ? ` [${unknown.join(', ')}]` : ''
    found.push(
      error('no_tools_left', `none of the tools in the list can be granted${names}`, {
        line,
        hint: 'tools: []   # for an agent without tools',
      }),
    )
  }
  return { allowed: kept, denied: distinct(denied), spawns, found }
}

/** The value of `disallowedTools`: a specifier denies the whole tool. */
export function deniedTools(entry: HeadEntry | undefined): {
  readonly denied: readonly Grant[]
  readonly found: readonly Diagnostic[]
} {
  if (entry === undefined || entry.value === null) return { denied: [], found: [] }
  const { value, line } = entry
  const wanted = entries(value)
  if (wanted === undefined) {
    const message = '`disallowedTools` is not a list of names'
    return { denied: [], found: [error('tools_invalid', message, { line })] }
  }
  return denials({ yes: [], no: wanted.yes }, line)
}

function denials(wanted: Wanted, line: number): { denied: Grant[]; found: Diagnostic[] } {
  const denied: Grant[] = []
  const found: Diagnostic[] = []
  for (const text of wanted.no) {
    const { name, specifier } = parts(text)
    const grants = name === '*' ? ['*'] : translate(name)
    if (grants === undefined) {
      denied.push(...guessedMcp(name))
      found.push(
        warning('unknown_tool', `nobody knows the tool \`${text}\`: nothing to deny`, { line }),
      )
      continue
    }
    denied.push(...grants)
    if (specifier !== undefined) found.push(unenforceable(text, grants, line))
  }
  return { denied: distinct(denied), found }
}

const unenforceable = (text: string, grants: readonly Grant[], line: number): Diagnostic =>
  warning(
    'specifier_denied',
    `\`${text}\` cannot be enforced here, so ${grants.join(' and ')} is denied whole`,
    { line, hint: parts(text).name },
  )

function unavailable(text: string, grants: readonly Grant[], line: number): Diagnostic[] {
  return grants
    .filter((grant) => UNAVAILABLE_TOOLS.has(grant))
    .map((grant) =>
      warning('tool_unavailable', `\`${text}\` means ${grant}, which this host does not have`, {
        line,
      }),
    )
}

/** Allowed and denied together: deny wins, and says so. */
export function subtract(
  allowed: readonly Grant[] | null,
  denied: readonly Grant[],
  line: number | null,
): { readonly allowed: readonly Grant[] | null; readonly found: readonly Diagnostic[] } {
  if (allowed === null) return { allowed, found: [] }
  const both = allowed.filter((grant) => denied.some((deny) => covers(deny, grant)))
  if (both.length === 0) return { allowed, found: [] }
  const message = `both allowed and denied, so denied: ${both.join(', ')}`
  return {
    allowed: allowed.filter((grant) => !both.includes(grant)),
    found: [warning('denied_wins', message, { line })],
  }
}

/** Whether a grant (perhaps `*` or all tools of a server) includes another. */
export function covers(wide: Grant, grant: Grant): boolean {
  if (wide === '*' || wide === grant) return true
  return wide.startsWith('mcp:') && wide.endsWith('/*') && grant.startsWith(wide.slice(0, -1))
}

interface Wanted {
  readonly yes: readonly string[]
  readonly no: readonly string[]
}

function entries(value: Plain): Wanted | undefined {
  if (typeof value === 'string') return { yes: splitCommas(value), no: [] }
  if (Array.isArray(value)) {
    if (!value.every((item) => typeof item === 'string')) return undefined
    return { yes: value.flatMap((item) => splitCommas(item)), no: [] }
  }
  if (value === null || typeof value !== 'object') return undefined
  const yes: string[] = []
  const no: string[] = []
  for (const [name, on] of Object.entries(value))
    (on === true || on === 'allow' ? yes : no).push(name)
  return { yes, no }
}

/** Parts between commas or lines that stand outside parentheses, trimmed, blanks left out. */
export function splitCommas(text: string, separator: RegExp = /[,\n]/): string[] {
  const all = text.includes('(') ? splitOutside(text, separator) : text.split(separator)
  return all.map((one) => one.trim()).filter((one) => one !== '')
}

function splitOutside(text: string, separator: RegExp): string[] {
  const out: string[] = []
  let depth = 0
  let part = ''
  for (const char of text) {
    if (char === '(') depth += 1
    else if (char === ')') depth = Math.max(0, depth - 1)
    if (depth === 0 && separator.test(char)) {
      out.push(part)
      part = ''
    } else part += char
  }
  return [...out, part]
}

function parts(text: string): { name: string; specifier: string | undefined } {
  const match = /^([^()]+)\((.*)\)$/s.exec(text.trim())
  if (match === null) return { name: text.trim(), specifier: undefined }
  const specifier = match[2]?.trim() ?? ''
  // `Bash(*)` is all of it.
  return {
    name: (match[1] ?? '').trim(),
    specifier: /^\**$/.test(specifier) ? undefined : specifier,
  }
}

/** A name in anybody's vocabulary as grants of ours; undefined when nobody knows it. */
export function translate(name: string): readonly Grant[] | undefined {
  const known = toolsNamed(name)
  if (known !== undefined) return known
  const grant = mcpGrant(name)
  return grant === undefined ? undefined : [grant]
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
 * OpenCode writes `<server>_<tool>`: every place where the name may part. A guess names one tool of
 * one server, so it grants nothing where there is no such server.
 */
function guessedMcp(name: string): Grant[] {
  if (!/^[A-Za-z0-9][\w-]*$/.test(name)) return []
  const splits = [...name.matchAll(/_/g)].map(({ index }) => index)
  return splits.flatMap((at) => {
    const tool = name.slice(at + 1)
    return tool === '' ? [] : (grantOf(name.slice(0, at), tool) ?? [])
  })
}

const grantOf = (server: string, tool: string): Grant | undefined =>
  serverName(server).ok ? `mcp:${server}/${tool}` : undefined

export const distinct = <T>(list: readonly T[]): T[] => [...new Set(list)]

/** A skill's `allowed-tools`: recorded as written, split at commas or blanks. */
export function skillTools(entry: HeadEntry | undefined): {
  readonly tools: readonly string[]
  readonly found: readonly Diagnostic[]
} {
  if (entry === undefined || entry.value === null) return { tools: [], found: [] }
  const { value, line } = entry
  const list = Array.isArray(value) ? value : [value]
  if (!list.every((item) => typeof item === 'string')) {
    return {
      tools: [],
      found: [note('allowed_tools_form', '`allowed-tools` is not a list of names', { line })],
    }
  }
  return { tools: distinct(list.flatMap((item) => splitCommas(item, /[,\s]/))), found: [] }
}
