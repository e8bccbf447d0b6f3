/** Operations on the MCP servers in a layer's config.toml. */

import { error } from '../../core/config/diagnostic.ts'
import { isServerKey, serverKey } from '../../core/config/server/file.ts'
import { bindingFault } from '../../core/config/server/secret-binding.ts'
import { judgeServer, namesTransport, type ServerDraft } from '../../core/config/server/server.ts'
import { patchedServer, wantedServer } from '../../core/config/server/write.ts'
import { tableJson, tableOfJson } from '../../core/config/toml/json.ts'
import type { Table } from '../../core/config/toml/write.ts'
import type { Diagnostic } from '../../core/config/types.ts'
import type { OperationInput } from '../../core/manage/operations.ts'
import { type Refusal, refusal } from '../../core/problem.ts'
import { blanked, withoutUserinfo } from '../../core/redaction.ts'
import { decode, encode } from '../../lib/bytes.ts'
import { serverName } from '../../lib/name.ts'
import { fail, type Outcome, ok } from '../../lib/outcome.ts'
import { withAuthorizations } from './authorization.ts'
import {
  changeServer,
  entryEtag,
  findServer,
  readConfig,
  type StoredServer,
} from './config-file.ts'
import { type Action, findVersion, heldFiles, keep, record, resourceRef } from './history.ts'
import { amended, hiddenServer, withInherited } from './overridden-server.ts'
import type { LayerRef, OperationContext } from './place.ts'
import { withResolved } from './resolved-findings.ts'
import { checkFindings, conditionFault, type Reloaded, reload } from './write.ts'

export interface ShownServer {
  readonly name: string
  readonly enabled: boolean
  /** Transport of the server: stdio, http, or sse; null if the entry has no valid transport. */
  readonly type: string | null
  readonly path: string
  readonly etag: string
  readonly diagnostics: readonly Diagnostic[]
  /** Server fields as written, with hidden values of `env` and `http_headers`. */
  readonly [field: string]: unknown
}
interface WrittenServer extends Reloaded {
  readonly layer: string
  readonly created: boolean
  readonly server: ShownServer
  readonly warnings: readonly Diagnostic[]
}
type WriteResult = Promise<Outcome<WrittenServer, Refusal>>

function shownServer(path: string, { name, table, raw }: StoredServer): ShownServer {
  const judgement = judgeServer(raw)
  const amends = raw.faults.length === 0 && !namesTransport(raw)
  const draft: Partial<ServerDraft> = judgement.ok ? judgement.value.draft : {}
  const { transport = null, ...fields } = { ...raw.fields, ...draft } as Partial<ServerDraft>
  const url = fields.url ? { url: withoutUserinfo(fields.url) } : {}
  return {
    ...fields,
    name,
    enabled: fields.enabled ?? true,
    type: transport,
    ...url,
    env: blanked(fields.env ?? {}),
    http_headers: blanked(fields.http_headers ?? {}),
    path,
    etag: entryEtag(table),
    diagnostics: judgement.ok ? judgement.value.found : amends ? [] : judgement.error,
  }
}

export async function listServers(
  manager: OperationContext,
  place: LayerRef,
  { include_disabled }: OperationInput<'mcp_list'>,
): Promise<Outcome<{ layer: string; servers: readonly ShownServer[] }, Refusal>> {
  const config = await readConfig(manager, place)
  if (!config.ok) return config
  const { path, servers } = config.value
  const all = servers.map((server) => shownServer(path, server))
  all.sort((left, right) => (left.name < right.name ? -1 : 1))
  const selected = include_disabled ? all : all.filter(({ enabled }) => enabled)
  const shownServers = await withAuthorizations(manager, selected)
  return ok({ layer: place.prefix, servers: shownServers })
}

export async function getServer(
  manager: OperationContext,
  place: LayerRef,
  { name }: { readonly name: string },
): Promise<Outcome<{ layer: string; server: ShownServer }, Refusal>> {
  const config = await readConfig(manager, place)
  if (!config.ok) return config
  const stored = findServer(config.value, name)
  if (!stored) return fail(unknown())
  const [server] = await withAuthorizations(manager, [shownServer(config.value.path, stored)])
  return ok({ layer: place.prefix, server: server! })
}

