/**
 * Merges an overlay's MCP server entry with the inherited entry and validates the result. An entry
 * that names a transport replaces the inherited entry completely, so that a changed `url` never
 * inherits a credential. Any other entry amends the inherited one.
 */

import { quoteText } from '../../../lib/invisible-characters.ts'
import { fail, type Outcome, ok } from '../../../lib/outcome.ts'
import { canonicalOf, canonicalUrl } from '../../../lib/url.ts'
import { LIMITS } from '../../limits.ts'
import type { Diagnostic, ServerEntry, ToolRule, Transport } from '../types.ts'
import type { RawServer } from './file.ts'
import { oauthFault, oauthOf } from './oauth.ts'
import { Reader } from './reader.ts'
import { headerNameFault, headerValueFault } from './request-headers.ts'
import { DEFAULT_SECONDS } from './server-keys.ts'

export type ServerDraft = Omit<ServerEntry, 'origin'>

const MAPS = ['env', 'http_headers', 'env_http_headers', 'approval']

/** Whether a server entry defines a transport: `command`, `url`, or `type`. */
export const namesTransport = (server: RawServer): boolean =>
  ['command', 'url', 'type', 'transport'].some((key) => key in server.fields)

/** Merges an overlay's server entry into the inherited entry. An explicit `{}` clears a map. */
export function mergeServer(base: RawServer | undefined, over: RawServer): RawServer {
  if (base === undefined || namesTransport(over)) return over
  const fields: Record<string, unknown> = Object.assign(Object.create(null), base.fields)
  for (const [key, value] of Object.entries(over.fields)) {
    const merges = MAPS.includes(key) && Object.keys(value as object).length > 0
    fields[key] = merges ? mergedMap(key, base.fields[key], value as object) : value
  }
  // Both keys set the start-up time-out; the overlay's key takes precedence.
  if ('startup_timeout_ms' in over.fields && !('startup_timeout_sec' in over.fields)) {
    delete fields.startup_timeout_sec
  }
  return { ...over, fields, faults: [...base.faults, ...over.faults] }
}

/**
 * Merges maps by key. Header names are compared without case, so that the overlay's header replaces
 * the inherited one.
 */
function mergedMap(key: string, inherited: unknown, over: object): object {
  const base = Object.entries((inherited as object | undefined) ?? {})
  if (!HEADER_MAPS.includes(key)) return { ...Object.fromEntries(base), ...over }
  const names = new Set(Object.keys(over).map((name) => name.toLowerCase()))
  const untouched = base.filter(([name]) => !names.has(name.toLowerCase()))
  return { ...Object.fromEntries(untouched), ...over }
}

const HEADER_MAPS: readonly string[] = ['http_headers', 'env_http_headers']

export interface ServerJudgment {
  readonly draft: ServerDraft
  readonly found: readonly Diagnostic[]
}

/** Validates a merged server entry. */
export function judgeServer(server: RawServer): Outcome<ServerJudgment, readonly Diagnostic[]> {
  if (server.faults.length > 0) return fail(server.faults)
  const reader = new Reader(server)
  const transport = transportOf(reader)
  if (transport === undefined) return fail(reader.errors)
  mixed(reader, transport)
  headerConflicts(reader)
  const draft: ServerDraft = {
    name: server.name,
    transport,
    enabled: reader.value('enabled', true),
    command: reader.text('command'),
    args: reader.value<readonly string[]>('args', []),
    env: environment(reader),
    cwd: reader.text('cwd'),
    url: urlOf(reader),
    bearer_token_env_var: reader.text('bearer_token_env_var'),
    http_headers: headers(reader),
    env_http_headers: secretHeaders(reader),
    ...oauth(reader),
    enabled_tools: 'enabled_tools' in server.fields ? reader.names('enabled_tools') : null,
    disabled_tools: reader.names('disabled_tools'),
    startup_timeout_sec: startup(reader),
    tool_timeout_sec: capped(
      reader,
      'tool_timeout_sec',
      reader.value('tool_timeout_sec', DEFAULT_SECONDS.tool_timeout_sec),
      LIMITS.tool_call_seconds,
    ),
    approval: reader.value<Record<string, ToolRule>>('approval', {}),
  }
  return reader.errors.length > 0 ? fail(reader.errors) : ok({ draft, found: reader.findings })
}

