/**
 * Reads the MCP servers of one file: `[mcp_servers.<name>]` in config.toml, or the legacy JSON. An
 * entry is kept as written (`RawServer`), because an overlay may amend it. Types are checked here;
 * the combination of fields is checked only after merging (`server.ts`).
 */

import type * as z from 'zod'
import { readJson } from '../../../lib/json.ts'
import { serverName } from '../../../lib/name.ts'
import { LIMITS } from '../../limits.ts'
import { error, note, warning } from '../diagnostic.ts'
import { MARK_HINT, MARK_INSIDE, markInside, textOfFile } from '../encoding.ts'
import { hiddenCharacters } from '../layer/encoded-command.ts'
import { isDate, parseToml, rootLine, type TableLines, tableLines } from '../toml/parse.ts'
import type { Diagnostic } from '../types.ts'
import { OAUTH_EXPECTED } from './oauth.ts'
import { DEFAULT_SECONDS, LIST, SERVER_SCHEMA, TEXT } from './server-keys.ts'

export interface RawServer {
  readonly name: string
  readonly line: number | null
  /** Values of known keys that have a valid type, by TOML name. */
  readonly fields: Readonly<Record<string, unknown>>
  readonly lines: ReadonlyMap<string, number>
  /** Errors of this server entry; the server is unavailable wherever the entry applies. */
  readonly faults: readonly Diagnostic[]
}

export interface ParsedConfig {
  readonly type: 'config'
  readonly servers: readonly RawServer[]
  /** Whether the file as a whole could not be parsed. */
  readonly broken: boolean
  /**
   * Findings about the file, and warnings about its entries; the entries' errors are in `faults`.
   */
  readonly found: readonly Diagnostic[]
}

const SCHEMA: Readonly<Record<string, z.ZodType>> = SERVER_SCHEMA

/** Whether a server's table may contain the key. */
export const isServerKey = (key: string): boolean => Object.hasOwn(SCHEMA, key)

/** Key aliases used in legacy JSON files and in requests. */
const ALIASES: Readonly<Record<string, string>> = {
  headers: 'http_headers',
  timeoutSeconds: 'startup_timeout_sec',
  toolTimeoutSeconds: 'tool_timeout_sec',
  enabledTools: 'enabled_tools',
  disabledTools: 'disabled_tools',
}

/** Returns the TOML name of a server key or alias. */
export const serverKey = (key: string): string =>
  Object.hasOwn(ALIASES, key) ? ALIASES[key]! : key

/** Parses `config.toml` or legacy JSON, depending on the file name. Never throws. */
export function parseConfig(bytes: Uint8Array, path: string): ParsedConfig {
  if (bytes.byteLength > LIMITS.toml_bytes) {
    return rejectedConfig(
      error('toml_too_large', `the file is larger than ${LIMITS.toml_bytes} bytes`),
    )
  }
  const read = textOfFile(bytes)
  if (!read.ok) return rejectedConfig(read.error)
  const text = read.value
  const mark = markInside(text)
  if (mark)
    return rejectedConfig(error('bom_inside', MARK_INSIDE, { line: mark.line, hint: MARK_HINT }))
  return path.endsWith('.json') ? parseJsonConfig(text) : parseTomlConfig(text)
}

const rejectedConfig = (finding: Diagnostic): ParsedConfig => ({
  type: 'config',
  servers: [],
  broken: true,
  found: [finding],
})

export function parseTomlConfig(source: string, parsed = parseToml(source)): ParsedConfig {
  if (!parsed.ok) return rejectedConfig(parsed.found)
  const { value, text } = parsed
  const foreign = Object.keys(value).filter((key) => key !== 'mcp_servers')
  const findings: Diagnostic[] = hiddenCharacters(source)
  if (foreign.length > 0) {
    const misspelt = foreign.some((key) => /^mcp[-_]?servers?$/i.test(key))
    const hint = misspelt ? '[mcp_servers.<name>]' : null
    const names = foreign.join(', ').slice(0, 200)
    findings.push(
      note('foreign_tables', `ignored because it is unrelated to MCP: ${names}`, { hint }),
    )
  }
  const line = rootLine(text, 'mcp_servers')
  const table = value.mcp_servers
  if (table === undefined) {
    findings.push(note('no_servers', 'the file defines no MCP servers'))
    return { type: 'config', servers: [], broken: false, found: findings }
  }
  if (Array.isArray(table)) {
    const place = { line, hint: '[mcp_servers.my-server]' }
    return rejectedConfig(
      error('servers_not_table', '`[[mcp_servers]]` is a list; give each server a name', place),
    )
  }
  if (!isTable(table))
    return rejectedConfig(error('servers_not_table', '`mcp_servers` must be a table', { line }))
  return serversOf(table, { lines: tableLines(text, 'mcp_servers'), aliases: false }, findings)
}