export function putServer(
  manager: OperationContext,
  place: LayerRef,
  input: OperationInput<'mcp_put_server'>,
): WriteResult {
  const { role: _, repo_dir: __, scope: ___, layer: ____, name, overwrite, ...fields } = input
  return write(manager, place, name, 'put', (stored) => {
    if (stored && stored.name !== name) {
      const detail = `The server ${stored.name} already exists; names are case-insensitive.`
      return fail(
        refusal('case_conflict', detail, { errors: [{ pointer: '/name', message: detail }] }),
      )
    }
    if (stored && !overwrite) {
      return fail(refusal('conflict', `The server ${stored.name} exists and overwrite=false`))
    }
    // A request without `enabled` keeps the stored switch. All other omitted fields are removed.
    const enabled = stored?.raw.fields.enabled
    return ok(enabled === undefined ? fields : { enabled, ...defined(fields) })
  })
}

const defined = (fields: Table): Table =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))

/** Patches a server entry. Omitted members stay unchanged, and null removes a member. */
export function patchServer(
  manager: OperationContext,
  place: LayerRef,
  { name, patch }: { readonly name: string; readonly patch: Table },
): WriteResult {
  return write(manager, place, name, 'put', async (stored) => {
    if (stored) return ok(patchedServer(stored.table, patch))
    const hidden = await hiddenServer(manager, place, name)
    return hidden === undefined ? fail(unknown()) : amended(patch)
  })
}

export async function rollbackServer(
  manager: OperationContext,
  place: LayerRef,
  input: { readonly name: string; readonly version: string },
): WriteResult {
  const resource = resourceRef('server', place, input.name)
  const version = await findVersion(manager, resource, input.version)
  if (!version.ok) return version
  const storedFiles = await heldFiles(manager, version.value, version.value.files.slice(0, 1))
  if (!storedFiles.ok) return storedFiles
  const table = tableOfJson(decode(storedFiles.value[0]!.bytes))
  return write(manager, place, input.name, 'rollback', () => ok(table))
}

async function write(
  manager: OperationContext,
  place: LayerRef,
  name: string,
  action: 'put' | 'rollback',
  fieldsOf: (
    stored: StoredServer | undefined,
  ) => Outcome<Table, Refusal> | Promise<Outcome<Table, Refusal>>,
): WriteResult {
  const valid = serverName(name)
  if (!valid.ok) return fail(wrong('/name', valid.error))
  let warnings: readonly Diagnostic[] = []
  const changed = await changeServer(manager, place, name, async (stored) => {
    const fault = conditionFault(manager.condition, stored ? entryEtag(stored.table) : null)
    if (fault) return fail(fault)
    const fields = await fieldsOf(stored)
    if (!fields.ok) return fields
    // A rollback restores the exact version. Any other write keeps unknown keys.
    const onto = action === 'rollback' ? fields.value : stored?.table
    const merged = wantedServer(stored?.name ?? name, fields.value, onto)
    if (!merged.ok) return fail(wrong(pointerIn(fields.value)(merged.error), merged.error))
    const sense = judgeServer(await withInherited(manager, place, merged.value.raw))
    const bindings = await manager.world.secrets.bindings(manager.tenant)
    const mismatch = sense.ok ? bindingFault(sense.value.draft, bindings) : undefined
    const findings = [...merged.value.found, ...(sense.ok ? sense.value.found : sense.error)]
    if (mismatch) findings.push(error('secret_host_mismatch', `server ${name}: ${mismatch}`))
    const verdict = checkFindings(manager, findings, pointerIn(fields.value))
    if (!verdict.ok) return verdict
    warnings = verdict.value
    return ok(merged.value.table)
  })
  if (!changed.ok) return changed
  return recordWrite(manager, place, { ...changed.value, action, warnings })
}

