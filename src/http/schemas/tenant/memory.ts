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

const path = () => text('The file, as `/v1/memory/{path}` takes it')
const notes = () => z.array(z.string()).describe('What this answer leaves out, in sentences')
const lines = () => ({
  from: count('The first line, from 1'),
  to: count('The last line'),
})

export const MemoryQuery = z.strictObject({
  query: memory_search.input.shape.query,
  prefix: memory_search.input.shape.prefix,
  limit: z.coerce
    .number()
    .pipe(memory_search.input.shape.limit.unwrap())
    .optional()
    .describe('How many passages; default 8'),
})
export const MemoryLines = z.strictObject({
  start: z.coerce
    .number()
    .pipe(memory_get.input.shape.start.unwrap())
    .optional()
    .describe('First line, from 1; 0 is the first'),
  limit: z.coerce
    .number()
    .pipe(memory_get.input.shape.limit.unwrap())
    .optional()
    .describe('How many lines'),
})
export const MemoryBelow = z.strictObject({
  prefix: z.string().max(512).default('').describe('Only paths that begin so, e.g. `shared/`'),
})

const MemoryFile = z
  .strictObject({
    path: path(),
    etag: etag('its bytes'),
    size: count('Size in bytes'),
    modified_at: time('When it was last written'),
  })
  .meta({ id: 'MemoryFile', description: 'A file of memory', examples: MEMORY_LIST })
export const MemoryList = z.strictObject(pageQuery).extend(MemoryBelow.shape)
export const MemoryFiles = list(MemoryFile)
  .extend({ notes: notes() })
  .meta({
    id: 'MemoryFiles',
    description: 'A page of the files of memory',
    examples: [{ data: MEMORY_LIST, next_cursor: null, has_more: false, notes: [] }],
  })

export const MemoryText = z
  .strictObject({
    path: path(),
    text: text('The lines that were asked for'),
    etag: etag('the whole file'),
    lines: z
      .strictObject({ ...lines(), total: count('Lines of the file') })
      .describe('Which lines these are; `to` is below `from` when there are none'),
    more: z.boolean().describe('Whether lines follow'),
  })
  .meta({
    id: 'MemoryText',
    description: 'A file of memory, or a part of it',
    examples: MEMORY_TEXT,
  })

export const MemoryPut = memory_write.input
  .pick({ content: true })
  .meta({ id: 'MemoryPut', description: 'The whole text of a file', examples: MEMORY_PUT })
export const MemoryAppend = memory_write.input
  .pick({ content: true, heading: true })
  .meta({ id: 'MemoryAppend', description: 'Entries to add', examples: MEMORY_APPEND })

export const MemoryWritten = z
  .strictObject({
    path: path(),
    etag: etag('the file as it is now'),
    created: z.boolean().describe('Whether there was no such file before'),
    added: count('Entries that were added; 1 for a whole text'),
    duplicates: count('Entries that were there already, and were left'),
    bytes: count('Size of the file'),
    redacted: z.boolean().describe('Whether values of secrets were taken out of the content'),
  })
  .meta({ id: 'MemoryWritten', description: 'A change of memory', examples: MEMORY_WRITTEN })

export const MemoryDeleted = z
  .strictObject({ path: path(), deleted: z.boolean().describe('False: there was none') })
  .meta({ id: 'MemoryDeleted', description: 'A file is gone', examples: MEMORY_DELETED })

export const MemoryFound = z
  .strictObject({
    passages: z
      .array(
        z.strictObject({
          path: path(),
          lines: z.strictObject(lines()).describe('Where it stands in the file'),
          heading: text('The headings above it, with ` › ` between; empty: none'),
          text: text('The passage'),
          highlights: z
            .array(
              z.strictObject({
                from: count('Where it begins, in UTF-16 units'),
                to: count('Behind its end'),
              }),
            )
            .describe('Places of the text that match'),
          score: z.number().describe('How well it matches, for the order only'),
        }),
      )
      .describe('The best first'),
    stale: z.boolean().describe('Files have changed that this answer does not know: ask again'),
    notes: notes(),
  })
  .meta({ id: 'MemoryFound', description: 'Passages of memory', examples: MEMORY_FOUND })

const counts = () => ({
  files: count('Markdown files'),
  passages: count('Passages that a search finds'),
  index_bytes: count('Size of the index in the bucket'),
  stale: z.boolean().describe('Whether files have changed that the index does not know'),
  healed: count('Changed files that were read for this answer'),
})
export const MemoryStatus = z
  .strictObject({
    object: kindIs('memory_status'),
    ...counts(),
    memories: z
      .array(
        z.strictObject({
          folder: text('`shared/`, or the folder of an agent, role or session'),
          ...counts(),
          notes: notes(),
        }),
      )
      .describe('Each memory, at most 100'),
  })
  .meta({ id: 'MemoryStatus', description: 'The index of memory', examples: MEMORY_STATUS })

export const MemoryRebuild = z
  .strictObject({
    prefix: z.string().max(512).optional().describe('Only memories of such paths'),
    go_on: z
      .boolean()
      .optional()
      .describe('True: what an earlier call has made stays; while an answer says `stale`'),
  })
  .meta({ id: 'MemoryRebuild', description: 'Which index is made anew', examples: MEMORY_REBUILD })
