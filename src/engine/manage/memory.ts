/**
 * Memory operations (`core/manage/memory.ts`) for every interface. A run can access only its own
 * memories; a key can access all memories of its tenant. Each change is audited, and replaced or
 * deleted content is kept as a version. Appending loses no content and creates no version.
 */

import { LIMITS } from '../../core/limits.ts'
import {
  MEMORY_OPERATIONS,
  type MemoryInput,
  type MemoryOperation,
} from '../../core/manage/memory.ts'
import { dayNote, folderOf, MEMORY, type MemoryPath } from '../../core/memory/scope.ts'
import type { RunMemory } from '../../core/memory/settings.ts'
import { type Refusal, refusal } from '../../core/problem.ts'
import type { WritePlan } from '../../core/run/log/facts.ts'
import { sha256 } from '../../lib/digest.ts'
import { fail, type Outcome, ok } from '../../lib/outcome.ts'
import { iso } from '../../lib/time.ts'
import { deleteFile, type FileInfo, readFile } from '../layers/files.ts'
import {
  type Added,
  type Addition,
  addToMemory,
  checkedPath,
  memoryFiles,
  memoryKey,
  planAddition,
  readMemory,
} from '../memory/files.ts'
import { foldersBelow, memoryStatus, resultsOf, searchMemory } from '../memory/search.ts'
import { placeOf, sealCursor } from '../partition/page.ts'
import { audit } from '../tenant/audit.ts'
import { type Action, keep, record, resourceRef } from './history.ts'
import { parsedInput } from './input.ts'
import type { LayerRef, OperationContext } from './place.ts'

export interface MemoryContext extends OperationContext {
  /** Run that calls the operation; absent for a key, which can access the entire tenant. */
  readonly run?: RunMemory & { readonly today: string }
  /** Idempotency name under which the change is audited once. */
  readonly once?: string
}

type Result = Promise<Outcome<object, Refusal>>

/** Performs a memory operation after validating its parameters. */
export async function memoryOperation(
  context: MemoryContext,
  operation: MemoryOperation,
  input: unknown,
): Result {
  const parsed = parsedInput(MEMORY_OPERATIONS[operation].input, input)
  if (!parsed.ok) return parsed
  switch (operation) {
    case 'memory_search':
      return search(context, parsed.value as MemoryInput<'memory_search'>)
    case 'memory_get':
      return get(context, parsed.value as MemoryInput<'memory_get'>)
    case 'memory_list':
      return listFiles(context, parsed.value as MemoryInput<'memory_list'>)
    case 'memory_write':
      return writeMemory(context, parsed.value as MemoryInput<'memory_write'>, null)
    default:
      return operation satisfies never
  }
}

/** Resolves a memory path. A run's path without a folder is in the run's own memory. */
function pathIn(
  { run }: MemoryContext,
  text: string,
  use: 'read' | 'write',
): Outcome<MemoryPath, Refusal> {
  const fullPath = run && folderOf(text) === undefined ? run.write + text : text
  const path = checkedPath(fullPath)
  if (!path.ok || run === undefined) return path
  const folder = folderOf(path.value)!
  const allowed = use === 'write' ? [run.write] : run.read
  if (allowed.includes(folder)) return path
  const detail = `This run may not ${use} ${path.value}; allowed: ${allowed.join(', ')}.`
  return fail(refusal('invalid_key', detail))
}

async function search(context: MemoryContext, input: MemoryInput<'memory_search'>): Result {
  const { query, prefix = '' } = input
  const memoryQuery = { query, prefix, limit: resultsOf(input.limit) }
  if (context.run) return ok(await searchMemory(context, context.run.read, memoryQuery))
  const { folders, listings } = await foldersBelow(context, prefix)
  return ok(await searchMemory(context, folders, memoryQuery, listings))
}

