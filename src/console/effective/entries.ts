/**
 * Entries of a resolved configuration as rows of the page: the origin, the hidden files, the state
 * with its reason, and the findings of each entry.
 */

import type { components } from '../../client/index.ts'
import type { Tab } from './state.ts'

type Schemas = components['schemas']
type Resolved = Schemas['Resolved']
type Tool = Schemas['Tool']
type Diagnostic = Schemas['Diagnostic']

/** `noticed` is a file with findings that belong to no entry. */
export type EntryState = 'ready' | 'off' | 'unavailable' | 'noticed'

export interface Finding extends Diagnostic {
  /** Key of the file; `null` for a finding about the choice of layers. */
  readonly path: string | null
}

/** Subject of a row of the tab *Missing*. */
type MissingKind = 'skill' | 'server' | 'secret' | 'tool' | 'file' | 'layers'

export interface Entry {
  /** Identifies the row in its tab: the name, in *Missing* with the kind. */
  readonly id: string
  readonly name: string
  readonly description: string
  readonly state: EntryState
  /** Reason why the entry is not ready; `null` if it is ready. */
  readonly reason: string | null
  /** Layer that defines the entry; `null` if Strata or no layer does. */
  readonly layer: string | null
  /** Key of the file that defines the entry; `null` if Strata or no file does. */
  readonly path: string | null
  readonly isBuiltin: boolean
  /** Keys of the files with the same name in layers of lower precedence. */
  readonly hides: readonly string[]
  readonly findings: readonly Finding[]
  /** Members of the answer that the other members do not repeat. */
  readonly members: Readonly<Record<string, unknown>>
  /** Tab and name of the entry that a missing part belongs to. */
  readonly of?: { readonly tab: Tab; readonly name: string }
  readonly kind?: MissingKind
}

export type Entries = Readonly<Record<Tab, readonly Entry[]>>

/** Members that a row shows in another form. */
const SHOWN_ELSEWHERE = ['id', 'name', 'description', 'origin', 'enabled', 'available', 'reason']

const membersOf = (entry: object): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(entry).filter(([name]) => !SHOWN_ELSEWHERE.includes(name)))

const NO_ORIGIN = { layer: null, path: null, isBuiltin: false, hides: [] } as const

function placeOf({ kind, layer, key, shadows }: Schemas['Origin']) {
  const isBuiltin = kind === 'builtin'
  return {
    isBuiltin,
    layer: isBuiltin ? null : layer,
    path: isBuiltin ? null : key,
    hides: shadows.map((shadow) => shadow.key),
  }
}

const READY = { state: 'ready', reason: null } as const

type Status = Pick<Entry, 'state' | 'reason'>

function skillStatus({ enabled, available, reason }: Schemas['Skill']): Status {
  if (!enabled) return { state: 'off', reason }
  return available ? READY : { state: 'unavailable', reason }
}

/** Findings of a configuration, each of which belongs to one entry or to none. */
function attachmentsOf(resolved: Resolved) {
  const all = findingsOf(resolved)
  const attached = new Set<Finding>()
  const attach = (isOfEntry: (finding: Finding) => boolean): readonly Finding[] => {
    const findings = all.filter(isOfEntry)
    for (const finding of findings) attached.add(finding)
    return findings
  }
  return {
    inFiles: ({ key, shadows }: Schemas['Origin']): readonly Finding[] => {
      const keys = [key, ...shadows.map((shadow) => shadow.key)]
      return attach(({ path }) => path !== null && keys.includes(path))
    },
    // A configuration file defines several servers, so its findings name them.
    ofServer: (name: string): readonly Finding[] =>
      attach(({ message }) => message.startsWith(`server ${name}:`)),
    unattached: (): readonly Finding[] => all.filter((finding) => !attached.has(finding)),
  }
}

type Attachments = ReturnType<typeof attachmentsOf>

