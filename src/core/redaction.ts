/** Redacts stored values of `env` and `http_headers` that must not be displayed. */

import { escapePointer } from '../lib/json.ts'
import type { OperationName } from './manage/operations.ts'
import { type Body, isRef } from './message.ts'

export const REDACTED = '[redacted]'

export const blanked = (values: Readonly<Record<string, unknown>>): Record<string, string> =>
  Object.fromEntries(Object.keys(values).map((name) => [name, REDACTED]))

/** Returns a URL without its user name and password. */
export const withoutUserinfo = (url: string): string =>
  url.replace(/^([a-z][a-z0-9+.-]*:\/\/)[^/\s]*@/i, `$1${REDACTED}@`)

/** Server fields that may contain secrets; `headers` is a legacy name. */
const HIDING: ReadonlySet<string> = new Set(['env', 'http_headers', 'headers'])

/** Redacts the secret fields of server definitions sent by a caller, regardless of their shape. */
export function withoutValues(input: unknown): unknown {
  if (Array.isArray(input)) return input.map(withoutValues)
  if (input === null || typeof input !== 'object') return input
  return Object.fromEntries(
    Object.entries(input).map(([key, value]) => {
      if (!HIDING.has(key)) return [key, withoutValues(value)]
      return [key, value !== null && typeof value === 'object' ? blanked({ ...value }) : REDACTED]
    }),
  )
}

/** A value without its secrets, and the JSON pointers of the values that were removed. */
interface WithoutSecrets {
  readonly value: unknown
  readonly removed: readonly string[]
}

/** Server field whose members are names of tools, which can equal the name of a secret field. */
const TOOL_RULES = 'approval'

/** Place of a value in a map of servers; only a server and its fields have secret members. */
type ServerPlace = 'servers' | 'server' | 'field' | 'rules'

const serverPlaceOf = (key: string, under: ServerPlace): ServerPlace => {
  if (under === 'servers') return 'server'
  return under === 'rules' || (under === 'server' && key === TOOL_RULES) ? 'rules' : 'field'
}

/**
 * Removes the secret fields of server definitions by name, and the user information of URLs.
 * Servers and tools may have the names of secret fields.
 */
export const withoutServerSecrets = (servers: unknown, pointer: string): WithoutSecrets =>
  withoutSecrets(servers, pointer, 'servers')

function withoutSecrets(input: unknown, pointer: string, place: ServerPlace): WithoutSecrets {
  if (typeof input === 'string') {
    const value = input.replace(/:\/\/[^/\s]*@/g, '://')
    return { value, removed: value === input ? [] : [pointer] }
  }
  if (input === null || typeof input !== 'object') return { value: input, removed: [] }
  const isHiding = (place === 'server' || place === 'field') && !Array.isArray(input)
  const removed: string[] = []
  const members = Object.entries(input).flatMap(([key, member]) => {
    const at = `${pointer}/${escapePointer(key)}`
    if (isHiding && HIDING.has(key)) {
      removed.push(...pointersIn(member, at))
      return []
    }
    const inner = withoutSecrets(member, at, serverPlaceOf(key, place))
    removed.push(...inner.removed)
    return [[key, inner.value] as const]
  })
  const value = Array.isArray(input)
    ? members.map(([, member]) => member)
    : Object.fromEntries(members)
  return { value, removed }
}

const pointersIn = (member: unknown, at: string): string[] =>
  member !== null && typeof member === 'object'
    ? Object.keys(member).map((name) => `${at}/${escapePointer(name)}`)
    : [at]

/** Tools whose arguments contain a server definition. */
const DESCRIBING: ReadonlySet<string> = new Set<OperationName>(['mcp_put_server'])

/**
 * Returns the arguments of a call (JSON text) with secrets redacted; malformed arguments are not
 * shown.
 */
export function shownArguments(tool: string, argumentsText: string): string {
  if (!DESCRIBING.has(tool)) return argumentsText
  try {
    return JSON.stringify(withoutValues(JSON.parse(argumentsText)))
  } catch {
    return JSON.stringify(REDACTED)
  }
}

/**
 * Returns the argument body of a call with secrets redacted; if the body is stored by reference,
 * its preview is hidden.
 */
export function shownBody(tool: string, body: Body): Body {
  if (!DESCRIBING.has(tool)) return body
  return isRef(body) ? { ...body, preview: REDACTED } : shownArguments(tool, body)
}
