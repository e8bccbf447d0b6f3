/**
 * Files of the tenant, as they are: only key and size are checked, so any pack can be pushed. A
 * malformed file becomes a diagnostic when it is resolved, not an error here.
 */

import * as z from 'zod'
import { LIMITS } from '../../core/limits.ts'
import { blobObject, fileObject } from '../../engine/partition/keys.ts'
import { audit } from '../../engine/tenant/audit.ts'
import { sha256 } from '../../lib/digest.ts'
import { keyPath } from '../../lib/key.ts'
import type { Expect, ObjectInfo, World } from '../../ports/world.ts'
import { readBytes } from '../body.ts'
import { conditions, expectation, ifMatch, isKnown } from '../conditions.ts'
import { openCursor, sealCursor } from '../page.ts'
import { refuse } from '../problem.ts'
import type { Api } from '../route.ts'
import { route } from '../route.ts'
import { cursorQuery, list } from '../schemas/common.ts'
import { File, WrittenFile } from '../schemas/files.ts'

const BASE = '/v1/files/'
const path = { path: 'The key of the file, e.g. `base/.agents/skills/deploy/SKILL.md`' }

export function fileRoutes(api: Api): void {
  read(api)
  write(api)
  // A key that is empty is a bad key, not an unknown page: nothing may take it for "everything".
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
      description: 'Of all layers and workspaces, by the beginning of their paths.',
      scope: 'config:raw',
      query: z.strictObject({
        prefix: z
          .string()
          .max(512)
          .default('')
          .describe('Only keys that begin so, e.g. `base/`; empty: all'),
        limit: z.coerce
          .number()
          .int()
          .min(1)
          .max(1_000)
          .default(100)
          .describe('Maximum number of files in a page'),
        cursor: cursorQuery(),
      }),
      answers: { 200: { description: 'Ordered by path', schema: list(File) } },
    },
    async ({ c, world, tenant, query }) => {
      const prefix = query.prefix.replace(/\/$/, '')
      if (prefix !== '') check(prefix)
      return c.json(await listFiles(world, tenant, query.prefix, query))
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
        'As it was written, whatever it holds. Its etag is for `If-Match` and `If-None-Match`.',
      scope: 'config:raw',
      headers: z.object({
        'if-none-match': z
          .string()
          .optional()
          .describe('Etags that you have, in quotes, or `*`: 304 when the file is one of them'),
      }),
      answers: {
        200: { description: 'Its bytes', type: 'application/octet-stream' },
        304: { description: 'It is as `If-None-Match` says that you have it' },
      },
    },
    async ({ c, world, tenant }) => {
      const object = await world.objects.get(fileObject(tenant, keyOf(c.req.path)))
      if (!object) throw refuse('not_found', 'There is no such file.')
      if (isKnown(c.req.header('if-none-match'), object.etag)) {
        return c.body(null, 304, { etag: `"${object.etag}"` })
      }
      return new Response(Buffer.from(object.body), {
        headers: { 'content-type': 'application/octet-stream', etag: `"${object.etag}"` },
      })
    },
  )
}

async function listFiles(
  world: World,
  tenant: string,
  prefix: string,
  query: { limit: number; cursor?: string | undefined },
) {
  const root = fileObject(tenant, '')
  const name = `files ${tenant} ${prefix}`
  const opened = await openCursor(world, name, query.cursor)
  const { from, after } = opened === undefined ? START : (JSON.parse(opened) as Cursor)
  const listed = await world.objects.list(`${root}${prefix}`, from)
  const start = behind(listed.objects, after)
  const shown = listed.objects.slice(start, start + query.limit)
  const last = shown.at(-1)
  const more = last !== undefined && start + shown.length < listed.objects.length
  const following: Cursor = more ? { from, after: last.key } : { from: listed.cursor }
  const next = more || listed.cursor !== undefined ? JSON.stringify(following) : undefined
  return {
    data: shown.map(({ key, etag, size }) => ({ path: key.slice(root.length), etag, size })),
    next_cursor: next ? await sealCursor(world, name, next) : null,
    has_more: Boolean(next),
  }
}