function parseJsonConfig(source: string): ParsedConfig {
  const text = source.startsWith('\uFEFF') ? source.slice(1) : source
  const read = readJson(text, { depth: LIMITS.json_depth, values: LIMITS.json_values })
  if (!read.ok) {
    const { kind, message } = read.error
    const reason = kind === 'syntax' ? 'not valid JSON' : message.replace(/\.$/, '')
    const code = kind === 'duplicate' ? 'duplicate_key' : 'json_invalid'
    return rejectedConfig(error(code, `${reason}, so all servers in this file are ignored`))
  }
  const { value } = read
  if (!isTable(value))
    return rejectedConfig(error('json_invalid', 'the file must contain a JSON object'))
  const table = value.servers ?? value.mcpServers ?? value.mcp_servers ?? {}
  if (!isTable(table))
    return rejectedConfig(error('servers_not_table', '`servers` must be an object'))
  return serversOf(table, { lines: new Map(), aliases: true }, hiddenCharacters(text))
}

/**
 * Parses the servers defined in a request by the same rules as files; legacy key names are
 * accepted.
 */
export const inlineServers = (table: Readonly<Record<string, unknown>>): ParsedConfig =>
  serversOf(table, { lines: new Map(), aliases: true }, [])

interface Reading {
  readonly lines: ReadonlyMap<string, TableLines>
  readonly aliases: boolean
}

function serversOf(
  table: Readonly<Record<string, unknown>>,
  reading: Reading,
  findings: Diagnostic[],
): ParsedConfig {
  const names = Object.keys(table)
  if (names.length > LIMITS.servers_per_config) {
    const message = `${names.length} servers exceed the limit of ${LIMITS.servers_per_config}`
    return rejectedConfig(error('too_many_servers', message))
  }
  const servers: RawServer[] = []
  const earlierNames = new Map<string, string>()
  for (const name of names) {
    const line = reading.lines.get(name)?.line ?? null
    const valid = serverName(name)
    const earlier = earlierNames.get(name.toLowerCase())
    if (!valid.ok) {
      findings.push(
        error('server_name', `server \`${name.slice(0, 80)}\`: ${valid.error}`, { line }),
      )
    } else if (earlier !== undefined) {
      const message = `server ${name} differs from ${earlier} only in letter case`
      findings.push(error('duplicate_server', message, { line }))
    } else {
      earlierNames.set(name.toLowerCase(), name)
      servers.push(rawServer(name, table[name], reading, findings))
    }
  }
  return { type: 'config', servers, broken: false, found: findings }
}

