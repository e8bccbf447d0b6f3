/**
 * Serves the tenant's files unchanged. Only the key and the size are checked, so any pack can be
 * pushed. A malformed file is not an error here; its resolution reports a diagnostic.
 */

import * as z from 'zod'
import { LIMITS } from '../../core/limits.ts'
import {
  bringFile,
  type FileInfo,
  type FilePath,
  type FileSpace,
  filePath,
  listFiles,
  readFile,
  removeFile,
} from '../../engine/layers/files.ts'
import { sealCursor } from '../../engine/partition/page.ts'
import { readBytes } from '../request/body.ts'
import { conditions, expectation, ifMatch, isKnown } from '../request/conditions.ts'
import { openCursor } from '../request/page.ts'
import { granted, refuse } from '../request/problem.ts'
import type { Api } from '../request/route.ts'
import { route } from '../request/route.ts'
import { File, WrittenFile } from '../schemas/layers/files.ts'
import { cursorQuery, list } from '../schemas/shared/common.ts'

const BASE = '/v1/files/'
const path = { path: 'Key of the file, such as `base/.agents/skills/deploy/SKILL.md`' }

export function fileRoutes(api: Api): void {
  read(api)
  write(api)
  // Rejects an empty key as invalid, so that a request without a key never affects all files.
  api.app.all(BASE, () => {
    throw refuse('invalid_key', 'The key is empty.')
  })
}

function read(api: Api): void {
  route(
    api,
    {
      id: 'listFiles',
      method: 'get',
      path: '/v1/files',
      tag: 'Files',
      summary: 'List files',
      description: 'Returns files from all layers and workspaces, filtered by path prefix.',
      scope: 'config:raw',
      query: z.strictObject({
        prefix: z
          .string()
          .max(512)
          .default('')
          .describe('Path prefix, such as `base/`; if empty, all files are returned'),
        limit: z.coerce
          .number()
          .int()
          .min(1)
          .max(1_000)
          .default(100)
          .describe('Maximum number of files per page'),
        cursor: cursorQuery(),
      }),
      answers: { 200: { description: 'The matching files, ordered by path', schema: list(File) } },
    },
    async ({ c, world, tenant, query }) => {
      const prefix = query.prefix.replace(/\/$/, '')
      if (prefix !== '') check(prefix)
      return c.json(await pageOf({ world, tenant }, query.prefix, query))
    },
  )
  route(
    api,
    {
      id: 'getFile',
      method: 'get',
      path: '/v1/files/{path+}',
      params: path,
      tag: 'Files',
      summary: 'Read a file',
      description:
        "Returns the file's bytes unchanged. Use the ETag for `If-Match` and `If-None-Match`.",
      scope: 'config:raw',
      headers: z.object({
        'if-none-match': z
          .string()
          .optional()
          .describe('Quoted ETags of cached versions, or `*`; 304 if one of them matches the file'),
      }),
      answers: {
        200: { description: "The file's bytes", type: 'application/octet-stream' },
        304: { description: 'The file matches `If-None-Match`' },
      },
    },
    async ({ c, world, tenant }) => {
      const object = await readFile({ world, tenant }, keyOf(c.req.path))
      if (!object) throw refuse('not_found', 'File not found.')
      if (isKnown(c.req.header('if-none-match'), object.etag)) {
        return c.body(null, 304, { etag: `"${object.etag}"` })
      }
      return new Response(Buffer.from(object.body), {
        headers: { 'content-type': 'application/octet-stream', etag: `"${object.etag}"` },
      })
    },
  )
}

async function pageOf(
  { world, tenant }: FileSpace,
  prefix: string,
  query: { limit: number; cursor?: string | undefined },
) {
  const name = `files ${tenant} ${prefix}`
  const opened = await openCursor(world, name, query.cursor)
  const { from, after } = opened === undefined ? START : (JSON.parse(opened) as Cursor)
  const listing = await listFiles({ world, tenant }, prefix, from)
  const start = behind(listing.files, after)
  const visible = listing.files.slice(start, start + query.limit)
  const last = visible.at(-1)
  const more = last !== undefined && start + visible.length < listing.files.length
  const following: Cursor = more ? { from, after: last.path } : { from: listing.cursor }
  const next = more || listing.cursor !== undefined ? JSON.stringify(following) : undefined
  return {
    data: visible.map(({ path: key, etag, size }) => ({ path: key, etag, size })),
    next_cursor: next ? await sealCursor(world, name, next) : null,
    has_more: Boolean(next),
  }
}

/**
 * Cursor of a file list. One page of the store spans several API pages, so the cursor contains the
 * store's cursor and the last key.
 */
interface Cursor {
  readonly from?: string | undefined
  readonly after?: string | undefined
}
const START: Cursor = {}

/** Returns the index of the first file after the given key, which may have been deleted. */
function behind(files: readonly FileInfo[], after: string | undefined): number {
  if (after === undefined) return 0
  const at = files.findIndex(({ path }) => path === after)
  if (at !== -1) return at + 1
  const later = files.findIndex(({ path }) => path > after)
  return later === -1 ? files.length : later
}

function write(api: Api): void {
  route(
    api,
    {
      id: 'putFile',
      method: 'put',
      path: '/v1/files/{path+}',
      params: path,
      tag: 'Files',
      summary: 'Write a file',
      description:
        'With `If-Match`, the file is replaced only if the ETag matches; with `If-None-Match: ' +
        '*`, the file is only created, never replaced.',
      scope: 'config:raw',
      headers: conditions,
      rawBody: 'application/octet-stream',
      answers: {
        200: { description: 'The file was replaced', schema: WrittenFile },
        201: { description: 'Created', schema: WrittenFile },
      },
    },
    async ({ c, world, tenant, by }) => {
      const key = keyOf(c.req.path)
      const expect = expectation(c.req.header('if-match'), c.req.header('if-none-match'))
      const body = await readBytes(c.req, LIMITS.file_body_bytes)
      const put = granted(await bringFile({ world, tenant, by }, key, body, expect))
      const status = put.created ? 201 : 200
      return c.json({ path: key, etag: put.etag }, status, { etag: `"${put.etag}"` })
    },
  )
  route(
    api,
    {
      id: 'deleteFile',
      method: 'delete',
      path: '/v1/files/{path+}',
      params: path,
      tag: 'Files',
      summary: 'Delete a file',
      description:
        'With `If-Match`, the file is deleted only if the ETag matches. Deleting a file that ' +
        'does not exist returns 204.',
      scope: 'config:raw',
      headers: z.object({ 'if-match': ifMatch() }),
      answers: { 204: { description: 'Deleted' } },
    },
    async ({ c, world, tenant, by }) => {
      const expect = expectation(c.req.header('if-match'), undefined)
      const key = keyOf(c.req.path)
      granted(await removeFile({ world, tenant, by }, key, expect))
      return c.body(null, 204)
    },
  )
}

/**
 * Returns the file key in the request path, decoded once; slashes in the key may also be encoded.
 */
function keyOf(requestPath: string): FilePath {
  let key: string
  try {
    key = decodeURIComponent(requestPath.slice(BASE.length))
  } catch {
    throw refuse('invalid_key', 'The path is not valid percent-encoded UTF-8.')
  }
  return check(key)
}

function check(key: string): FilePath {
  const checked = filePath(key)
  if (!checked.ok) throw refuse('invalid_key', `Invalid key: ${checked.error}.`)
  return checked.value
}
