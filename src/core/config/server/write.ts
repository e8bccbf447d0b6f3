/**
 * Builds the table of a server that a typed API request writes: the request's fields under TOML
 * names, merged into the stored entry if requested. Unknown keys are kept on every write.
 */

import { fail, type Outcome, ok } from '../../../lib/outcome.ts'
import { REDACTED } from '../../redaction.ts'
import type { Table } from '../toml/write.ts'
import type { Diagnostic } from '../types.ts'
import { inlineServers, isServerKey, type RawServer, serverKey } from './file.ts'

const MAPS = ['env', 'http_headers', 'env_http_headers', 'approval'] as const

export interface WantedServer {
  /** Complete server table to write to the file. */
  readonly table: Table
  readonly raw: RawServer
  readonly found: readonly Diagnostic[]
}

/**
 * Builds the server table to write; `fields` use TOML or legacy names. A failure contains a
 * message.
 */
export function wantedServer(
  name: string,
  fields: Table,
  stored: Table | undefined,
): Outcome<WantedServer, string> {
  const rawEntry = rawOf(name, fields)
  const table: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(stored ?? {})) {
    if (!isServerKey(key)) table[key] = value
  }
  for (const key of ORDER) {
    if (!(key in rawEntry.raw.fields)) continue
    const value = unredacted(key, rawEntry.raw.fields[key], stored?.[key])
    if (!value.ok) return value
    table[key] = value.value
  }
  const { faults } = rawEntry.raw
  return ok({ table, raw: { ...rawOf(name, table).raw, faults }, found: rawEntry.found })
}

/** Conventional order of a server table's keys: transport first, then options, then maps. */
const ORDER = [
  'type',
  'command',
  'args',
  'cwd',
  'url',
  'bearer_token_env_var',
  'oauth',
  'enabled',
  'enabled_tools',
  'disabled_tools',
  'startup_timeout_sec',
  'tool_timeout_sec',
  ...MAPS,
]

function rawOf(name: string, fields: Table): { raw: RawServer; found: readonly Diagnostic[] } {
  const defined = Object.entries(fields).filter(([, value]) => value !== undefined)
  const { servers, found: findings } = inlineServers({ [name]: Object.fromEntries(defined) })
  const [raw] = servers
  const none: RawServer = { name, line: null, fields: {}, lines: new Map(), faults: [] }
  return { raw: raw ?? none, found: findings }
}

/** Replaces each `[redacted]` in a request with the stored value. */
function unredacted(key: string, value: unknown, stored: unknown): Outcome<unknown, string> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return ok(value)
  const storedMap = (typeof stored === 'object' && stored !== null ? stored : {}) as Table
  const out: Record<string, unknown> = {}
  for (const [name, member] of Object.entries(value)) {
    if (member === REDACTED && !Object.hasOwn(storedMap, name)) {
      return fail(`${key}.${name} is ${REDACTED}, but no value is stored for it`)
    }
    out[name] = member === REDACTED ? storedMap[name] : member
  }
  return ok(out)
}

/** Applies a patch to the stored server table: null removes a key, and maps are merged by key. */
export function patchedServer(stored: Table, patch: Table): Table {
  const out: Record<string, unknown> = { ...stored }
  for (const [writtenKey, value] of Object.entries(patch)) {
    const key = serverKey(writtenKey)
    if (value === null) delete out[key]
    else if (isMap(key) && typeof value === 'object') {
      const merged = { ...(out[key] as Table | undefined), ...value }
      out[key] = Object.fromEntries(Object.entries(merged).filter(([, member]) => member !== null))
    } else out[key] = value
  }
  return out
}

const isMap = (key: string): boolean => (MAPS as readonly string[]).includes(key)
