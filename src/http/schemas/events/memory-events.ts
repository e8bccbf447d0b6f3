/** Events of a run about its memory, and about its conversation that becomes shorter. */

import * as z from 'zod'
import { RunError, Usage } from '../shared/common.ts'
import { body } from '../shared/event-parts.ts'
import { count, etag, runStep, text } from '../shared/words.ts'

const path = () => text('The file, as `/v1/memory/{path}` takes it')

export const startMemory = () =>
  z
    .strictObject({
      text: body('The notes as the model is shown them'),
      files: z
        .array(
          z.strictObject({
            path: path(),
            etag: etag('the file as it was read'),
            bytes: count('Bytes of it that are shown'),
            cut: z.literal(true).optional().describe('The rest did not fit'),
          }),
        )
        .describe('Where they stand'),
    })
    .optional()
    .describe('Notes of its memory that the run begins with; absent: none')

export const MEMORY_DATA = {
  'transcript.compacted': z
    .strictObject({
      step: runStep('The step that is due'),
      seen: count('Number of messages and results received so far'),
      kept_from: runStep('The first step that the model is still shown as it was'),
      summary: body('Summary that replaces everything before `kept_from`'),
      model: z
        .string()
        .nullable()
        .describe('Model that wrote the summary; null: an excerpt, since no model could'),
      usage: Usage.describe('Usage of the summary'),
    })
    .describe("The conversation had become too long for the model's window"),
  'memory.noted': z
    .strictObject({
      step: runStep('The step that is due'),
      seen: count('Number of messages and results received so far'),
      entries: z
        .array(
          z.strictObject({
            path: text('The file; absent: the note of the day').optional(),
            heading: text('The heading; absent: none').optional(),
            content: body('The entries, as Markdown'),
          }),
        )
        .describe('What is to be written; empty: nothing must last, or see `error`'),
      model: z.string().nullable().describe('The model that was asked; null: none has answered'),
      usage: Usage.describe('Usage of its answer'),
      error: RunError.optional().describe('Why nothing could be asked; the run goes on'),
      refused: z
        .literal(true)
        .optional()
        .describe('The provider had refused the conversation as too long'),
    })
    .describe('Before the conversation is shortened the model has said what must last'),
  'memory.flushed': z
    .strictObject({
      step: runStep('The step that is due'),
      written: z
        .array(
          z.strictObject({
            path: path(),
            added: count('Entries that were added'),
            duplicates: count('Entries that were there already'),
          }),
        )
        .describe('What was written'),
      errors: z
        .array(RunError)
        .optional()
        .describe(
          'What could not be written: it is asked for again the next time; absent: nothing',
        ),
      unwritten: z
        .array(count('A place, from 0'))
        .optional()
        .describe(
          'Places, among the entries that were due, of those that storage did not take: they are ' +
            'written at the next step, or before the run completes; absent: none',
        ),
    })
    .describe('What must last is written down'),
} as const
