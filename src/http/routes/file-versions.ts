/** Lists and reads versions of stored files. */

import * as z from 'zod'
import { LIMITS } from '../../core/limits.ts'
import { fileVersionOf, readFileVersion } from '../../engine/layers/file-versions.ts'
import { filePath } from '../../engine/layers/files.ts'
import { granted, refuse } from '../request/problem.ts'
import type { Api } from '../request/route.ts'
import { route } from '../request/route.ts'
import { FileVersion, FileVersionContent } from '../schemas/layers/files.ts'
import { list, pageQuery } from '../schemas/shared/common.ts'
import { PATH_ID } from '../schemas/shared/words.ts'
import { auditPage } from '../views/audit-page.ts'

const path = z
  .string()
  .min(1)
  .max(1_024)
  .describe('Key of the file, such as `base/.agents/config.toml`')

export function fileVersionRoutes(api: Api): void {
  route(
    api,
    {
      id: 'listFileVersions',
      method: 'get',
      path: '/v1/file-versions',
      tag: 'Files',
      summary: 'List the versions of a file, newest first',
      description:
        'Includes writes and deletions by `/v1/files` and by imports. Changes by the operations ' +
        'of agents, skills, MCP servers, schedules, and memory are in their own versions, and ' +
        'writes of a run are in its log. Reads ' +
        'at most 2,000 entries of the audit log per request, so a page can have fewer than ' +
        '`limit` versions while `has_more` is true.',
      scope: 'config:raw',
      query: z.strictObject({ ...pageQuery, path }),
      answers: { 200: { description: 'The versions', schema: list(FileVersion) } },
    },
    async ({ c, world, tenant, query }) => {
      const key = keyOf(query.path)
      const { limit, cursor } = query
      const entries = await auditPage(world, tenant, { limit, cursor, kind: ['file'], name: key })
      return c.json({ ...entries, data: entries.data.map((entry) => fileVersionOf(entry, key)) })
    },
  )
  route(
    api,
    {
      id: 'getFileVersion',
      method: 'get',
      path: '/v1/file-versions/{version}',
      params: { version: PATH_ID.version },
      tag: 'Files',
      summary: 'Read a version of a file',
      description:
        'Returns the text of the file after that write. Returns 410 for a deletion, and for a ' +
        'text that is no longer stored: a version keeps up to ' +
        `${LIMITS.file_version_bytes} bytes.`,
      scope: 'config:raw',
      query: z.strictObject({ path }),
      refusals: [410],
      answers: { 200: { description: 'The version with its text', schema: FileVersionContent } },
    },
    async ({ c, world, tenant, query }) => {
      const { version } = c.req.param() as { version: string }
      return c.json(granted(await readFileVersion({ world, tenant }, keyOf(query.path), version)))
    },
  )
}

function keyOf(text: string): string {
  const checked = filePath(text)
  if (!checked.ok) throw refuse('invalid_key', `Invalid key: ${checked.error}.`)
  return checked.value
}
