/**
 * Serves memory: Markdown files that agents and users write and search. The operations are those of
 * the model tools and `POST /mcp`. A key can access all memories of its tenant.
 */

import * as z from 'zod'
import { LIMITS } from '../../core/limits.ts'
import type { MemoryOperation } from '../../core/manage/memory.ts'
import { historyHash, resourceRef, storedVersion } from '../../engine/manage/history.ts'
import {
  deleteMemory,
  MEMORY_PLACE,
  type MemoryContext,
  memoryOperation,
  rebuildMemory,
  statusOfMemory,
} from '../../engine/manage/index.ts'
import { historyPartition } from '../../engine/partition/keys.ts'
import { conditions, ifMatch } from '../request/conditions.ts'
import { page } from '../request/page.ts'
import { granted, refuse } from '../request/problem.ts'
import { type Api, route } from '../request/route.ts'
import { managerOf, performed } from '../resources/manage.ts'
import { Version, VersionWithFiles } from '../schemas/layers/versions.ts'
import { list, pageQuery } from '../schemas/shared/common.ts'
import { PATH_ID } from '../schemas/shared/words.ts'
import {
  MemoryAppend,
  MemoryBelow,
  MemoryDeleted,
  MemoryFiles,
  MemoryFound,
  MemoryLines,
  MemoryList,
  MemoryPut,
  MemoryQuery,
  MemoryRebuild,
  MemoryStatus,
  MemoryText,
  MemoryWritten,
} from '../schemas/tenant/memory.ts'

const BASE = '/v1/memory/'
const params = { path: 'Path of the file, such as `shared/MEMORY.md`' }
const reads = { tag: 'Memory', scope: 'memory:read', method: 'get' } as const
const writes = { tag: 'Memory', scope: 'memory:write' } as const
type Call = Parameters<typeof managerOf>[0]

export function memoryRoutes(api: Api): void {
  indexRoutes(api)
  versionsOf(api)
  readRoutes(api)
  writeRoutes(api)
}

const perform = async (
  call: Call,
  operation: MemoryOperation,
  input: object,
): Promise<MemoryAnswer> =>
  granted(await memoryOperation(contextOf(call), operation, input)) as MemoryAnswer

type MemoryAnswer = Readonly<Record<string, unknown>> & { readonly etag?: string }

const contextOf = (call: Call): MemoryContext => managerOf(call)

function indexRoutes(api: Api): void {
  route(
    api,
    {
      ...reads,
      id: 'searchMemory',
      path: '/v1/memory/search',
      summary: 'Search memory',
      description:
        'Finds passages by words and prefixes, tolerates typos, and matches parts of Chinese ' +
        'and Japanese text. Changed files are indexed first; `stale` indicates that some ' +
        'files were not indexed.',
      query: MemoryQuery,
      refusals: [422],
      answers: { 200: { description: 'The best-matching passages', schema: MemoryFound } },
    },
    async (call) => call.c.json(await perform(call, 'memory_search', call.query)),
  )
  route(
    api,
    {
      ...reads,
      id: 'getMemoryStatus',
      path: '/v1/memory/status',
      summary: 'Get the state of the memory index',
      description: 'Returns the number of files and passages, and whether the index is up to date.',
      query: MemoryBelow,
      answers: { 200: { description: 'The state of the index', schema: MemoryStatus } },
    },
    async (call) => call.c.json(granted(await statusOfMemory(contextOf(call), call.query))),
  )
  route(
    api,
    {
      ...writes,
      method: 'post',
      id: 'rebuildMemory',
      path: '/v1/memory/rebuild',
      summary: 'Rebuild the memory index',
      description:
        'The index contains only data from the files, so search results do not change. One ' +
        'call reads 800 files; `stale: true` means that more files remain.',
      body: MemoryRebuild,
      bodyOptional: true,
      answers: { 200: { description: 'The state of the index', schema: MemoryStatus } },
    },
    async (call) => call.c.json(granted(await rebuildMemory(contextOf(call), call.body))),
  )
}