function startup(reader: Reader): number {
  const ms = reader.value('startup_timeout_ms', DEFAULT_SECONDS.startup_timeout_sec * 1_000)
  const isMs = !reader.has('startup_timeout_sec') && reader.has('startup_timeout_ms')
  const key = isMs ? 'startup_timeout_ms' : 'startup_timeout_sec'
  const seconds = reader.value('startup_timeout_sec', ms / 1_000)
  return capped(reader, key, seconds, LIMITS.server_startup_seconds)
}

/**
 * Reads the URL and returns it with a canonical host; a URL that contains a secret's name is
 * returned unchanged.
 */
function urlOf(reader: Reader): string | null {
  const url = reader.text('url')
  return url === null || url.includes('${') ? url : canonicalOf(url)
}

/** Limits a time-out in a file to the deployment's maximum. */
function capped(reader: Reader, key: string, seconds: number, most: number): number {
  if (seconds <= most) return seconds
  const message = `${key} exceeds the maximum of ${most} seconds; ${most} seconds are used`
  reader.warn('timeout_capped', key, message)
  return most
}

const TRANSPORTS: Readonly<Record<string, Transport>> = {
  stdio: 'stdio',
  http: 'http',
  'streamable-http': 'http',
  streamable_http: 'http',
  streamablehttp: 'http',
  sse: 'sse',
}

function transportOf(reader: Reader): Transport | undefined {
  const command = reader.has('command')
  const url = reader.has('url')
  const word = reader.text('type') ?? reader.text('transport')
  const declaredType = word === null ? undefined : TRANSPORTS[word.toLowerCase()]
  if (word !== null && declaredType === undefined) {
    reader.error(
      'unknown_transport',
      'type',
      `unknown type ${quoteText(word, 80)}`,
      'type = "http"',
    )
  } else if (command && url) {
    reader.error(
      'command_and_url',
      'url',
      'command and url cannot both be set; url is not supported for stdio',
    )
  } else if (!command && !url) {
    const which = declaredType === undefined ? 'no command or url' : requirement(declaredType)
    reader.error('no_transport', 'type', which)
  } else if (declaredType !== undefined && (declaredType === 'stdio') !== command) {
    reader.error('transport_mismatch', 'type', requirement(declaredType))
  } else return declaredType ?? (command ? 'stdio' : 'http')
  return undefined
}

const requirement = (transport: Transport): string =>
  transport === 'stdio'
    ? 'command is required for stdio servers'
    : 'url is required for http/sse servers'

