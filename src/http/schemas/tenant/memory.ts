/** Memory: its files, what a search finds, the state of its index. */

import * as z from 'zod'
import { MEMORY_OPERATIONS } from '../../../core/manage/memory.ts'
import { list, pageQuery } from '../shared/common.ts'
import {
  MEMORY_APPEND,
  MEMORY_DELETED,
  MEMORY_FOUND,
  MEMORY_LIST,
  MEMORY_PUT,
  MEMORY_REBUILD,
  MEMORY_STATUS,
  MEMORY_TEXT,
  MEMORY_WRITTEN,
} from '../shared/examples.ts'
import { count, etag, kindIs, text, time } from '../shared/words.ts'

const { memory_write, memory_search, memory_get } = MEMORY_OPERATIONS

const path = () => text('Path of the file for `/v1/memory/{path}`')
const notes = () => z.array(z.string()).describe('What this response omits, in sentences')
const lines = () => ({
  from: count('First line, from 1'),
  to: count('Last line'),
})

export const MemoryQuery = z.strictObject({
  query: memory_search.input.shape.query,
  prefix: memory_search.input.shape.prefix,
  limit: z.coerce
    .number()
    .pipe(memory_search.input.shape.limit.unwrap())
    .optional()
    .describe('Number of passages; default 8'),
})
export const MemoryLines = z.strictObject({
  start: z.coerce
    .number()
    .pipe(memory_get.input.shape.start.unwrap())
    .optional()
    .describe('First line, from 1; 0 also means the first'),
  limit: z.coerce
    .number()
    .pipe(memory_get.input.shape.limit.unwrap())
    .optional()
    .describe('Number of lines'),
})
export const MemoryBelow = z.strictObject({
  prefix: z.string().max(512).default('').describe('Path prefix, such as `shared/`'),
})

const MemoryFile = z
  .strictObject({
    path: path(),
    etag: etag('its bytes'),
    size: count('Size in bytes'),
    modified_at: time('Time of the last write'),
  })
  .meta({
    id: 'MemoryFile',
    description: 'A file in the memory of a tenant',
    examples: MEMORY_LIST,
  })
export const MemoryList = z.strictObject(pageQuery).extend(MemoryBelow.shape)
export const MemoryFiles = list(MemoryFile)
  .extend({ notes: notes() })
  .meta({
    id: 'MemoryFiles',
    description: 'A page of memory files',
    examples: [{ data: MEMORY_LIST, next_cursor: null, has_more: false, notes: [] }],
  })

export const MemoryText = z
  .strictObject({
    path: path(),
    text: text('The requested lines'),
    etag: etag('the whole file'),
    lines: z
      .strictObject({ ...lines(), total: count('Lines of the file') })
      .describe('Range of these lines; `to` is less than `from` when there are none'),
    more: z.boolean().describe('Whether more lines follow'),
  })
  .meta({
    id: 'MemoryText',
    description: 'A memory file, or a part of it',
    examples: MEMORY_TEXT,
  })

export const MemoryPut = memory_write.input
  .pick({ content: true })
  .meta({ id: 'MemoryPut', description: 'Complete text of a file', examples: MEMORY_PUT })
export const MemoryAppend = memory_write.input
  .pick({ content: true, heading: true })
  .meta({ id: 'MemoryAppend', description: 'Entries to add', examples: MEMORY_APPEND })

export const MemoryWritten = z
  .strictObject({
    path: path(),
    etag: etag('the current file'),
    created: z.boolean().describe('Whether the file was created'),
    added: count('Number of appended entries; 1 for a complete text'),
    duplicates: count('Number of entries that existed already and were skipped'),
    bytes: count('Size of the file'),
    redacted: z.boolean().describe('Whether values of secrets were removed from the content'),
  })
  .meta({ id: 'MemoryWritten', description: 'A change of memory', examples: MEMORY_WRITTEN })

export const MemoryDeleted = z
  .strictObject({ path: path(), deleted: z.boolean().describe('False: the file did not exist') })
  .meta({ id: 'MemoryDeleted', description: 'A deleted memory file', examples: MEMORY_DELETED })

export const MemoryFound = z
  .strictObject({
    passages: z
      .array(
        z.strictObject({
          path: path(),
          lines: z.strictObject(lines()).describe('Its lines in the file'),
          heading: text('Headings above it, separated by ` › `; empty: none'),
          text: text('The passage'),
          highlights: z
            .array(
              z.strictObject({
                from: count('Start, in UTF-16 code units'),
                to: count('End, exclusive'),
              }),
            )
            .describe('Matching parts of the text'),
          score: z.number().describe('Relevance, for sorting only'),
        }),
      )
      .describe('Best first'),
    stale: z.boolean().describe('Changed files are not yet included; search again'),
    notes: notes(),
  })
  .meta({ id: 'MemoryFound', description: 'Passages of memory', examples: MEMORY_FOUND })

const counts = () => ({
  files: count('Number of Markdown files'),
  passages: count('Number of searchable passages'),
  index_bytes: count('Size of the index in the bucket'),
  stale: z.boolean().describe('Whether changed files are not yet in the index'),
  healed: count('Changed files that were read for this response'),
})
export const MemoryStatus = z
  .strictObject({
    object: kindIs('memory_status'),
    ...counts(),
    memories: z
      .array(
        z.strictObject({
          folder: text('`shared/`, or the folder of an agent, role, or session'),
          ...counts(),
          notes: notes(),
        }),
      )
      .describe('At most 100 memories'),
  })
  .meta({ id: 'MemoryStatus', description: 'State of the memory index', examples: MEMORY_STATUS })

export const MemoryRebuild = z
  .strictObject({
    prefix: z.string().max(512).optional().describe('Only memories with this path prefix'),
    go_on: z
      .boolean()
      .optional()
      .describe('True: keep what a previous call has built; use it while a response says `stale`'),
  })
  .meta({ id: 'MemoryRebuild', description: 'The index to rebuild', examples: MEMORY_REBUILD })
