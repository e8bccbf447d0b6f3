/**
 * The servers' part of the fold: merges by name (ignoring case), judges the result, and gives a
 * reason for each server that cannot be used. A server that is invalid after merging is
 * unavailable; it never falls back to the entry it hid.
 */

import { denied } from '../../policy.ts'
import { hasError, note, warning } from '../diagnostic.ts'
import type { CompiledLayer } from '../layer/compile.ts'
import type { FoldInput, ServerSource } from '../layer/fold-input.ts'
import { shadowsOf } from '../layer/origin.ts'
import { COMMAND_NOT_FOUND } from '../skill/gating.ts'
import type {
  Diagnostic,
  FileRecord,
  FileStatus,
  Origin,
  Resolved,
  ServerEntry,
  Unavailable,
} from '../types.ts'
import { neededNames } from './expand.ts'
import type { RawServer } from './file.ts'
import { bindingFault } from './secret-binding.ts'
import { isSwitchOff, judgeServer, mergeServer, namesTransport } from './server.ts'

/** A file of servers that counts for nothing, since it cannot be read as a whole. */
export const CONFIG_UNREAD = 'config_unread'

export interface ServerFold extends Pick<Resolved, 'servers' | 'unavailable' | 'missing_secrets'> {
  readonly records: readonly FileRecord[]
  readonly diagnostics: readonly Diagnostic[]
}

interface Merged {
  readonly raw: RawServer
  readonly origin: Origin
  readonly source: ServerSource
  /** Faults of the entries below it, which belong to their files. */
  readonly inherited: readonly Diagnostic[]
}

type SourceFindings = Map<ServerSource, { found: Diagnostic[]; loaded: number }>

export function foldServers(input: FoldInput): ServerFold {
  const own = input.layers.flatMap(sourceOf)
  const sources = input.run === null ? own : [input.run]
  const findings: SourceFindings = new Map()
  for (const source of sources) findings.set(source, { found: fileFindings(source), loaded: 0 })
  const diagnostics: Diagnostic[] = []
  const merged = mergeAll(sources, findings, diagnostics)
  const servers: ServerEntry[] = []
  const unavailable: Unavailable[] = []
  for (const one of merged) {
    const { found } = findings.get(one.source)!
    const judged = judgeServer(one.raw)
    if (!judged.ok) {
      found.push(...judged.error.filter((error) => !one.inherited.includes(error)))
      const message = judged.error[0]?.message ?? 'invalid'
      unavailable.push({ name: one.raw.name, code: 'invalid_server', message })
      continue
    }
    found.push(...judged.value.found)
    findings.get(one.source)!.loaded += 1
    const entry = { ...judged.value.draft, origin: one.origin }
    servers.push(entry)
    const why = unusable(entry, input)
    if (why !== undefined) unavailable.push(why)
  }
  const missing = missingSecrets(servers, input.secrets)
  const sort = <T extends { name: string }>(list: readonly T[]): T[] =>
    [...list].sort((left, right) => (left.name < right.name ? -1 : 1))
  return {
    servers: sort(servers),
    unavailable: sort(unavailable),
    missing_secrets: missing,
    records: [
      ...sources.flatMap((source) => recordOf(source, findings)),
      ...own.filter((source) => !sources.includes(source)).map(unread),
    ],
    diagnostics: [
      ...diagnostics,
      ...sources.flatMap((source) => fileless(source, findings)),
      ...missing.map(secretWarning),
      ...unavailable.filter(({ code }) => code === MISMATCH).map(mismatchWarning),
    ],
  }
}

function sourceOf(layer: CompiledLayer): ServerSource[] {
  if (layer.config === null) return []
  const { file, parsed, legacy } = layer.config
  return [
    { kind: layer.kind, layer: layer.prefix, path: file.path, etag: file.etag, parsed, legacy },
  ]
}

function mergeAll(
  sources: readonly ServerSource[],
  findings: SourceFindings,
  diagnostics: Diagnostic[],
): Merged[] {
  const merged = new Map<string, Merged>()
  for (const source of sources) {
    for (const raw of source.parsed.servers) {
      const name = raw.name.toLowerCase()
      const before = merged.get(name)
      if (before === undefined && isSwitchOff(raw)) {
        const message = `${keyOf(source)} disables the server ${raw.name}, which does not exist`
        diagnostics.push(note('unused_override', message))
        continue
      }
      if (before !== undefined && namesTransport(raw)) {
        const message = `server ${before.raw.name}: overridden by ${keyOf(source)}`
        findings.get(before.source)!.found.push(note('shadowed', message))
      }
      if (before !== undefined) leave(before, findings.get(before.source)!)
      merged.set(name, {
        raw: mergeServer(before?.raw, raw),
        source,
        inherited: before?.raw.faults ?? [],
        origin: {
          kind: source.kind,
          layer: source.layer,
          key: keyOf(source),
          etag: source.etag,
          shadows: before === undefined ? [] : shadowsOf(before.origin),
        },
      })
    }
  }
  return [...merged.values()]
}

