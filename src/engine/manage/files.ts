/**
 * Files as people bring them, whatever they hold. Each write and each deletion keeps what was there
 * as a version; a file of an agent, a skill or servers is noted in their histories too, so that a
 * change has one history whichever door it came by. The folder of a run has none.
 */

import { parseAgent } from '../../core/config/agent/agent.ts'
import { AGENT_PLACES, CONFIG_PATH, SKILL_PLACES } from '../../core/config/layer/layout.ts'
import { parseTomlConfig } from '../../core/config/server/file.ts'
import { parseToml } from '../../core/config/toml/parse.ts'
import type { Table } from '../../core/config/toml/write.ts'
import { MEMORY } from '../../core/memory/scope.ts'
import { type Refusal, refusal } from '../../core/problem.ts'
import { decodeStrict } from '../../lib/bytes.ts'
import { sha256 } from '../../lib/digest.ts'
import { fail, type Outcome, ok } from '../../lib/outcome.ts'
import type { Expect, StoredObject } from '../../ports/world.ts'
import {
  deleteFile,
  type FilePath,
  listedPath,
  putFile,
  putStored,
  readFile,
  sameButForCase,
} from '../layers/files.ts'
import { audit } from '../tenant/audit.ts'
import { entryEtag } from './config-file.ts'
import {
  type Action,
  findVersion,
  heldFiles,
  keep,
  type ResourceRef,
  record,
  resourceRef,
} from './history.ts'
import { MEMORY_PLACE } from './memory.ts'
import type { LayerRef, OperationContext } from './place.ts'
import { recordTables } from './servers.ts'
import { hasVersions, reload } from './write.ts'

/** Versions of files are listed by this place and their path. */
export const FILE_PLACE: LayerRef = { kind: 'base', prefix: '' }

interface Brought {
  readonly etag: string
  readonly created: boolean
}

/** A file as somebody brings it: no two names that differ only in case. */
export async function bringFile(
  context: OperationContext,
  path: FilePath,
  body: Uint8Array,
  expect: Expect,
  action: 'put' | 'rollback' = 'put',
): Promise<Outcome<Brought, Refusal>> {
  const there = await sameButForCase(context, path)
  if (there !== undefined && there !== path) {
    return fail(refusal('case_conflict', 'There is a file whose name differs only in case.'))
  }
  const was = there === undefined ? null : await readFile(context, path)
  // Kept before it is replaced; runs that have pinned it still read it, too.
  if (was && hasVersions(path)) await keep(context, was.body)
  const put = await (action === 'put' ? putFile : putStored)(context, path, body, expect)
  if (!put.ok) return put
  await noted(context, path, action, { before: was?.body, after: body })
  return ok({ ...put.value, created: there === undefined })
}

/** Takes a file away, and says so in the audit when it was there. */
export async function removeFile(
  context: OperationContext,
  path: string,
  expect: Expect,
): Promise<Outcome<null, Refusal>> {
  const was = await readFile(context, path)
  if (was && hasVersions(path)) await keep(context, was.body)
  const deleted = await deleteFile(context, path, expect)
  if (!deleted.ok) return deleted
  if (was) await noted(context, path, 'delete', { before: was.body })
  return ok(null)
}

/** Writes the text of a version again, as a new one. */
export async function rollbackFile(
  context: OperationContext,
  { path, version: id }: { readonly path: FilePath; readonly version: string },
): Promise<Outcome<Brought & { readonly path: string }, Refusal>> {
  const version = await findVersion(context, resourceRef('file', FILE_PLACE, path), id)
  if (!version.ok) return version
  const held = await heldFiles(context, version.value, version.value.files)
  if (!held.ok) return held
  const expect = context.condition ?? 'any'
  const { bytes } = held.value[0]!
  const done = await bringFile(context, listedPath(path), bytes, expect, 'rollback')
  if (!done.ok) return done
  await reload(context)
  return ok({ path, ...done.value })
}

interface Bodies {
  readonly before?: StoredObject['body'] | undefined
  readonly after?: Uint8Array
}

