/** What the data of several events consists of. */

import * as z from 'zod'
import { RunError, Usage, Warning, warnings } from './common.ts'

export const Body = z
  .union([z.string(), z.strictObject({ digest: z.string(), bytes: z.int(), preview: z.string() })])
  .describe('A text; a large one by digest, size and beginning (the transcript has it in full)')

/** How the model is told of the schema of its answer. */
export const StructuredOutput = z
  .strictObject({
    native: z.boolean().describe("By the provider's own means; else the schema is in the prompt"),
    only: z
      .literal('without_tools')
      .optional()
      .describe('In calls that offer tools it is in the prompt all the same'),
    reason: z.string().optional().describe('Why not natively, or not always'),
  })
  .meta({ id: 'StructuredOutput' })

export const Allotment = z.strictObject({
  max_tokens: z.int().nullable(),
  max_model_calls: z.int().nullable(),
})

/** Files that a run hands over, where others are told of it. */
export const attached = () => ({
  attachments: z.array(z.string()).optional().describe('Keys of files that it hands over'),
  attachments_left_out: z.int().optional().describe('How many more its run names'),
})

export const Announce = z
  .strictObject({
    run_id: z.string(),
    agent: z.string(),
    label: z.string().nullable(),
    task: z.string(),
    status: z.enum(['completed', 'failed', 'cancelled', 'timed_out']),
    stop_reason: z
      .string()
      .optional()
      .describe('`completed` is no success by itself: budget, max_steps, max_tokens and refusal'),
    never_started: z.literal(true).optional().describe('It was cancelled before it had begun'),
    steps: z.int(),
    result: Body.nullable(),
    partial: Body.optional().describe('What it had said last when it ended before it was done'),
    error: RunError.nullable(),
    structured: z.unknown(),
    schema_error: z.string().optional(),
    duration_ms: z.number(),
    usage: Usage,
    held: Allotment.optional().describe('What those below it may still spend after its end'),
    warnings: warnings(Warning, 'What it had to do without'),
    ...attached(),
    truncated: z.boolean(),
  })
  .meta({ id: 'Announce' })

export const Part = z.looseObject({ type: z.enum(['text', 'reasoning', 'call']) })
