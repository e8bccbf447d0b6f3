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
    list_price: z.number().optional().describe("By the policy's prices"),
  })
  .meta({ id: 'Usage' })

export const RunError = z
  .strictObject({ code: z.string(), message: z.string() })
  .meta({ id: 'RunError' })

/** What an answer that cancels says of those below. */
export const cancelledChildren = () =>
  z
    .array(z.strictObject({ run_id: z.string(), status: z.string() }))
    .describe('Direct children and where they stand; `pending` ones end later')

export const webhookSecret = () =>
  z.string().optional().describe('Only in the 202, only when it was generated')

export const pageQuery = {
  limit: z.coerce.number().int().min(1).max(100).default(20).describe('At most 100'),
  cursor: z.string().optional().describe('From the page before'),
}
