/**
 * Memory operations: one table of names and parameters shared by REST, the model's tools, and `POST
 * /mcp`, implemented in `engine/manage/memory.ts`. They do not involve layers. A run can access
 * only its own memory; an API key can access its tenant's memory.
 */

import * as z from 'zod'
import { LIMITS } from '../limits.ts'
import { type Operation, shownSchema } from './operations.ts'

const PATH =
  'e.g. `shared/MEMORY.md`; starts with shared/, agents/<agent>/, roles/<role>/, or ' +
  'sessions/<session>/'
const path = z.string().min(1).max(512)
const prefix = z.string().max(512).optional().describe('Path prefix to match, e.g. `shared/`')

export const MEMORY_OPERATIONS = {
  memory_search: {
    description:
      'Searches memory; returns passages with path, lines, and matches. The last word ' +
      'matches as a prefix; unknown words also match as prefixes or with typos; Chinese and ' +
      'Japanese match in parts. `stale`: some changed files are not included yet.',
    writes: false,
    input: z.strictObject({
      query: z.string().min(1).max(LIMITS.memory_query_length).describe('Words to search for'),
      prefix,
      limit: z
        .int()
        .min(1)
        .max(LIMITS.memory_results)
        .optional()
        .describe('Maximum number of passages; default 8'),
    }),
  },
  memory_get: {
    description: 'Reads a memory file, or some of its lines.',
    writes: false,
    input: z.strictObject({
      path: path.describe(`Path of the file, ${PATH}`),
      start: z.int().min(0).max(1_000_000).optional().describe('First line, from 1; 0 means 1'),
      limit: z
        .int()
        .min(0)
        .max(LIMITS.memory_lines)
        .optional()
        .describe(`Number of lines; default ${LIMITS.memory_lines}`),
    }),
  },
  memory_list: {
    description:
      'Lists memory files with their last change, newest first, in pages: pass ' +
      '`next_cursor` as `cursor` for the next page.',
    writes: false,
    input: z.strictObject({
      prefix,
      limit: z.int().min(1).max(LIMITS.page).optional().describe('Files per page; default 20'),
      cursor: z
        .string()
        .max(1_000)
        .optional()
        .describe('`next_cursor` of the previous page, for the same prefix; valid for 24 hours'),
    }),
  },
  memory_write: {
    description:
      'Writes lasting notes to memory: by default adds entries (list items, paragraphs) and ' +
      'skips those that exist, so repeats are safe. `mode: replace` writes the whole file.',
    writes: true,
    input: z.strictObject({
      content: z.string().min(1).max(LIMITS.memory_file_bytes).describe('Markdown text to write'),
      path: path
        .optional()
        .describe(`Path of the file, ${PATH}; default: today's note (UTC) in the agent's memory`),
      heading: z
        .string()
        .min(1)
        .max(200)
        .regex(/^[^\r\n]*\S[^\r\n]*$/, 'a heading must be a single line')
        .optional()
        .describe('Heading for entries without one; created if missing'),
      mode: z
        .enum(['append', 'replace'])
        .optional()
        .describe('`append` (default) adds entries; `replace` overwrites the entire file'),
    }),
  },
} as const satisfies Readonly<Record<string, Operation>>

export type MemoryOperation = keyof typeof MEMORY_OPERATIONS
export type MemoryInput<N extends MemoryOperation> = z.output<
  (typeof MEMORY_OPERATIONS)[N]['input']
>

export const isMemoryOperation = (tool: string): tool is MemoryOperation =>
  Object.hasOwn(MEMORY_OPERATIONS, tool)

/** Returns the parameters of a memory operation as JSON Schema, for models and MCP clients. */
export const memorySchema = (operation: MemoryOperation): Readonly<Record<string, unknown>> =>
  shownSchema(MEMORY_OPERATIONS[operation].input)
