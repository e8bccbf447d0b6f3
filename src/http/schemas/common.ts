/** Shapes that many answers share: problems, lists, times, counts. */

import * as z from 'zod'
import { PROBLEMS } from '../../core/problem.ts'

export const time = () => z.string().describe('RFC 3339, UTC')

const codes = Object.keys(PROBLEMS) as [keyof typeof PROBLEMS, ...(keyof typeof PROBLEMS)[]]

export const Problem = z
  .looseObject({
    type: z.string(),
    title: z.string(),
    status: z.int(),
    detail: z.string(),
    instance: z.string(),
    code: z.enum(codes).describe('Stable; decide by this'),
    request_id: z.string(),
    errors: z
      .array(z.strictObject({ pointer: z.string(), message: z.string() }))
      .optional()
      .describe('JSON pointers (RFC 6901) into the request'),
  })
  .meta({ id: 'Problem' })

export const list = <S extends z.ZodType>(item: S) =>
  z.strictObject({
    data: z.array(item),
    next_cursor: z.string().nullable(),
    has_more: z.boolean(),
  })

export const Usage = z
  .strictObject({
    input_tokens: z.int(),
    output_tokens: z.int(),
    model_calls: z.int(),
    cache_read_tokens: z
      .int()
      .optional()
      .describe(
        "Of the input: read from the provider's cache; a budget of tokens counts it like any " +
          'other; absent: none reported',
      ),
    cache_write_tokens: z
      .int()
      .optional()
      .describe("Of the input: written to the provider's cache; absent: none reported"),
    reasoning_tokens: z
      .int()
      .optional()
      .describe('Of the output: what the model thought; absent: none reported'),
    list_price: z.number().optional().describe("By the policy's prices"),
    estimated: z
      .literal(true)
      .optional()
      .describe(
        'In part from bytes or without its shares, because a provider reported nothing that ' +
          'could be true',
      ),
  })
  .meta({ id: 'Usage' })

export const RunError = z
  .strictObject({ code: z.string(), message: z.string() })
  .meta({ id: 'RunError' })

export const Warning = z
  .strictObject({
    code: z.string().describe('Stable; decide by this'),
    message: z.string(),
    hint: z.string().optional().describe('What to do about it'),
  })
  .meta({ id: 'Warning' })
export const TaskWarning = Warning.extend({
  tasks: z.array(z.int()).describe('Places in the list of tasks'),
}).meta({ id: 'TaskWarning' })

/** Absent where nothing is odd. */
export const warnings = <S extends z.ZodType>(item: S, description: string) =>
  z.array(item).optional().describe(`${description}; absent: nothing is odd`)

/** A text that says something. */
export const said = () => z.string().regex(/\S/, 'a text that is not blank is needed')

/** Of requests that take no body: whoever sends one means something that would not happen. */
export const NoBody = z.strictObject({})

export const CancelInput = z
  .strictObject({ reason: z.string().max(500).optional().describe('Stands in the event') })
  .meta({ id: 'CancelInput' })

/** What an answer that cancels says of those below. */
export const cancelledChildren = () =>
  z
    .array(z.strictObject({ run_id: z.string(), status: z.string() }))
    .describe('Direct children and where they stand; `pending` ones end later')

export const webhookSecret = () =>
  z.string().optional().describe('Only in the 202, only when it was generated')

const WAIT_SECONDS = 60

export const waitQuery = {
  wait: z.coerce
    .number()
    .min(0)
    .max(WAIT_SECONDS)
    .default(0)
    .describe('Seconds to wait for the end; it answers as things stand when they are over'),
}

export const pageQuery = {
  limit: z.coerce.number().int().min(1).max(100).default(20).describe('At most 100'),
  cursor: z.string().optional().describe('From the page before'),
}