/** Returns the entries of each tab, in the order of the answer. */
export function entriesOf(resolved: Resolved, tools: readonly Tool[]): Entries {
  const attachments = attachmentsOf(resolved)
  const fileEntry = (name: string, value: { readonly origin: Schemas['Origin'] }) => ({
    ...{ id: name, name, ...placeOf(value.origin) },
    ...{ findings: attachments.inFiles(value.origin), members: membersOf(value) },
  })
  const agents = resolved.agents.map(
    (agent): Entry => ({
      ...{ ...fileEntry(agent.id, agent), ...READY, description: agent.description },
    }),
  )
  const skills = resolved.skills.map(
    (skill): Entry => ({
      ...{ ...fileEntry(skill.id, skill), ...skillStatus(skill), description: skill.description },
    }),
  )
  const schedules = resolved.schedules.map((schedule): Entry => {
    const entry = fileEntry(schedule.name, schedule)
    const error = entry.findings.find(({ severity }) => severity === 'error')
    const state = error ? { state: 'unavailable' as const, reason: error.message } : READY
    return { ...entry, ...state, description: schedule.request.input }
  })
  const builtinTools = tools.map((tool): Entry => {
    const reason = resolved.lacks[tool.name] ?? tool.unavailable
    return {
      ...{ ...NO_ORIGIN, isBuiltin: true, id: tool.name, name: tool.name },
      ...(reason === null ? READY : { state: 'unavailable' as const, reason }),
      ...{ description: tool.description, findings: [], members: membersOf(tool) },
    }
  })
  const servers = serversOf(resolved, attachments)
  const entries = { agents, skills, servers, schedules, tools: builtinTools }
  return { ...entries, missing: missingOf(resolved, entries, attachments.unattached()) }
}

/** Returns the servers, and after them the servers whose definition is invalid. */
function serversOf(resolved: Resolved, { ofServer }: Attachments): readonly Entry[] {
  const reasons = new Map(resolved.unavailable.map(({ name, message }) => [name, message]))
  const servers = resolved.servers.map((server): Entry => {
    const { name, enabled, origin } = server
    const reason = reasons.get(name) ?? null
    return {
      ...{ id: name, name, description: addressOf(server), reason },
      state: enabled ? (reason === null ? 'ready' : 'unavailable') : 'off',
      ...{ ...placeOf(origin), findings: ofServer(name) },
      members: { ...membersOf(server), ...secretsOf(resolved, name) },
    }
  })
  const invalid = resolved.unavailable
    .filter(({ name }) => !resolved.servers.some((server) => server.name === name))
    .map(
      ({ name, message, code }): Entry => ({
        ...{ ...NO_ORIGIN, id: name, name, description: '' },
        ...{ state: 'unavailable', reason: message, findings: ofServer(name), members: { code } },
      }),
    )
  return [...servers, ...invalid]
}

/** Returns the source of each secret of a server: the tenant, the deployment, or none. */
function secretsOf({ secrets }: Resolved, server: string): { readonly secrets?: object } {
  const sources = secrets.filter((secret) => secret.server === server)
  if (sources.length === 0) return {}
  return { secrets: Object.fromEntries(sources.map(({ name, source }) => [name, source])) }
}

const addressOf = (server: Schemas['Server']): string => {
  const { url, command, args } = server as Readonly<Record<string, unknown>>
  if (typeof url === 'string') return url
  return [command, ...(Array.isArray(args) ? args : [])].filter(Boolean).join(' ')
}

/** Returns the findings about files and layers, without those that the page shows as hidden files. */
function findingsOf({ records, diagnostics }: Resolved): readonly Finding[] {
  const inFiles = records.flatMap((record) =>
    record.diagnostics.map((finding) => ({ ...finding, path: record.layer + record.path })),
  )
  const inLayers = diagnostics.map((finding) => ({ ...finding, path: null }))
  return [...inLayers, ...inFiles].filter(({ code }) => code !== 'shadowed')
}

