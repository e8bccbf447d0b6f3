/** Schemas of memory: its files, its search results, and the state of its search index. */

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
const notes = () =>
  z.array(z.string()).describe('Human-readable notes about content that this response omits')
const lines = () => ({
  from: count('Number of the first line, starting at 1'),
  to: count('Number of the last line'),
})

export const MemoryQuery = z.strictObject({
  query: memory_search.input.shape.query,
  prefix: memory_search.input.shape.prefix,
  limit: z.coerce
    .number()
    .pipe(memory_search.input.shape.limit.unwrap())
    .optional()
    .describe('Maximum number of passages; defaults to 8'),
})
export const MemoryLines = z.strictObject({
  start: z.coerce
    .number()
    .pipe(memory_get.input.shape.start.unwrap())
    .optional()
    .describe('Number of the first line, starting at 1; 0 is equivalent to the first line'),
  limit: z.coerce
    .number()
    .pipe(memory_get.input.shape.limit.unwrap())
    .optional()
    .describe('Maximum number of lines'),
})
export const MemoryBelow = z.strictObject({
  prefix: z.string().max(512).default('').describe('File path prefix, such as `shared/`'),
})

const MemoryFile = z
  .strictObject({
    path: path(),
    etag: etag('the content'),
    size: count('Size in bytes'),
    modified_at: time('Time at which the file was last written'),
  })
  .meta({
    id: 'MemoryFile',
    description: "A file in the tenant's memory",
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
    text: text('Text of the requested lines'),
    etag: etag('the whole file'),
    lines: z
      .strictObject({ ...lines(), total: count('Number of lines in the file') })
      .describe('Range of the returned lines; `to` is less than `from` if there are no lines'),
    more: z.boolean().describe('Whether there are more lines'),
  })
  .meta({
    id: 'MemoryText',
    description: 'A memory file, or part of a memory file',
    examples: MEMORY_TEXT,
  })

export const MemoryPut = memory_write.input
  .pick({ content: true })
  .meta({ id: 'MemoryPut', description: "The file's complete text", examples: MEMORY_PUT })
export const MemoryAppend = memory_write.input
  .pick({ content: true, heading: true })
  .meta({ id: 'MemoryAppend', description: 'Entries to append', examples: MEMORY_APPEND })

export const MemoryWritten = z
  .strictObject({
    path: path(),
    etag: etag('the current file'),
    created: z.boolean().describe('Whether the file was created'),
    added: count('Number of appended entries; 1 if the complete text was written'),
    duplicates: count('Number of entries that already existed and were skipped'),
    bytes: count('File size in bytes'),
    redacted: z.boolean().describe('Whether secret values were removed from the content'),
  })
  .meta({ id: 'MemoryWritten', description: 'A change to memory', examples: MEMORY_WRITTEN })

export const MemoryDeleted = z
  .strictObject({
    path: path(),
    deleted: z
      .boolean()
      .describe('Whether the file was deleted; `false` if the file did not exist'),
  })
  .meta({ id: 'MemoryDeleted', description: 'A deleted memory file', examples: MEMORY_DELETED })

export const MemoryFound = z
  .strictObject({
    passages: z
      .array(
        z.strictObject({
          path: path(),
          lines: z.strictObject(lines()).describe('Line range of the passage in the file'),
          heading: text('Headings above the passage, separated by ` › `; empty if there are none'),
          text: text('Text of the passage'),
          highlights: z
            .array(
              z.strictObject({
                from: count('Start position in UTF-16 code units'),
                to: count('End, exclusive'),
              }),
            )
            .describe('Parts of the text that match the query'),
          score: z.number().describe('Relevance of the passage; suitable only for sorting'),
        }),
      )
      .describe('Passages that match the query, best match first'),
    stale: z
      .boolean()
      .describe('Whether changed files are not yet included; search again for complete results'),
    notes: notes(),
  })
  .meta({ id: 'MemoryFound', description: 'Passages found in memory', examples: MEMORY_FOUND })

const counts = () => ({
  files: count('Number of Markdown files'),
  passages: count('Number of searchable passages'),
  index_bytes: count('Size of the index in the bucket, in bytes'),
  stale: z.boolean().describe('Whether changed files are not yet in the index'),
  healed: count('Number of changed files that were read for this response'),
})
export const MemoryStatus = z
  .strictObject({
    object: kindIs('memory_status'),
    ...counts(),
    memories: z
      .array(
        z.strictObject({
          folder: text('Memory folder: `shared/`, or the folder of an agent, role, or session'),
          ...counts(),
          notes: notes(),
        }),
      )
      .describe('State of each memory, for at most 100 memories'),
  })
  .meta({ id: 'MemoryStatus', description: 'State of the memory index', examples: MEMORY_STATUS })

export const MemoryRebuild = z
  .strictObject({
    prefix: z.string().max(512).optional().describe('Path prefix of the memories to rebuild'),
    go_on: z
      .boolean()
      .optional()
      .describe(
        'Whether to keep the results of a previous call; set to `true` as long as a response ' +
          'reports `stale`',
      ),
  })
  .meta({
    id: 'MemoryRebuild',
    description: 'Part of the memory index to rebuild',
    examples: MEMORY_REBUILD,
  })