/** Reports fields of the other transport; an entry with both probably defines two servers. */
function mixed(reader: Reader, transport: Transport): void {
  const foreign =
    transport === 'stdio'
      ? ['bearer_token_env_var', 'http_headers', 'env_http_headers', 'oauth']
      : ['args', 'env', 'cwd']
  const name = transport === 'stdio' ? 'stdio' : 'streamable_http'
  for (const key of foreign.filter((field) => reader.has(field))) {
    reader.error('mixed_transport', key, `${key} is not supported for ${name}`)
  }
  const url = reader.text('url')
  if (url === null) return
  if (!URL.canParse(url) || !/^https?:\/\//i.test(url)) {
    reader.error('invalid_url', 'url', 'url must be an http or https URL', 'url = "https://…"')
  } else if (/^https?:\/\/[^/?#]*@/i.test(url)) {
    const hint = 'bearer_token_env_var = "MY_SECRET"'
    reader.error('literal_secret', 'url', 'the URL must not contain a user name or password', hint)
  } else if (!url.includes('${')) {
    const canonical = canonicalUrl(url)
    if (!canonical.ok) reader.error('invalid_url', 'url', canonical.error)
  }
}

/** Reads the headers of a server and reports literal credentials, which should be secrets. */
function headers(reader: Reader): Readonly<Record<string, string>> {
  const headerValues = reader.value<Record<string, string>>('http_headers', {})
  for (const [name, value] of Object.entries(headerValues)) {
    if (/^(?:proxy-)?authorization$|^cookie$/i.test(name)) {
      const hint = 'bearer_token_env_var = "MY_SECRET"'
      const message = `${name} is a credential; use the name of a secret instead`
      reader.error('literal_secret', 'http_headers', message, hint)
    } else headerRefused(reader, 'http_headers', name)
    const fault = headerValueFault(value)
    if (fault !== undefined) {
      const message = `the value of the header ${quoteText(name)} ${fault}`
      reader.error('header_value', 'http_headers', message)
    }
  }
  return headerValues
}

/**
 * Reports two headers with the same name on the wire, because it is undefined which one is sent.
 */
function headerConflicts(reader: Reader): void {
  const earlierNames = new Map(reader.has(BEARER) ? [['authorization', BEARER]] : [])
  for (const key of HEADER_MAPS) {
    for (const name of Object.keys(reader.value<Record<string, string>>(key, {}))) {
      const earlier = earlierNames.get(name.toLowerCase())
      earlierNames.set(name.toLowerCase(), name)
      if (earlier === BEARER) {
        const message = `${key} sets ${quoteText(name)}, which ${BEARER} also sets; keep one of them`
        reader.error('header_conflict', key, message, `remove ${name} from ${key}`)
      } else if (earlier !== undefined) {
        const same =
          earlier === name ? 'is set twice' : `and ${quoteText(earlier)} differ only in case`
        const message = `the header ${quoteText(name)} ${same}; only one of them would be sent`
        reader.error('duplicate_header', key, message, `remove ${name} from ${key}`)
      }
    }
  }
}

const BEARER = 'bearer_token_env_var'

/** Reads `oauth`, which excludes a stored token, because both would use the same header. */
function oauth(reader: Reader): Pick<ServerEntry, 'oauth'> {
  if (!('oauth' in reader.server.fields)) return {}
  const settings = oauthOf(reader.value('oauth', {}))
  const fault = oauthFault(settings)
  if (fault !== undefined) reader.error('server_invalid', 'oauth', fault)
  const headers = Object.keys(reader.value<Record<string, string>>('env_http_headers', {}))
  const other = reader.has(BEARER) ? BEARER : headers.find((name) => /^authorization$/i.test(name))
  if (other !== undefined) {
    const message = `oauth sets "Authorization", which ${other} also sets; keep one of them`
    reader.error('header_conflict', 'oauth', message, `remove ${other}`)
  }
  return { oauth: settings }
}

/** Reads headers whose values are names of secrets; the secrets' values are validated on use. */
function secretHeaders(reader: Reader): Readonly<Record<string, string>> {
  const secretNames = reader.value<Record<string, string>>('env_http_headers', {})
  for (const name of Object.keys(secretNames)) headerRefused(reader, 'env_http_headers', name)
  return secretNames
}

function headerRefused(reader: Reader, key: string, name: string): void {
  const fault = headerNameFault(name)
  if (fault === undefined) return
  const message = `the header ${quoteText(name)} cannot be set by a layer because it ${fault}`
  reader.error('header_refused', key, message)
}

/** Matches environment variables that run another program before the server. */
const HIJACKING =
  /^(?:NODE_OPTIONS|BASH_ENV|ENV|PERL5OPT|RUBYOPT|PYTHONSTARTUP|OPENSSL_CONF|LD_.*|DYLD_.*)$/

function environment(reader: Reader): Readonly<Record<string, string>> {
  const variables = Object.entries(reader.value<Record<string, string>>('env', {}))
  const removed = variables.filter(([name]) => HIJACKING.test(name)).map(([name]) => name)
  if (removed.length > 0) {
    reader.warn(
      'env_dropped',
      'env',
      `removed because it would change what is executed: ${removed.join(', ')}`,
    )
  }
  return Object.fromEntries(variables.filter(([name]) => !removed.includes(name)))
}

/** Whether a server entry only disables a server. */
export const isSwitchOff = (server: RawServer): boolean =>
  server.fields.enabled === false && !namesTransport(server)

/**
 * Whether the lists of a server allow a tool. Denials take precedence; `server__tool` names the
 * same tool.
 */
export function offers(server: ServerEntry, tool: string): boolean {
  const includesTool = (names: readonly string[]) =>
    names.includes(tool) || names.includes(`${server.name}__${tool}`)
  if (includesTool(server.disabled_tools)) return false
  return server.enabled_tools === null || includesTool(server.enabled_tools)
}