async function get(context: MemoryContext, input: MemoryInput<'memory_get'>): Result {
  const path = pathIn(context, input.path, 'read')
  if (!path.ok) return path
  const file = await readMemory(context, path.value)
  if (!file.ok) return file
  const lines = file.value.text.split('\n')
  const total = lines.at(-1) === '' ? lines.length - 1 : lines.length
  const from = Math.max(1, input.start ?? 1)
  const excerpt = lines.slice(
    from - 1,
    Math.min(total, from - 1 + (input.limit ?? LIMITS.memory_lines)),
  )
  const to = from + excerpt.length - 1
  const text = excerpt.join('\n')
  const { etag } = file.value
  return ok({ path: path.value, text, etag, lines: { from, to, total }, more: to < total })
}

/** Lists a page of the memory files below a prefix, newest first. */
async function listFiles(
  context: MemoryContext,
  { prefix = '', limit = FILES_DEFAULT, cursor }: MemoryInput<'memory_list'>,
): Result {
  const { world, tenant } = context
  const folders = (context.run?.read ?? [prefix]).filter(
    (folder) => folder.startsWith(prefix) || prefix.startsWith(folder),
  )
  const list = `memory ${tenant} ${JSON.stringify([prefix, folders])}`
  const last = await placeOf(world, list, cursor)
  if (!last.ok) return last
  const below = folders.map((folder) => (folder.length > prefix.length ? folder : prefix))
  const listings = await Promise.all(
    below.map((folder) => memoryFiles(context, folder, LIMITS.memory_files)),
  )
  const files = listings
    .flatMap((listing) => listing.files)
    .sort((a, b) => (isBehind(a, b) ? 1 : -1))
  const remaining = last.value === undefined ? files : files.filter(isAfter(last.value))
  const page = remaining.slice(0, limit)
  const end = remaining.length > limit ? page.at(-1) : undefined
  const next_cursor = end ? await sealCursor(world, list, `${end.modified} ${end.path}`) : null
  const data = page.map(({ path, etag, size, modified }) => ({
    ...{ path, etag, size, modified_at: iso(modified) },
  }))
  const isWhole = listings.every((listing) => listing.isWhole)
  const notes = isWhole ? [] : [MORE_FILES]
  return ok({ data, has_more: next_cursor !== null, next_cursor, notes })
}

const FILES_DEFAULT = 20
const MORE_FILES =
  `There are more than ${LIMITS.memory_files} files; later paths are not listed. Use a ` +
  'longer prefix.'

type FileOrder = Pick<FileInfo, 'path' | 'modified'>

/** Returns whether a file sorts after another: older files are later, then by path. */
const isBehind = (file: FileOrder, other: FileOrder): boolean =>
  file.modified === other.modified ? file.path > other.path : file.modified < other.modified

function isAfter(place: string): (file: FileOrder) => boolean {
  const blank = place.indexOf(' ')
  const last = { modified: Number(place.slice(0, blank)), path: place.slice(blank + 1) }
  return (file) => isBehind(file, last)
}

function additionOf(
  context: MemoryContext,
  { path, content, heading, mode }: MemoryInput<'memory_write'>,
): Outcome<Addition, Refusal> {
  const today = context.run?.today ?? `shared/${dayNote(context.world.clock.now())}`
  const where = pathIn(context, path ?? today, 'write')
  if (!where.ok) return where
  return ok({ path: where.value, content, heading, replace: mode === 'replace' })
}

/**
 * Plans a memory write by a run. The log records the plan before the write (PROTOCOL.md rule 49).
 */
export async function planMemory(
  context: MemoryContext,
  input: MemoryInput<'memory_write'>,
): Promise<Outcome<WritePlan, Refusal>> {
  const addition = additionOf(context, input)
  return addition.ok ? planAddition(context, addition.value) : addition
}

