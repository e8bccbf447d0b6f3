/** Agent operations: one Markdown file per agent; new files are in `.agents/agents/`. */

import { parseAgent } from '../../core/config/agent/agent.ts'
import { type AgentEdit, editAgent } from '../../core/config/agent/edit.ts'
import { textOfFile } from '../../core/config/encoding.ts'
import type { AgentEntry, Diagnostic, FileStatus } from '../../core/config/types.ts'
import { LIMITS } from '../../core/limits.ts'
import type { OperationInput } from '../../core/manage/operations.ts'
import { type Refusal, refusal } from '../../core/problem.ts'
import { decode, encode } from '../../lib/bytes.ts'
import { agentName } from '../../lib/name.ts'
import { fail, type Outcome, ok } from '../../lib/outcome.ts'
import { deleteFile, isStale, readFile } from '../layers/files.ts'
import { loadLayer } from '../layers/load.ts'
import { Listings } from '../layers/stored-listings.ts'
import { retry } from '../partition/update.ts'
import { findVersion, heldFiles, keep, record, resourceRef, type VersionFile } from './history.ts'
import type { LayerRef, OperationContext } from './place.ts'
import { withResolved } from './resolved-findings.ts'
import {
  checkFindings,
  conditionFault,
  contended,
  judgedVersion,
  type Reloaded,
  reload,
  writeFile,
} from './write.ts'

export interface ShownAgent {
  readonly name: string
  readonly path: string
  readonly status: FileStatus
  readonly description: string | null
  readonly model: string | null
  readonly tools: readonly string[] | null
  readonly visibility: string | null
  readonly etag: string | null
  readonly diagnostics: readonly Diagnostic[]
}
export interface WrittenAgent extends Reloaded {
  readonly layer: string
  readonly created: boolean
  readonly agent: ShownAgent
  readonly warnings: readonly Diagnostic[]
}

const HOME = '.agents/agents/'
const ABOVE = '.claude/agents/'
const TRIES = 5

/**
 * Lists the layer's agent files, including invalid files. Of files with the same name, the
 * effective one is last.
 */
async function agentsOf(
  { world, tenant }: OperationContext,
  place: LayerRef,
  listings?: Listings,
): Promise<ShownAgent[]> {
  const layer = await loadLayer(world, { tenant, ...place, listings })
  if (layer === undefined) return []
  const { agents, records } = layer.compiled
  const loaded = new Map(agents.map((agent) => [agent.origin.key, agent]))
  return records
    .filter(({ kind, status }) => kind === 'agent' && status !== 'ignored')
    .map(({ path, status, diagnostics }) => {
      const key = place.prefix + path
      const etag = layer.files.find((file) => file.key === path)?.etag ?? null
      return shownAgent(key, loaded.get(key), { status, etag, diagnostics })
    })
}

function shownAgent(
  path: string,
  agent: AgentEntry | undefined,
  details: Pick<ShownAgent, 'status' | 'etag' | 'diagnostics'>,
): ShownAgent {
  return {
    name: agent?.id ?? path.slice(path.lastIndexOf('/') + 1).replace(/\.md$/i, ''),
    path,
    description: agent?.description ?? null,
    model: agent?.model ?? null,
    tools: agent?.tools ?? null,
    visibility: agent?.visibility ?? null,
    ...details,
  }
}

export async function listAgents(
  manager: OperationContext,
  place: LayerRef,
): Promise<Outcome<{ layer: string; agents: readonly ShownAgent[] }, Refusal>> {
  const agents = await agentsOf(manager, place)
  agents.sort((left, right) => (left.name < right.name ? -1 : 1))
  return ok({ layer: place.prefix, agents })
}

export async function getAgent(
  manager: OperationContext,
  place: LayerRef,
  { agent_name, include_content }: OperationInput<'agents_get'>,
): Promise<Outcome<{ layer: string; agent: ShownAgent & { agent_md?: string } }, Refusal>> {
  const agent = (await agentsOf(manager, place)).findLast(({ name }) => name === agent_name)
  if (!agent) return fail(unknown(place, agent_name))
  const layer = place.prefix
  if (!include_content) return ok({ layer, agent })
  const object = await readFile(manager, agent.path)
  if (!object) return fail(unknown(place, agent_name))
  return ok({ layer, agent: { ...agent, etag: object.etag, agent_md: decode(object.body) } })
}