async function recordWrite(
  manager: OperationContext,
  place: LayerRef,
  change: {
    readonly name: string
    readonly before: StoredServer | undefined
    readonly after: Table | undefined
    readonly action: 'put' | 'rollback' | 'enable' | 'disable'
    readonly warnings: readonly Diagnostic[]
  },
): WriteResult {
  const { name, before: previous, after, action } = change
  await recordTables(manager, place, { name, action, before: previous?.table, after })
  const now = await getServer(manager, place, { name })
  if (!now.ok) return now
  const { server } = now.value
  const wrote = { kind: 'server', name, warnings: change.warnings } as const
  const warnings = await withResolved(manager, place, wrote)
  return ok({
    layer: place.prefix,
    created: !previous,
    server,
    warnings,
    ...(await reload(manager)),
  })
}

/** Records a version of one server, with its audit entry; no table means deleted. */
export async function recordTables(
  manager: OperationContext,
  place: LayerRef,
  change: {
    readonly name: string
    readonly action: Action
    readonly before: Table | undefined
    readonly after: Table | undefined
  },
): Promise<void> {
  const { name, action, before: previous, after } = change
  const file = async (table: Table | undefined) => {
    if (table === undefined) return []
    const path = `.agents/config.toml#mcp_servers.${name}`
    return [{ path, digest: await keep(manager, encode(tableJson(table))) }]
  }
  const files = { before: await file(previous), after: await file(after) }
  await record(manager, resourceRef('server', place, name), action, files)
}

/** Changes only a server's `enabled` switch, so that an invalid server can be disabled. */
export async function setServerEnabled(
  manager: OperationContext,
  place: LayerRef,
  { name, enabled }: OperationInput<'mcp_set_enabled'>,
): WriteResult {
  const changed = await changeServer(manager, place, name, async (stored) => {
    const fault = conditionFault(manager.condition, stored ? entryEtag(stored.table) : null)
    if (fault) return fail(fault)
    if (stored) return ok({ ...stored.table, enabled })
    const hides = (await hiddenServer(manager, place, name)) !== undefined
    return hides ? ok({ enabled }) : fail(unknown())
  })
  if (!changed.ok) return changed
  const action = enabled ? 'enable' : 'disable'
  return recordWrite(manager, place, { ...changed.value, action, warnings: [] })
}

export async function deleteServer(
  manager: OperationContext,
  place: LayerRef,
  { name }: OperationInput<'mcp_delete_server'>,
): Promise<Outcome<{ layer: string; deleted: number } & Reloaded, Refusal>> {
  const changed = await changeServer(manager, place, name, async (stored) => {
    if (!stored) return fail(unknown())
    const fault = conditionFault(manager.condition, entryEtag(stored.table))
    return fault ? fail(fault) : ok(undefined)
  })
  if (!changed.ok) return changed
  const { before: previous, name: storedName } = changed.value
  const deletion = {
    name: storedName,
    action: 'delete',
    before: previous?.table,
    after: undefined,
  } as const
  await recordTables(manager, place, deletion)
  return ok({ layer: place.prefix, deleted: 1, ...(await reload(manager)) })
}

/**
 * Returns a pointer to the field or map entry that an error message names first, otherwise to the
 * complete value.
 */
const pointerIn =
  (fields: Table) =>
  (message: string): string => {
    const sentence = message.replace(/^server [^:]*:/, '').replace(/\bURL\b/, 'url')
    const words = sentence.match(/[A-Za-z_-]+/g) ?? []
    const field = words.find((word) => isServerKey(serverKey(word)))
    if (field !== undefined) return `/${field}`
    for (const [key, value] of Object.entries(fields)) {
      const name = words.find((word) => isRecord(value) && Object.hasOwn(value, word))
      if (name !== undefined) return `/${key}/${name}`
    }
    return ''
  }

const isRecord = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const unknown = (): Refusal => refusal('not_found', 'server not found')

const wrong = (pointer: string, message: string): Refusal =>
  refusal('invalid_request', message, { errors: [{ pointer, message }] })