function rawServer(
  name: string,
  value: unknown,
  reading: Reading,
  findings: Diagnostic[],
): RawServer {
  const place = reading.lines.get(name)
  const line = place?.line ?? null
  const lines = place?.keys ?? new Map<string, number>()
  const faults: Diagnostic[] = []
  const switches: { readonly off: boolean; readonly at: { line: number | null } }[] = []
  const fields: Record<string, unknown> = Object.create(null)
  if (!isTable(value)) {
    faults.push(error('server_invalid', `server ${name} must be a table`, { line }))
    return { name, line, fields, lines, faults }
  }
  for (const [writtenKey, fieldValue] of Object.entries(value)) {
    const key = reading.aliases ? serverKey(writtenKey) : writtenKey
    const at = { line: lines.get(writtenKey) ?? line }
    const schema = Object.hasOwn(SCHEMA, key) ? SCHEMA[key] : undefined
    if (key === 'disabled' && typeof fieldValue === 'boolean') {
      switches.push({ off: fieldValue, at })
    } else if (isTime(key) && key !== writtenKey && fieldValue === 0) {
      const most = `omit it to use the default of ${DEFAULT_SECONDS[key]} seconds`
      const message = `server ${name}: \`${writtenKey}\` is 0, which allows no time; it is ignored`
      findings.push(warning('timeout_zero', message, { ...at, hint: most }))
    } else if (BEARER_TOKEN.test(writtenKey)) {
      const message = `server ${name}: ${LITERAL_TOKEN}`
      const hint = 'bearer_token_env_var = "MY_SECRET"'
      faults.push(error('literal_secret', message, { ...at, hint }))
    } else if (schema === undefined && restricts(writtenKey, fieldValue)) {
      const message =
        `server ${name}: unknown key \`${writtenKey}\`, which may be intended to restrict the ` +
        'server'
      const hint = 'enabled, enabled_tools, disabled_tools, or approval'
      faults.push(error('server_invalid', message, { ...at, hint }))
    } else if (schema === undefined) {
      if (!reading.aliases || key !== 'version') {
        findings.push(
          warning(
            'unknown_server_key',
            `server ${name}: unknown key \`${writtenKey.slice(0, 80)}\``,
            at,
          ),
        )
      }
    } else {
      const parsed = schema.safeParse(fieldValue)
      if (parsed.success) fields[key] = texts(key, parsed.data)
      else
        faults.push(
          error('server_invalid', `server ${name}: \`${writtenKey}\` ${expected(key)}`, at),
        )
    }
  }
  for (const { off, at } of switches) findings.push(...switched(name, fields, off, at))
  return { name, line, fields, lines, faults }
}

/** Reads the two keys that enable or disable a server; either key can disable it. */
function switched(
  name: string,
  fields: Record<string, unknown>,
  off: boolean,
  at: { readonly line: number | null },
): Diagnostic[] {
  const isContradiction = typeof fields.enabled === 'boolean' && fields.enabled === off
  fields.enabled = fields.enabled !== false && !off
  const hint = `enabled = ${fields.enabled}`
  const suffix = isContradiction ? ', and `enabled` contradicts it; the server is disabled' : ''
  const message = `server ${name}: \`disabled\` is deprecated; use \`enabled\`${suffix}`
  return [warning('legacy_key', message, { ...at, hint })]
}

const isTime = (key: string): key is keyof typeof DEFAULT_SECONDS =>
  Object.hasOwn(DEFAULT_SECONDS, key)

/** Error message for a literal token in a file, a request, or a call of a management tool. */
export const LITERAL_TOKEN =
  'a literal `bearer_token` is never stored; store the token as a secret and name it in ' +
  '`bearer_token_env_var`'
const BEARER_TOKEN = /^bearer[-_]?token$/i

/** Matches keys by which other products restrict a server. */
const RESTRICTS =
  /^(?:approvals|allow|deny|disabled|tools|(?:allow|deny|denied|disallowed|disabled|allowed|enabled)[-_]?tools)$/i

const restricts = (key: string, value: unknown): boolean =>
  RESTRICTS.test(key) && !(key === 'tools' && frees(value))

/**
 * Whether the value of a restricting key restricts nothing, such as GitHub's `tools: ["*"]` or
 * Codex's `tools.x.approval_mode = "auto"`.
 */
function frees(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return FREE.has(value)
  const values = Object.values(value)
  return values.length > 0 && values.every(frees)
}

const FREE: ReadonlySet<unknown> = new Set(['*', 'auto', 'approve', 'allow'])

/** Converts numbers and booleans in `env` and headers to text. */
function texts(key: string, value: unknown): unknown {
  if (key !== 'env' && key !== 'http_headers') return value
  const map: Record<string, string> = Object.create(null)
  for (const [name, member] of Object.entries(value as object)) map[name] = String(member)
  return map
}

function expected(key: string): string {
  if (key.includes('timeout'))
    return 'must be >= 0: a number of seconds greater than zero, at most one hour'
  if (key === 'oauth') return OAUTH_EXPECTED
  if (key === 'enabled') return 'must be true or false'
  if (key === 'approval') return 'must map tool names to allow, ask, deny, or argument rules'
  if (key === 'bearer_token_env_var') return 'must be the name of a secret'
  if (SCHEMA[key] === LIST) return 'must be a list of strings'
  return SCHEMA[key] === TEXT ? 'must be a string' : 'must be a table whose values are strings'
}

const isTable = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !isDate(value)