export async function putAgent(
  manager: OperationContext,
  place: LayerRef,
  { agent_name, agent_md, overwrite }: OperationInput<'agents_put'>,
): Promise<Outcome<WrittenAgent, Refusal>> {
  const valid = agentName(agent_name)
  if (!valid.ok) return fail(wrong('/agent_name', valid.error))
  const bytes = encode(agent_md)
  const parsed = parseAgent(bytes, agent_name)
  if (parsed.ignored) return fail(wrong('/agent_md', 'an agent must begin with front matter: ---'))
  const warnings = checkFindings(manager, parsed.found, '/agent_md')
  if (!warnings.ok) return warnings
  if (parsed.agent?.id !== agent_name) {
    return fail(
      wrong('/agent_md', `the name in the file is ${parsed.agent?.id}, not ${agent_name}`),
    )
  }
  const writing = { name: agent_name, bytes, overwrite, warnings: warnings.value }
  return write(manager, place, { ...writing, action: 'put' })
}

/** Updates the given fields of an agent's stored file and keeps all other fields. */
export async function patchAgent(
  manager: OperationContext,
  place: LayerRef,
  { agent_name: name, ...edit }: { readonly agent_name: string } & AgentEdit,
): Promise<Outcome<WrittenAgent, Refusal>> {
  const patched = await retry<Outcome<WrittenAgent, Refusal>>(manager.world, TRIES, async () => {
    const { path } =
      (await agentsOf(manager, place)).findLast((candidate) => candidate.name === name) ?? {}
    if (path === undefined) return fail(unknown(place, name))
    const object = await readFile(manager, path)
    if (!object) return fail(unknown(place, name))
    const text = textOfFile(object.body)
    const edited = text.ok ? editAgent(text.value, edit) : fail(text.error.message)
    if (!edited.ok) return fail(refusal('invalid_config', `${path}: ${edited.error}.`))
    const bytes = encode(edited.value)
    if (bytes.byteLength > LIMITS.file_body_bytes) {
      return fail(refusal('too_large', `${path} would exceed ${LIMITS.file_body_bytes} bytes.`))
    }
    const parsed = parseAgent(bytes, name)
    const warnings = checkFindings(manager, parsed.found, '')
    if (!warnings.ok) return warnings
    const writing = { name, bytes, overwrite: true, warnings: warnings.value, onto: object.etag }
    const result = await write(manager, place, { ...writing, action: 'put' })
    // Another client has changed the file since the read, so the edit is applied to the new text.
    return result.ok || result.error.code !== 'conflict' ? result : undefined
  })
  return patched ?? fail(contended())
}

