/**
 * The operations on memory: one table of names and parameters that REST, the model's tools and
 * `POST /mcp` share. `engine/manage/memory.ts` implements them. They know no layers; a run reaches
 * its own memories only, a key those of its tenant.
 */

import * as z from 'zod'
import { LIMITS } from '../limits.ts'
import { type Operation, shownSchema } from './operations.ts'

const PATH =
  'e.g. `shared/MEMORY.md`: begins with shared/, agents/<agent>/, roles/<role>/ or sessions/<session>/'
const path = z.string().min(1).max(512)
const prefix = z.string().max(512).optional().describe('Only paths that begin so, e.g. `shared/`')

export const MEMORY_OPERATIONS = {
  memory_search: {
    description:
      'Searches memory: passages with path, lines and the places that match. Finds beginnings ' +
      'of the last word, beginnings and typing errors of words that no file has, and parts of ' +
      'Chinese and Japanese text. `stale`: files ' +
      'have changed that this answer does not know.',
    writes: false,
    input: z.strictObject({
      query: z.string().min(1).max(LIMITS.memory_query_length).describe('Words to look for'),
      prefix,
      limit: z
        .int()
        .min(1)
        .max(LIMITS.memory_results)
        .optional()
        .describe('How many passages; default 8'),
    }),
  },
  memory_get: {
    description: 'Reads a file of memory, or some of its lines.',
    writes: false,
    input: z.strictObject({
      path: path.describe(`The file, ${PATH}`),
      start: z
        .int()
        .min(0)
        .max(1_000_000)
        .optional()
        .describe('First line, from 1; 0 is the first'),
      limit: z
        .int()
        .min(0)
        .max(LIMITS.memory_lines)
        .optional()
        .describe(`How many lines; default ${LIMITS.memory_lines}`),
    }),
  },
  memory_list: {
    description:
      'Lists files of memory with the times of their last changes, newest first, in pages: ' +
      '`next_cursor` as `cursor` asks for the next one.',
    writes: false,
    input: z.strictObject({
      prefix,
      limit: z.int().min(1).max(LIMITS.page).optional().describe('Files in a page; default 20'),
      cursor: z
        .string()
        .max(1_000)
        .optional()
        .describe('`next_cursor` of the page before, with the same prefix; it lasts for 24 hours'),
    }),
  },
  memory_write: {
    description:
      'Writes to memory what must last: by default entries (list items, paragraphs) are added, ' +
      'and those that are there already are left, so it may be repeated. `mode: replace` writes ' +
      'the whole file.',
    writes: true,
    input: z.strictObject({
      content: z.string().min(1).max(LIMITS.memory_file_bytes).describe('Markdown'),
      path: path
        .optional()
        .describe(`The file, ${PATH}; without it the note of the day (UTC), in the own memory`),
      heading: z
        .string()
        .min(1)
        .max(200)
        .regex(/^[^\r\n]*\S[^\r\n]*$/, 'a heading is one line')
        .optional()
        .describe('The heading under which entries go that come without one; made if missing'),
      mode: z
        .enum(['append', 'replace'])
        .optional()
        .describe('`append` (default) adds entries; `replace` writes the whole file'),
    }),
  },
} as const satisfies Readonly<Record<string, Operation>>

export type MemoryOperation = keyof typeof MEMORY_OPERATIONS
export type MemoryInput<N extends MemoryOperation> = z.output<
  (typeof MEMORY_OPERATIONS)[N]['input']
>

export const isMemoryOperation = (tool: string): tool is MemoryOperation =>
  Object.hasOwn(MEMORY_OPERATIONS, tool)

/** The parameters as JSON Schema, for models and for MCP clients. */
export const memorySchema = (operation: MemoryOperation): Readonly<Record<string, unknown>> =>
  shownSchema(MEMORY_OPERATIONS[operation].input)
