/** Events of a run about its memory, and about its conversation that becomes shorter. */

import * as z from 'zod'
import { RunError, Usage } from '../shared/common.ts'
import { body } from '../shared/event-parts.ts'
import { count, etag, runStep, text } from '../shared/words.ts'

const path = () => text('Path of the file for `/v1/memory/{path}`')

export const startMemory = () =>
  z
    .strictObject({
      text: body('The notes as the model sees them'),
      files: z
        .array(
          z.strictObject({
            path: path(),
            etag: etag('the file as it was read'),
            bytes: count('Number of its bytes that are shown'),
            cut: z.literal(true).optional().describe('The rest did not fit'),
          }),
        )
        .describe('Their files'),
    })
    .optional()
    .describe('Notes of its memory that the run starts with; absent: none')

export const MEMORY_DATA = {
  'transcript.compacted': z
    .strictObject({
      step: runStep('The current step'),
      seen: count('Number of messages and results received so far'),
      kept_from: runStep('The first step that the model is still shown in full'),
      summary: body('Summary that replaces everything before `kept_from`'),
      model: z
        .string()
        .nullable()
        .describe('Model that wrote the summary; null: an excerpt, because no model could'),
      usage: Usage.describe('Usage of the summary'),
    })
    .describe("The conversation exceeded the model's window and was summarized"),
  'memory.noted': z
    .strictObject({
      step: runStep('The current step'),
      seen: count('Number of messages and results received so far'),
      entries: z
        .array(
          z.strictObject({
            path: text('The file; absent: the note of the day').optional(),
            heading: text('The heading; absent: none').optional(),
            content: body('The entries, as Markdown'),
          }),
        )
        .describe('Entries to write; empty: nothing needs to be kept, or see `error`'),
      model: z.string().nullable().describe('The model that was called; null: none has answered'),
      usage: Usage.describe('Usage of its answer'),
      error: RunError.optional().describe('Why no model could be called; the run continues'),
      refused: z
        .literal(true)
        .optional()
        .describe('The provider refused the conversation as too long'),
    })
    .describe('The model listed what to keep before the conversation is summarized'),
  'memory.flushed': z
    .strictObject({
      step: runStep('The current step'),
      written: z
        .array(
          z.strictObject({
            path: path(),
            added: count('Entries that were added'),
            duplicates: count('Entries that existed already'),
          }),
        )
        .describe('Files that were written'),
      errors: z
        .array(RunError)
        .optional()
        .describe(
          'Entries that could not be written; the model is asked again next time. Absent: none',
        ),
      unwritten: z
        .array(count('A place, from 0'))
        .optional()
        .describe(
          'Positions of the entries that storage did not accept; they are written at the next ' +
            'step, or before the run completes. Absent: none',
        ),
    })
    .describe('The listed entries were written to memory'),
} as const