async function write(
  manager: OperationContext,
  place: LayerRef,
  writing: {
    readonly name: string
    readonly bytes: Uint8Array
    readonly overwrite: boolean
    readonly action: 'put' | 'rollback'
    readonly warnings: readonly Diagnostic[]
    /** Text on which the edit is based. The write fails if the stored text differs. */
    readonly onto?: string | undefined
  },
): Promise<Outcome<WrittenAgent, Refusal>> {
  const { world, condition } = manager
  const { name, bytes, overwrite } = writing
  const done = await retry<Outcome<WrittenAgent, Refusal>>(world, TRIES, async () => {
    const existing = (await agentsOf(manager, place)).findLast(
      (candidate) => candidate.name === name,
    )
    const fault = conditionFault(condition, existing?.etag ?? null)
    if (fault) return fail(fault)
    if (writing.onto !== undefined && existing?.etag !== writing.onto) return fail(contended())
    if (existing && !overwrite) {
      return fail(refusal('conflict', `${existing.path} already exists and overwrite=false`))
    }
    const inPlace = [HOME, ABOVE].some((home) => existing?.path.startsWith(place.prefix + home))
    const key = existing && inPlace ? existing.path : `${place.prefix}${HOME}${name}.md`
    const previousFiles = await versionFiles(
      manager,
      place,
      existing === undefined ? [] : [existing],
    )
    const expect = existing?.etag && inPlace ? { etag: existing.etag } : ('absent' as const)
    const origin = writing.action === 'rollback' ? 'stored' : inPlace ? 'there' : 'new'
    const put = await writeFile(manager, key, bytes, expect, origin)
    if (!put.ok) return isStale(put.error) ? undefined : put
    const after = [{ path: key.slice(place.prefix.length), digest: await keep(manager, bytes) }]
    await record(manager, resourceRef('agent', place, name), writing.action, {
      before: previousFiles,
      after,
    })
    const listings = new Listings(world, manager.tenant, 'fresh')
    const agent = (await agentsOf(manager, place, listings)).findLast(
      (candidate) => candidate.name === name,
    )
    if (!agent) return fail(contended())
    const wrote = { kind: 'agent', name, warnings: writing.warnings } as const
    const warnings = await withResolved(manager, place, wrote, listings)
    return ok({
      layer: place.prefix,
      created: !existing,
      agent,
      warnings,
      ...(await reload(manager)),
    })
  })
  return done ?? fail(contended())
}

async function versionFiles(
  manager: OperationContext,
  place: LayerRef,
  agents: readonly ShownAgent[],
): Promise<readonly VersionFile[]> {
  const files: VersionFile[] = []
  for (const { path: key } of agents) {
    const object = await readFile(manager, key)
    const path = key.slice(place.prefix.length)
    if (object) files.push({ path, digest: await keep(manager, object.body) })
  }
  return files
}

/**
 * Deletes all files of the layer with an agent's ID, so that no file of lower precedence becomes
 * effective.
 */
export async function deleteAgent(
  manager: OperationContext,
  place: LayerRef,
  { agent_name }: OperationInput<'agents_delete'>,
): Promise<Outcome<{ layer: string; deleted: number } & Reloaded, Refusal>> {
  const { condition } = manager
  const files = (await agentsOf(manager, place)).filter(({ name }) => name === agent_name)
  const current = files.at(-1)
  if (!current) return fail(unknown(place, agent_name))
  const fault = conditionFault(condition, current.etag)
  if (fault) return fail(fault)
  const previousFiles = await versionFiles(manager, place, files.toReversed())
  // The effective file is deleted first, and only if unchanged. A concurrent edit stops the delete.
  for (const { path, etag } of files.toReversed()) {
    const deleted = await deleteFile(manager, path, etag ? { etag } : 'any')
    if (!deleted.ok) return fail(contended())
  }
  await record(manager, resourceRef('agent', place, agent_name), 'delete', {
    before: previousFiles,
    after: [],
  })
  return ok({ layer: place.prefix, deleted: files.length, ...(await reload(manager)) })
}

export async function rollbackAgent(
  manager: OperationContext,
  place: LayerRef,
  { agent_name: name, version: id }: { readonly agent_name: string; readonly version: string },
): Promise<Outcome<WrittenAgent, Refusal>> {
  const version = await findVersion(manager, resourceRef('agent', place, name), id)
  if (!version.ok) return version
  const storedFiles = await heldFiles(manager, version.value, version.value.files.slice(0, 1))
  if (!storedFiles.ok) return storedFiles
  const { bytes } = storedFiles.value[0]!
  const warnings = judgedVersion(manager, parseAgent(bytes, name).found)
  if (!warnings.ok) return warnings
  const writing = { name, bytes, overwrite: true, warnings: warnings.value }
  return write(manager, place, { ...writing, action: 'rollback' })
}

const unknown = (place: LayerRef, name: string): Refusal =>
  refusal('not_found', `Agent ${JSON.stringify(name)} not found in ${place.prefix}.`)

const wrong = (pointer: string, message: string): Refusal =>
  refusal('invalid_request', message, { errors: [{ pointer, message }] })