function versionsOf(api: Api): void {
  const path = z.string().min(1).max(512).describe('Path of the file, such as `shared/MEMORY.md`')
  route(
    api,
    {
      ...reads,
      id: 'listMemoryVersions',
      path: '/v1/memory/versions',
      summary: 'List versions of a memory file',
      description:
        'Returns text that was replaced or deleted. Appending entries does not remove text or ' +
        'create a version.',
      query: z.strictObject({ path, ...pageQuery }),
      answers: { 200: { description: 'The requested items', schema: list(Version) } },
    },
    async ({ c, world, tenant, query: { path: name, ...paged } }) => {
      const hash = historyHash(resourceRef('memory', MEMORY_PLACE, name))
      return c.json(await page(world, historyPartition(tenant, hash), paged, storedVersion))
    },
  )
  route(
    api,
    {
      ...reads,
      id: 'getMemoryVersion',
      path: '/v1/memory/versions/{version}',
      params: { version: PATH_ID.version },
      summary: 'Get a version of a memory file',
      description: 'Includes the text of the version, so that you can restore the file.',
      query: z.strictObject({ path }),
      refusals: [410, 422],
      answers: { 200: { description: 'The requested data', schema: VersionWithFiles } },
    },
    async (call) => {
      const { version } = call.c.req.param()
      const query = { layer: MEMORY_PLACE.prefix }
      const input = { kind: 'memory', version, name: call.query.path }
      return call.c.json(
        await performed({ ...call, query }, { nameIn: 'name' }, 'versions_get', input),
      )
    },
  )
}

function readRoutes(api: Api): void {
  route(
    api,
    {
      ...reads,
      id: 'listMemory',
      path: '/v1/memory',
      summary: 'List memory files',
      description: "Returns the Markdown files in all of the tenant's memories.",
      query: MemoryList,
      refusals: [422],
      answers: { 200: { description: 'The requested items', schema: MemoryFiles } },
    },
    async (call) => call.c.json(await perform(call, 'memory_list', call.query)),
  )
  route(
    api,
    {
      ...reads,
      id: 'getMemory',
      path: '/v1/memory/{path+}',
      params,
      summary: 'Read a memory file',
      description: 'Returns the entire file, or a range of lines.',
      query: MemoryLines,
      refusals: [400, 409, 422],
      answers: {
        200: { description: 'The text', schema: MemoryText, headers: ['ETag'] },
      },
    },
    async (call) =>
      answer(call, await perform(call, 'memory_get', { ...call.query, path: pathOf(call) })),
  )
}

function writeRoutes(api: Api): void {
  route(
    api,
    {
      ...writes,
      method: 'put',
      id: 'putMemory',
      path: '/v1/memory/{path+}',
      params,
      summary: 'Write a memory file',
      description:
        'Replaces the entire file; the previous text is kept as a version. Secret values are ' +
        'removed.',
      headers: conditions,
      body: MemoryPut,
      bodyLimit: LIMITS.file_body_bytes,
      refusals: [400, 409, 422],
      answers: {
        200: { description: 'The file was replaced', schema: MemoryWritten },
        201: { description: 'Created', schema: MemoryWritten },
      },
    },
    (call) => writeMemory(call, { ...call.body, mode: 'replace' }),
  )
  route(
    api,
    {
      ...writes,
      method: 'post',
      id: 'appendMemory',
      path: '/v1/memory/{path+}',
      params,
      summary: 'Append entries to a memory file',
      description:
        'Accepts list items, paragraphs, and fenced blocks, each under its heading. Entries ' +
        'that already exist are skipped, so the request can be repeated.',
      headers: conditions,
      body: MemoryAppend,
      bodyLimit: LIMITS.file_body_bytes,
      refusals: [400, 409, 422],
      answers: {
        200: { description: 'The entries were appended', schema: MemoryWritten },
        201: { description: 'Created', schema: MemoryWritten },
      },
    },
    (call) => writeMemory(call, call.body),
  )
  route(
    api,
    {
      ...writes,
      method: 'delete',
      id: 'deleteMemory',
      path: '/v1/memory/{path+}',
      params,
      summary: 'Delete a memory file',
      description: 'The text is kept as a version; searches no longer find the file.',
      headers: z.object({ 'if-match': ifMatch() }),
      refusals: [400],
      answers: { 200: { description: 'Deleted', schema: MemoryDeleted } },
    },
    async (call) =>
      call.c.json(granted(await deleteMemory(contextOf(call), { path: pathOf(call) }))),
  )
}

async function writeMemory(call: Call, input: object): Promise<Response> {
  const done = await perform(call, 'memory_write', { ...input, path: pathOf(call) })
  return answer(call, done, done.created === true ? 201 : 200)
}

const answer = ({ c }: Call, body: MemoryAnswer, status: 200 | 201 = 200): Response =>
  c.json(body, status, body.etag === undefined ? {} : { etag: `"${body.etag}"` })

/** Returns the memory path from the request's raw path, decoded once. */
function pathOf({ c }: Call): string {
  try {
    return decodeURIComponent(c.req.path.slice(BASE.length))
  } catch {
    throw refuse('invalid_key', 'The path is not valid percent-encoded UTF-8.')
  }
}