/** A page of the store's is shown in several of ours: its own cursor, and the last key shown. */
interface Cursor {
  readonly from?: string | undefined
  readonly after?: string | undefined
}
const START: Cursor = {}

/** Where the rest of a page begins. The last key that was shown may be gone meanwhile. */
function behind(objects: readonly ObjectInfo[], after: string | undefined): number {
  if (after === undefined) return 0
  const at = objects.findIndex(({ key }) => key === after)
  if (at !== -1) return at + 1
  const later = objects.findIndex(({ key }) => key > after)
  return later === -1 ? objects.length : later
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
      description: '`If-Match` replaces only what was read; `If-None-Match: *` only creates.',
      scope: 'config:raw',
      headers: conditions,
      rawBody: 'application/octet-stream',
      answers: {
        200: { description: 'Replaced', schema: WrittenFile },
        201: { description: 'Created', schema: WrittenFile },
      },
    },
    async ({ c, world, tenant }) => {
      const key = keyOf(c.req.path)
      const expect = expectation(c.req.header('if-match'), c.req.header('if-none-match'))
      const body = await readBytes(c.req, LIMITS.file_body_bytes)
      const object = fileObject(tenant, key)
      const there = await sameButForCase(world, object)
      if (there !== undefined && there !== object) {
        throw refuse('case_conflict', 'There is a file whose name differs only in case.')
      }
      await keepOld(world, tenant, key)
      const put = await world.objects.put(object, body, expect)
      if (put === 'conflict') throw stale(expect)
      const files = [{ path: key, digest: sha256(body) }]
      const by = c.get('principal').key_id
      await audit(world, tenant, { kind: 'file', name: key, action: 'put', by, number: 0, files })
      const status = there === undefined ? 201 : 200
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
        '`If-Match` deletes only what was read. A file that is not there is gone already: 204.',
      scope: 'config:raw',
      headers: z.object({ 'if-match': ifMatch() }),
      answers: { 204: { description: 'It is gone' } },
    },
    async ({ c, world, tenant }) => {
      const expect = expectation(c.req.header('if-match'), undefined)
      const key = keyOf(c.req.path)
      const object = fileObject(tenant, key)
      await keepOld(world, tenant, key)
      const was = await world.objects.get(object)
      if ((await world.objects.delete(object, expect)) === 'conflict') throw stale(expect)
      const by = c.get('principal').key_id
      if (was)
        await audit(world, tenant, { kind: 'file', name: key, action: 'delete', by, number: 0 })
      return c.body(null, 204)
    },
  )
}

/** A skill's or an agent's text is kept by its digest: runs that have pinned it still read it. */
async function keepOld(world: World, tenant: string, key: string): Promise<void> {
  if (!/\/(?:SKILL\.md|agents\/[^/]+\.md)$/i.test(key)) return
  const old = await world.objects.get(fileObject(tenant, key))
  if (old) await world.objects.put(blobObject(tenant, sha256(old.body)), old.body, 'absent')
}

const stale = (expect: Expect) =>
  expect === 'any'
    ? refuse('conflict', 'A file cannot lie where a folder is, or below a file.')
    : refuse('precondition_failed', 'The file is not as you expect it.')

/** The object with this key or one that differs only in case. */
async function sameButForCase(world: World, object: string): Promise<string | undefined> {
  const folder = object.slice(0, object.lastIndexOf('/') + 1)
  const folded = object.toLowerCase()
  let cursor: string | undefined
  let found: string | undefined
  do {
    const page = await world.objects.list(folder, cursor)
    for (const { key } of page.objects) {
      if (key === object) return key
      if (key.toLowerCase() === folded) found = key
    }
    cursor = page.cursor
  } while (cursor !== undefined)
  return found
}

/** The key in the request's path, decoded once: its slashes may be encoded, too. */
function keyOf(requestPath: string): string {
  let key: string
  try {
    key = decodeURIComponent(requestPath.slice(BASE.length))
  } catch {
    throw refuse('invalid_key', 'The path is not well-formed percent-encoded UTF-8.')
  }
  return check(key)
}

function check(key: string): string {
  const checked = keyPath(key)
  if (!checked.ok) throw refuse('invalid_key', `The key is refused: ${checked.error}.`)
  return checked.value
}
