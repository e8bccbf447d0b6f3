/**
 * Merges the servers of all layers by name (ignoring case), validates the result, and gives a
 * reason for each unusable server. A server that is invalid after merging is unavailable; it never
 * falls back to the entry that it hides.
 */

import { isDenied } from '../../policy.ts'
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

/** Diagnostic code for a server file that has no effect because it cannot be read. */
export const CONFIG_UNREAD = 'config_unread'

export interface ServerFold extends Pick<Resolved, 'servers' | 'unavailable' | 'missing_secrets'> {
  readonly records: readonly FileRecord[]
  readonly diagnostics: readonly Diagnostic[]
}

interface Merged {
  readonly raw: RawServer
  readonly origin: Origin
  readonly source: ServerSource
  /** Errors inherited from hidden entries, which are reported for the files of those entries. */
  readonly inherited: readonly Diagnostic[]
}

type SourceFindings = Map<ServerSource, { found: Diagnostic[]; loaded: number }>

export function foldServers(input: FoldInput): ServerFold {
  const ownSources = input.layers.flatMap(sourceOf)
  const sources = input.run === null ? ownSources : [input.run]
  const findings: SourceFindings = new Map()
  for (const source of sources) findings.set(source, { found: fileFindings(source), loaded: 0 })
  const diagnostics: Diagnostic[] = []
  const merged = mergeAll(sources, findings, diagnostics)
  const servers: ServerEntry[] = []
  const unavailable: Unavailable[] = []
  for (const candidate of merged) {
    const { found: sourceFindings } = findings.get(candidate.source)!
    const judgment = judgeServer(candidate.raw)
    if (!judgment.ok) {
      sourceFindings.push(...judgment.error.filter((error) => !candidate.inherited.includes(error)))
      const message = judgment.error[0]?.message ?? 'invalid'
      unavailable.push({ name: candidate.raw.name, code: 'invalid_server', message })
      continue
    }
    sourceFindings.push(...judgment.value.found)
    findings.get(candidate.source)!.loaded += 1
    const entry = { ...judgment.value.draft, origin: candidate.origin }
    servers.push(entry)
    const lack = unusable(entry, input)
    if (lack !== undefined) unavailable.push(lack)
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
      ...ownSources.filter((source) => !sources.includes(source)).map(unread),
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
      const previous = merged.get(name)
      if (previous === undefined && isSwitchOff(raw)) {
        const message = `${keyOf(source)} disables the server ${raw.name}, which does not exist`
        diagnostics.push(note('unused_override', message))
        continue
      }
      if (previous !== undefined && namesTransport(raw)) {
        const message = `server ${previous.raw.name}: overridden by ${keyOf(source)}`
        findings.get(previous.source)!.found.push(note('shadowed', message))
      }
      if (previous !== undefined) leave(previous, findings.get(previous.source)!)
      merged.set(name, {
        raw: mergeServer(previous?.raw, raw),
        source,
        inherited: previous?.raw.faults ?? [],
        origin: {
          kind: source.kind,
          layer: source.layer,
          key: keyOf(source),
          etag: source.etag,
          shadows: previous === undefined ? [] : shadowsOf(previous.origin),
        },
      })
    }
  }
  return [...merged.values()]
}

/** Records that an entry is hidden, and reports its errors for the file that defines it. */
function leave({ raw, inherited }: Merged, of: { found: Diagnostic[]; loaded: number }): void {
  of.found.push(...raw.faults.filter((fault) => !inherited.includes(fault)))
  if (raw.faults.length === 0) of.loaded += 1
}

const keyOf = (source: ServerSource): string => `${source.layer}${source.path ?? ''}`

function fileFindings(source: ServerSource): Diagnostic[] {
  if (!source.legacy) return [...source.parsed.found]
  const hint = 'define the servers as [mcp_servers.<name>] in .agents/config.toml'
  return [
    warning('legacy_layout', 'a deprecated location for servers', { hint }),
    ...source.parsed.found,
  ]
}

function unusable(server: ServerEntry, input: FoldInput): Unavailable | undefined {
  const { name } = server
  if (isDenied(input.policy.deny.servers, name)) {
    return { name, code: 'denied', message: "denied by the tenant's policy" }
  }
  if (!server.enabled) {
    return { name, code: 'disabled', message: `disabled in ${server.origin.key}` }
  }
  const unset = neededNames(server).find((secretName) => !input.secrets.has(secretName))
  if (unset !== undefined) {
    return { name, code: 'missing_secret', message: `secret ${unset} not found for \${${unset}}` }
  }
  const mismatch = bindingFault(server, input.bindings)
  if (mismatch !== undefined) return { name, code: MISMATCH, message: mismatch }
  if (server.transport === 'stdio') {
    if (input.allowStdio) return noProgram(server, input.machine)
    const message = 'local programs (stdio) are not available here; use a URL'
    return { name, code: 'unsupported_transport', message }
  }
  const blocked = server.url === null ? undefined : input.blocked(server.url)
  return blocked === undefined ? undefined : { name, code: 'blocked_url', message: blocked }
}

/**
 * Reports a missing program immediately, without waiting for the start-up time-out. Secret values
 * are unknown here.
 */
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
        ...[bearer, server.oauth?.client_secret_env_var ?? null].filter(
          (secretName) => secretName !== null,
        ),
        ...Object.values(server.env_http_headers),
      ]
      const requiredNames = new Set([...names, ...neededNames(server)])
      const missing = [...requiredNames].filter((name) => !secrets.has(name))
      return missing.map((name) => ({ server: server.name, name }))
    })
}

const secretWarning = (missing: { server: string; name: string }): Diagnostic =>
  warning(
    MISSING_SECRET,
    `server ${missing.server}: secret ${missing.name} is not set and will not be sent`,
  )

const mismatchWarning = ({ name, message }: Unavailable): Diagnostic =>
  warning(MISMATCH, `server ${name}: ${message}`)

function recordOf(source: ServerSource, findings: SourceFindings): FileRecord[] {
  if (source.path === null) return []
  const { found: sourceFindings, loaded } = findings.get(source)!
  const { layer, path } = source
  const none = source.parsed.broken || (hasError(sourceFindings) && loaded === 0)
  const clean = sourceFindings.every((finding) => finding.severity === 'note')
  const status: FileStatus = none ? 'rejected' : clean ? 'loaded' : 'loaded_with_warnings'
  return [{ layer, path, kind: 'config', id: null, status, diagnostics: sourceFindings }]
}

/**
 * Returns findings that belong to no file record: findings about a request, and about unreadable
 * files.
 */
function fileless(source: ServerSource, findings: SourceFindings): Diagnostic[] {
  if (source.path === null) return findings.get(source)!.found
  if (!source.parsed.broken) return []
  const failure = source.parsed.found.find(({ severity }) => severity === 'error')
  const place = failure?.line ? `, line ${failure.line}` : ''
  const message = `${keyOf(source)}${place}: ${failure?.message ?? 'no server of it is read'}`
  return [warning(CONFIG_UNREAD, message)]
}

function unread(source: ServerSource): FileRecord {
  const finding = note('not_read', 'the run defines its own MCP servers')
  return {
    layer: source.layer,
    path: source.path ?? '',
    kind: 'config',
    id: null,
    status: 'ignored',
    diagnostics: [finding],
  }
}
