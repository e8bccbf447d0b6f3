/** Schemas of the tenant's files, which are stored unchanged. */

import * as z from 'zod'
import { FILE_TEXTS, FILE_VERSIONS, FILES, WRITTEN_FILES } from '../shared/examples.ts'
import { count, etag, idOf, text, textOrNull, time } from '../shared/words.ts'

const key = () => text('File key, as in `/v1/files/{path}`')

export const File = z
  .strictObject({ path: key(), etag: etag('the content'), size: count('Size in bytes') })
  .meta({ id: 'File', description: 'A stored file', examples: FILES })

export const WrittenFile = z
  .strictObject({ path: key(), etag: etag('the content, for `If-Match`') })
  .meta({ description: 'A file after a write', examples: WRITTEN_FILES })

const FileVersionBase = z.strictObject({
  version: idOf('ver', 'ID of the version, which is also the ID of the audit entry'),
  path: key(),
  action: z.enum(['put', 'delete']).describe('Change that made this version'),
  by: text('Author of the change: ID of an API key'),
  created_at: time('Time of the change'),
  digest: textOrNull('SHA-256 of the content (64 hex digits); `null` for a deletion'),
})

export const FileVersion = FileVersionBase.meta({
  id: 'FileVersion',
  description: 'A write or deletion of a stored file',
  examples: FILE_VERSIONS,
})

export const FileVersionContent = FileVersionBase.extend({
  size: count('Size in bytes'),
  text: textOrNull('Text of the file; `null` if the content is not UTF-8'),
}).meta({
  id: 'FileVersionContent',
  description: 'A version of a stored file, with its text',
  examples: FILE_TEXTS,
})
