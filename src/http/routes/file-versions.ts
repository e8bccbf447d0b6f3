/**
 * Versions of files: what `PUT` and `DELETE /v1/files/{path}` and every typed write have replaced.
 * The path stands in the query, because a file may be called anything.
 */

import * as z from 'zod'
import { historyHash, resourceRef, storedVersion } from '../../engine/manage/history.ts'
import { compareVersion, FILE_PLACE, readVersion, rollbackFile } from '../../engine/manage/index.ts'
import { historyPartition } from '../../engine/partition/keys.ts'
import { conditions } from '../conditions.ts'
import { managerOf } from '../manage.ts'
import { page } from '../page.ts'
import { granted } from '../problem.ts'
import { type Api, route } from '../route.ts'
import { list, pageQuery } from '../schemas/common.ts'
import { FileRollback, RestoredFile } from '../schemas/files.ts'
import { Compared, Version, VersionWithFiles } from '../schemas/versions.ts'
import { PATH_ID } from '../schemas/words.ts'
import { reachedKey } from './files.ts'

const PATH = '/v1/file-versions'
const path = z
  .string()
  .min(1)
  .max(1_024)
  .describe('The key of the file, e.g. `base/.agents/config.toml`')
const shared = { tag: 'Files', scope: 'config:raw' } as const
const reads = { ...shared, layers: 'read', method: 'get' } as const

export function fileVersionRoutes(api: Api): void {
  route(
    api,
    {
      ...reads,
      id: 'listFileVersions',
      path: PATH,
      summary: 'Versions of a file',
      description:
        'Every change of it by the API: who made it, and when. A change of a skill, an agent or ' +
        'a server is one of its file, too. What a run writes where it works makes no version; ' +
        'the next change by the API records what it finds.',
      query: z.strictObject({ path, ...pageQuery }),
      answers: { 200: { description: 'Newest first', schema: list(Version) } },
    },
    async ({ c, world, tenant, within, query: { path: key, ...paged } }) => {
      const name = reachedKey(key, within)
      const hash = historyHash(resourceRef('file', FILE_PLACE, name))
      return c.json(await page(world, historyPartition(tenant, hash), paged, storedVersion))
    },
  )
  readRoutes(api)
  route(
    api,
    {
      ...shared,
      layers: 'write',
      method: 'post',
      id: 'rollbackFile',
      path: `${PATH}/rollback`,
      summary: 'Restore a version of a file',
      description:
        'Writes the bytes of that version again, as a new version. 409 when that version is a ' +
        'delete.',
      headers: conditions,
      body: FileRollback,
      refusals: [410, 422],
      answers: { 200: { description: 'Restored', schema: RestoredFile } },
    },
    async (call) => {
      const name = reachedKey(call.body.path, call.within)
      const asked = { path: name, version: call.body.version }
      const done = granted(await rollbackFile(managerOf(call), asked))
      return call.c.json(done, 200, { etag: `"${done.etag}"` })
    },
  )
}

function readRoutes(api: Api): void {
  const one = { ...reads, refusals: [410, 422], params: { version: PATH_ID.version } } as const
  route(
    api,
    {
      ...one,
      id: 'getFileVersion',
      path: `${PATH}/{version}`,
      summary: 'Read a version of a file',
      description: 'With the text that a rollback to it restores.',
      query: z.strictObject({ path }),
      answers: { 200: { description: 'Found', schema: VersionWithFiles } },
    },
    async (call) => {
      const { version } = call.c.req.param()
      const name = reachedKey(call.query.path, call.within)
      const asked = { kind: 'file', name, version: version ?? '' } as const
      return call.c.json(granted(await readVersion(managerOf(call), FILE_PLACE, asked)))
    },
  )
  route(
    api,
    {
      ...one,
      id: 'compareFileVersion',
      path: `${PATH}/{version}/compare`,
      summary: 'Compare a version of a file',
      description: 'With what lies there now, or with another version: before a rollback.',
      query: z.strictObject({
        path,
        with: z.string().max(64).default('current').describe('`current`, or the id of a version'),
      }),
      answers: { 200: { description: 'The file, here and there', schema: Compared } },
    },
    async (call) => {
      const { version } = call.c.req.param()
      const name = reachedKey(call.query.path, call.within)
      const asked = { kind: 'file', name, version: version ?? '', with: call.query.with } as const
      return call.c.json(granted(await compareVersion(managerOf(call), FILE_PLACE, asked)))
    },
  )
}