/** A hidden entry, and its faults, still belong to the file that holds them. */
function leave({ raw, inherited }: Merged, of: { found: Diagnostic[]; loaded: number }): void {
  of.found.push(...raw.faults.filter((fault) => !inherited.includes(fault)))
  if (raw.faults.length === 0) of.loaded += 1
}

const keyOf = (source: ServerSource): string => `${source.layer}${source.path ?? ''}`

function fileFindings(source: ServerSource): Diagnostic[] {
  if (!source.legacy) return [...source.parsed.found]
  const hint = 'write the servers as [mcp_servers.<name>] in .agents/config.toml'
  return [
    warning('legacy_layout', 'an older location of servers', { hint }),
    ...source.parsed.found,
  ]
}

function unusable(server: ServerEntry, input: FoldInput): Unavailable | undefined {
  const { name } = server
  if (denied(input.policy.deny.servers, name)) {
    return { name, code: 'denied', message: 'denied by the policy of the tenant' }
  }
  if (!server.enabled) {
    return { name, code: 'disabled', message: `disabled in ${server.origin.key}` }
  }
  const unset = neededNames(server).find((one) => !input.secrets.has(one))
  if (unset !== undefined) {
    return { name, code: 'missing_secret', message: `there is no secret ${unset} for \${${unset}}` }
  }
  const mismatch = bindingFault(server, input.bindings)
  if (mismatch !== undefined) return { name, code: MISMATCH, message: mismatch }
  if (server.transport === 'stdio') {
    if (input.allowStdio) return noProgram(server, input.machine)
    const message = 'this deployment starts no programs (stdio); use a url'
    return { name, code: 'unsupported_transport', message }
  }
  const blocked = server.url === null ? undefined : input.blocked(server.url)
  return blocked === undefined ? undefined : { name, code: 'blocked_url', message: blocked }
}

/** Reported at once, and not after its time to start; the value of a secret is not known here. */
function noProgram(
  { name, command, cwd, env }: ServerEntry,
  machine: FoldInput['machine'],
): Unavailable | undefined {
  if (machine === undefined || command === null) return undefined
  if (`${command}${cwd}`.includes('${') || env.PATH !== undefined) return undefined
  if (machine.has(command, cwd)) return undefined
  const message = `program not found on this host: ${JSON.stringify(command)}`
  return { name, code: COMMAND_NOT_FOUND, message }
}

export const MISSING_SECRET = 'missing_secret'
export const MISMATCH = 'secret_host_mismatch'

function missingSecrets(
  servers: readonly ServerEntry[],
  secrets: ReadonlySet<string>,
): { server: string; name: string }[] {
  return servers
    .filter((server) => server.enabled)
    .flatMap((server) => {
      const bearer = server.bearer_token_env_var
      const names = [
        ...[bearer, server.oauth?.client_secret_env_var ?? null].filter((one) => one !== null),
        ...Object.values(server.env_http_headers),
      ]
      const wanted = new Set([...names, ...neededNames(server)])
      const missing = [...wanted].filter((name) => !secrets.has(name))
      return missing.map((name) => ({ server: server.name, name }))
    })
}

const secretWarning = (missing: { server: string; name: string }): Diagnostic =>
  warning(
    MISSING_SECRET,
    `server ${missing.server}: the secret ${missing.name} is not set, so it is not sent`,
  )

const mismatchWarning = ({ name, message }: Unavailable): Diagnostic =>
  warning(MISMATCH, `server ${name}: ${message}`)

function recordOf(source: ServerSource, findings: SourceFindings): FileRecord[] {
  if (source.path === null) return []
  const { found, loaded } = findings.get(source)!
  const { layer, path } = source
  const none = source.parsed.broken || (hasError(found) && loaded === 0)
  const clean = found.every((one) => one.severity === 'note')
  const status: FileStatus = none ? 'rejected' : clean ? 'loaded' : 'loaded_with_warnings'
  return [{ layer, path, kind: 'config', id: null, status, diagnostics: found }]
}

/** Findings that no record shows to who reads none: of a request, and that a file is not read at all. */
function fileless(source: ServerSource, findings: SourceFindings): Diagnostic[] {
  if (source.path === null) return findings.get(source)!.found
  if (!source.parsed.broken) return []
  const why = source.parsed.found.find(({ severity }) => severity === 'error')
  const place = why?.line ? `, line ${why.line}` : ''
  const message = `${keyOf(source)}${place}: ${why?.message ?? 'no server of it is read'}`
  return [warning(CONFIG_UNREAD, message)]
}

function unread(source: ServerSource): FileRecord {
  const found = note('not_read', 'the run has its own MCP servers')
  return {
    layer: source.layer,
    path: source.path ?? '',
    kind: 'config',
    id: null,
    status: 'ignored',
    diagnostics: [found],
  }
}
