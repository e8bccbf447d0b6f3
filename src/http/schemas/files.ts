/** Files of the tenant, as they are. */

import * as z from 'zod'
import { etagOf, VERSION } from '../examples/story.ts'
import { count, etag, text } from './words.ts'

const key = () => text('The key of the file, as `/v1/files/{path}` takes it')
const path = 'base/.agents/skills/refund-policy/SKILL.md'
const example = { path, etag: etagOf('SKILL.md') }

export const File = z
  .strictObject({ path: key(), etag: etag('its bytes'), size: count('Size in bytes') })
  .meta({ id: 'File', description: 'A stored file', examples: [{ ...example, size: 118 }] })

export const WrittenFile = z
  .strictObject({ path: key(), etag: etag('its bytes, for `If-Match`') })
  .meta({ description: 'A file after a write', examples: [example] })

export const FileRollback = z
  .strictObject({
    path: z.string().min(1).max(1_024).describe('The key of the file'),
    version: z.string().min(1).max(64).describe('The version that is restored'),
  })
  .meta({
    id: 'FileRollback',
    description: 'The version of a file to restore',
    examples: [{ path, version: VERSION }],
  })

export const RestoredFile = WrittenFile.extend({
  created: z.boolean().describe('True: there was no such file any more'),
}).meta({
  description: 'A file after its rollback',
  examples: [{ ...example, created: false }],
})