export async function writeMemory(
  context: MemoryContext,
  input: MemoryInput<'memory_write'>,
  plan: WritePlan | null,
): Promise<Outcome<Omit<Added, 'digest'>, Refusal>> {
  const addition = additionOf(context, input)
  if (!addition.ok) return addition
  const { path, replace = false } = addition.value
  const previous = replace ? await readFile(context, memoryKey(path)) : null
  const previousRef = previous ? { path, digest: await keep(context, previous.body) } : undefined
  const done = await addToMemory(context, addition.value, plan, context.condition)
  if (!done.ok) return done
  const { digest, ...result } = done.value
  if (replace) await version(context, path, 'put', { before: previousRef, after: { path, digest } })
  else if (result.added > 0) await audited(context, path, 'put', digest)
  return ok(result)
}

export async function deleteMemory(
  context: MemoryContext,
  { path: text }: { path: string },
): Result {
  const path = pathIn(context, text, 'write')
  if (!path.ok) return path
  const was = await readFile(context, memoryKey(path.value))
  const previousRef = was ? { path: path.value, digest: await keep(context, was.body) } : undefined
  const condition = context.condition === 'absent' ? 'any' : (context.condition ?? 'any')
  const deleted = await deleteFile(context, memoryKey(path.value), condition)
  if (!deleted.ok) return deleted
  if (previousRef) await version(context, path.value, 'delete', { before: previousRef })
  return ok({ path: path.value, deleted: was !== null })
}

/** Layer reference under which memory versions are listed, together with the path. */
export const MEMORY_PLACE: LayerRef = { kind: 'base', prefix: MEMORY }

interface KeptFile {
  readonly path: string
  readonly digest: string
}

async function version(
  context: MemoryContext,
  path: string,
  action: Action,
  {
    before: previous,
    after,
  }: { readonly before?: KeptFile | undefined; readonly after?: KeptFile },
): Promise<void> {
  if (after) {
    const file = await readFile(context, memoryKey(path))
    if (file && sha256(file.body) === after.digest) await keep(context, file.body)
  }
  await record(context, resourceRef('memory', MEMORY_PLACE, path), action, {
    before: previous ? [previous] : [],
    after: after ? [after] : [],
  })
}

const audited = (context: MemoryContext, path: string, action: 'put', digest: string) =>
  audit(
    context.world,
    context.tenant,
    {
      ...{ kind: 'memory', name: path, action, by: context.by, number: 0 },
      ...{ files: [{ path, digest }], after: digest },
    },
    context.once,
  )

interface Below {
  readonly prefix?: string | undefined
}

export async function statusOfMemory(context: MemoryContext, { prefix = '' }: Below): Result {
  const { folders, listings } = await foldersBelow(context, prefix)
  return ok(summed(await memoryStatus(context, folders, { heal: 0, listings })))
}

/** Rebuilds the memory index. With `go_on`, the parts that an earlier call built are kept. */
export async function rebuildMemory(
  context: MemoryContext,
  { prefix = '', go_on = false }: Below & { readonly go_on?: boolean | undefined },
): Result {
  const { folders, listings } = await foldersBelow(context, prefix)
  const all = await memoryStatus(context, folders, { heal: REBUILT, reset: !go_on, listings })
  const { world, tenant, by } = context
  const about = { kind: 'memory', name: prefix, action: 'update', by, number: 0 } as const
  await audit(world, tenant, { ...about, detail: 'the index was rebuilt' })
  return ok(summed(all))
}

/** Maximum number of files read per rebuild call, because a Worker's requests are limited. */
const REBUILT = 800

const summed = (all: Awaited<ReturnType<typeof memoryStatus>>) => ({
  object: 'memory_status' as const,
  files: all.reduce((sum, status) => sum + status.files, 0),
  passages: all.reduce((sum, status) => sum + status.passages, 0),
  index_bytes: all.reduce((sum, status) => sum + status.index_bytes, 0),
  stale: all.some((status) => status.stale),
  healed: all.reduce((sum, status) => sum + status.healed, 0),
  memories: all,
})