const fileOf = (path: string, body: Uint8Array | undefined) =>
  body === undefined ? [] : [{ path, digest: sha256(body) }]

/** Its version with the audit's entry in one commit; where it has none, the entry alone. */
async function noted(
  context: OperationContext,
  path: string,
  action: 'put' | 'delete' | 'rollback',
  { before, after }: Bodies,
): Promise<void> {
  const files = { before: fileOf(path, before), after: fileOf(path, after) }
  const [was, is] = [files.before[0]?.digest, files.after[0]?.digest]
  // The same bytes again are no change, and workspaces go with their runs.
  const isSame = was !== undefined && was === is
  if (action !== 'rollback' && (isSame || !hasVersions(path))) {
    const { world, tenant, by } = context
    const entry = { kind: 'file', name: path, action, by, number: 0 } as const
    await audit(world, tenant, { ...entry, before: was, after: is, files: files.after })
    return
  }
  await record(context, resourceRef('file', FILE_PLACE, path), action, files)
  await ownerNoted(context, path, action, { before, after })
}

/** The same change in the history of the thing that the file makes; the audit has it already. */
async function ownerNoted(
  context: OperationContext,
  path: string,
  action: Action,
  { before, after }: { before: Uint8Array | undefined; after: Uint8Array | undefined },
): Promise<void> {
  if (path.startsWith(MEMORY)) {
    const name = path.slice(MEMORY.length)
    const files = { before: fileOf(name, before), after: fileOf(name, after) }
    if (after) await keep(context, after)
    await record(context, resourceRef('memory', MEMORY_PLACE, name), action, files, 'unaudited')
    return
  }
  const [, prefix = '', below = ''] = /^(.*?\/)?(\.[^/]+\/.+|skills\/.+)$/.exec(path) ?? []
  if (below === CONFIG_PATH) return serversNoted(context, prefix, action, { before, after })
  const thing = ownerOf(prefix, below, after ?? before!)
  if (!thing) return
  const files = { before: fileOf(below, before), after: fileOf(below, after) }
  if (after) await keep(context, after)
  await record(context, thing, action, files, 'unaudited')
}

function ownerOf(layer: string, below: string, body: Uint8Array): ResourceRef | undefined {
  const [agents] = AGENT_PLACES.filter((one) => below.startsWith(one.path))
  if (agents) {
    const [, file] = /^([^/]+)\.md$/i.exec(below.slice(agents.path.length)) ?? []
    if (file === undefined) return undefined
    return { kind: 'agent', layer, name: parseAgent(body, file).agent?.id ?? file }
  }
  const skills = SKILL_PLACES.find((one) => below.startsWith(one.path))
  const [, name] = /^([^/]+)\/SKILL\.md$/i.exec(below.slice(skills?.path.length ?? 0)) ?? []
  return skills && name !== undefined ? { kind: 'skill', layer, name } : undefined
}

async function serversNoted(
  context: OperationContext,
  prefix: string,
  action: Action,
  bodies: { before: Uint8Array | undefined; after: Uint8Array | undefined },
): Promise<void> {
  const [before, after] = [serversIn(bodies.before), serversIn(bodies.after)]
  // Of a file that is broken nobody knows which servers it had.
  if (!before || !after) return
  for (const name of new Set([...before.keys(), ...after.keys()])) {
    const [was, is] = [before.get(name), after.get(name)]
    if (was && is && entryEtag(was) === entryEtag(is)) continue
    const change = { name, action: is ? action : ('delete' as const), before: was, after: is }
    await recordTables(context, { kind: 'base', prefix }, change, 'unaudited')
  }
}

function serversIn(body: Uint8Array | undefined): ReadonlyMap<string, Table> | undefined {
  if (!body) return new Map()
  const text = decodeStrict(body)
  const toml = text === undefined ? undefined : parseToml(text)
  if (text === undefined || !toml?.ok) return undefined
  const parsed = parseTomlConfig(text)
  if (parsed.broken) return undefined
  const tables = (toml.value.mcp_servers ?? {}) as Readonly<Record<string, Table>>
  return new Map(parsed.servers.map(({ name }) => [name, tables[name]!]))
}
