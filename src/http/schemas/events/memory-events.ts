/** Schemas of run events about memory and the compaction of a conversation. */

import * as z from 'zod'
import { RunError, Usage } from '../shared/common.ts'
import { body } from '../shared/event-parts.ts'
import { count, etag, runStep, text } from '../shared/words.ts'

const path = () => text('Path of the file for `/v1/memory/{path}`')

export const startMemory = () =>
  z
    .strictObject({
      text: body('Notes as shown to the model'),
      files: z
        .array(
          z.strictObject({
            path: path(),
            etag: etag('the file when it was read'),
            bytes: count('Number of file bytes that are shown'),
            cut: z.literal(true).optional().describe('Whether the rest of the file was omitted'),
          }),
        )
        .describe('Files that contain the notes'),
    })
    .optional()
    .describe('Memory notes that the run starts with; absent if there are none')

export const MEMORY_DATA = {
  'transcript.compacted': z
    .strictObject({
      step: runStep('Index of the current step'),
      seen: count('Number of messages and results received so far'),
      kept_from: runStep('First step that the model still receives in full'),
      summary: body('Summary that replaces everything before `kept_from`'),
      model: z
        .string()
        .nullable()
        .describe(
          'Model that wrote the summary; `null` if no model was available and an excerpt was ' +
            'used',
        ),
      usage: Usage.describe('Usage for the summary'),
    })
    .describe("The conversation exceeded the model's context window and was summarized"),
  'memory.noted': z
    .strictObject({
      step: runStep('Index of the current step'),
      seen: count('Number of messages and results received so far'),
      entries: z
        .array(
          z.strictObject({
            path: text('Path of the file; absent for the daily note').optional(),
            heading: text('Entry heading; absent if there is none').optional(),
            content: body('Entries in Markdown format'),
          }),
        )
        .describe('Entries to write; empty if nothing needs to be kept, or if `error` is present'),
      model: z.string().nullable().describe('Model that was called; `null` if no model answered'),
      usage: Usage.describe("Usage for the model's answer"),
      error: RunError.optional().describe('Error that prevented the model call; the run continues'),
      refused: z
        .literal(true)
        .optional()
        .describe('Whether the provider rejected the conversation as too long'),
    })
    .describe('The model listed what to keep before the conversation was summarized'),
  'memory.flushed': z
    .strictObject({
      step: runStep('Index of the current step'),
      written: z
        .array(
          z.strictObject({
            path: path(),
            added: count('Number of entries that were added'),
            duplicates: count('Number of entries that already existed'),
          }),
        )
        .describe('Files that were written'),
      errors: z
        .array(RunError)
        .optional()
        .describe(
          'Errors for entries that could not be written; they are retried at the next memory ' +
            'flush. Absent if there are none',
        ),
      unwritten: z
        .array(count('Position, from 0'))
        .optional()
        .describe(
          'Positions of the entries that storage rejected; they are written at the next step, ' +
            'or before the run completes. Absent if there are none',
        ),
    })
    .describe('The listed entries were written to memory'),
} as const