function missingOf(
  resolved: Resolved,
  entries: Omit<Entries, 'missing'>,
  unattached: readonly Finding[],
): readonly Entry[] {
  const inTab = (tab: 'skills' | 'servers' | 'tools', kind: MissingKind): readonly Entry[] =>
    entries[tab]
      .filter(({ state }) => state === 'unavailable')
      .map((entry) => ({
        ...{ ...entry, kind, id: `${kind} ${entry.name}`, of: { tab, name: entry.name } },
      }))
  const secrets = resolved.missing_secrets.map(
    ({ server, name }): Entry => ({
      ...{ ...NO_ORIGIN, id: `secret ${name} ${server}`, name, description: '' },
      ...{ state: 'unavailable', reason: null },
      ...{ kind: 'secret', of: { tab: 'servers', name: server }, findings: [], members: {} },
    }),
  )
  return [
    ...inTab('skills', 'skill'),
    ...inTab('servers', 'server'),
    ...secrets,
    ...inTab('tools', 'tool'),
    ...filesOf(resolved, unattached),
    ...layersOf(unattached),
  ]
}

/** Returns a row for each file that was rejected, or whose findings belong to no entry. */
function filesOf({ records }: Resolved, unattached: readonly Finding[]): readonly Entry[] {
  return records.flatMap((record): Entry[] => {
    const path = record.layer + record.path
    const findings = unattached.filter((finding) => finding.path === path)
    const isRejected = record.status === 'rejected'
    if (!isRejected && findings.length === 0) return []
    const cause = findings.find(({ severity }) => severity === 'error') ?? findings[0]
    return [
      {
        ...{ ...NO_ORIGIN, layer: record.layer, path, description: '' },
        ...{ id: `file ${path}`, kind: 'file', name: path },
        state: isRejected ? 'unavailable' : 'noticed',
        reason: cause?.message ?? null,
        ...{ findings, members: { kind: record.kind, status: record.status } },
      },
    ]
  })
}

/** Returns a row for each finding about the choice of layers. */
const layersOf = (unattached: readonly Finding[]): readonly Entry[] =>
  unattached
    .filter(({ path }) => path === null)
    .map((finding, index) => ({
      ...{ ...NO_ORIGIN, kind: 'layers', id: `layers ${index}`, name: finding.code },
      ...{ description: '', state: 'noticed', reason: finding.message },
      ...{ findings: [finding], members: {} },
    }))

/**
 * Returns the layer that switches an entry: the layer that its reason names, or else the layer that
 * defines it; `null` if no layer does.
 */
export function switchLayerOf(
  { state, reason, layer, isBuiltin }: Entry,
  layers: readonly string[],
): string | null {
  if (isBuiltin || layer === null || !layers.includes(layer)) return null
  const deciding = layers.filter((prefix) => state === 'off' && reason?.includes(` ${prefix}`))
  return deciding.toSorted((a, b) => b.length - a.length)[0] ?? layer
}

/** Returns the entries of a tab that contain the text in their name, origin, or state. */
export function matching(entries: readonly Entry[], text: string): readonly Entry[] {
  const query = text.trim().toLowerCase()
  if (query === '') return entries
  return entries.filter(({ name, description, reason, path, hides }) =>
    [name, description, reason ?? '', path ?? '', ...hides].some((part) =>
      part.toLowerCase().includes(query),
    ),
  )
}

/** Returns the file and line of a finding, or the file of an entry. */
export const locationOf = (path: string | null, line: number | null = null): string =>
  `${path ?? ''}${path !== null && line !== null ? `:${line}` : ''}`

/** Returns the text of a member: itself, a list of plain values, or indented JSON. */
export function memberText(value: unknown): string {
  if (typeof value === 'string') return value
  const isPlainList =
    Array.isArray(value) && value.length > 0 && value.every((part) => typeof part !== 'object')
  return isPlainList ? value.join(', ') : JSON.stringify(value, null, 2)
}
