/** Schemas of the tenant's files, which are stored unchanged. */

import * as z from 'zod'
import { FILES, WRITTEN_FILES } from '../shared/examples.ts'
import { count, etag, text } from '../shared/words.ts'

const key = () => text('File key, as in `/v1/files/{path}`')

export const File = z
  .strictObject({ path: key(), etag: etag('the content'), size: count('Size in bytes') })
  .meta({ id: 'File', description: 'A stored file', examples: FILES })

export const WrittenFile = z
  .strictObject({ path: key(), etag: etag('the content, for `If-Match`') })
  .meta({ description: 'A file after a write', examples: WRITTEN_FILES })
