/** Shapes that many answers share: problems, lists, warnings, counts. */

import * as z from 'zod'
import { LIMITS } from '../../../core/limits.ts'
import { PROBLEMS } from '../../../core/problem.ts'
import { assert } from '../../../lib/assert.ts'
import { PROBLEM_EXAMPLES } from './examples.ts'
import { count, idOf, text, textOrNull } from './words.ts'

const codes = Object.keys(PROBLEMS) as [keyof typeof PROBLEMS, ...(keyof typeof PROBLEMS)[]]

export const Problem = z
  .looseObject({
    type: text('A URI of the problem type, which ends with the code'),
    title: text('The same for every problem with this code'),
    status: count('HTTP status of this response'),
    detail: text('Explanation of this refusal for people; the wording may change'),
    instance: text('Path of the request'),
    code: z.enum(codes).describe('Stable code of the finding'),
    request_id: idOf('req', 'ID of this request, also in our log and in `X-Request-Id`'),
    errors: z
      .array(
        z.strictObject({
          pointer: text('JSON pointer (RFC 6901) into the request; empty: the whole request'),
          message: text('The problem there'),
        }),
      )
      .optional()
      .describe('Every invalid part of the request; absent: no single part is invalid'),
  })
  .meta({
    id: 'Problem',
    description: 'A refusal or failure (RFC 9457). Some codes add members',
    examples: PROBLEM_EXAMPLES,
  })

const lists = new Map<z.ZodType, z.ZodObject>()

/** A page of items, with those that the item has as examples: one shape for all routes. */
export function list(item: z.ZodType): z.ZodObject {
  const cached = lists.get(item)
  if (cached) return cached
  const { id, examples: data = [] } = z.globalRegistry.get(item) ?? {}
  assert(id, 'the items of a list have an ID')
  const schema = z
    .strictObject({
      data: z.array(item).describe('The items of this page, in the order of the list'),
      next_cursor: textOrNull('Pass it as `cursor` to get the next page; null: none'),
      has_more: z.boolean().describe('Whether another page follows'),
    })
    .meta({
      id: `${id}List`,
      description: `A page of a list of \`${id}\``,
      examples: [{ data, next_cursor: null, has_more: false }],
    })
  lists.set(item, schema)
  return schema
}

export const Usage = z
  .strictObject({
    input_tokens: count('Tokens sent to models'),
    output_tokens: count('Tokens written by models'),
    model_calls: count('Number of model calls, including those with a discarded answer'),
    cache_read_tokens: z
      .int()
      .optional()
      .describe(
        "Part of the input: read from the provider's cache. A budget of tokens counts it like " +
          'other input; absent: none reported',
      ),
    cache_write_tokens: z
      .int()
      .optional()
      .describe("Part of the input: written to the provider's cache; absent: none reported"),
    reasoning_tokens: z
      .int()
      .optional()
      .describe('Part of the output: reasoning of the model; absent: none reported'),
    list_price: z
      .number()
      .optional()
      .describe('US dollars according to the prices; absent: no price is known'),
    estimated: z
      .literal(true)
      .optional()
      .describe(
        'Some counts are estimated from bytes, because a provider reported none or impossible ones',
      ),
  })
  .meta({ id: 'Usage', description: 'Tokens and model calls, as counted by the providers' })

export const RunError = z
  .strictObject({
    code: text('Stable code of the finding'),
    message: text('Explanation for people; the wording may change'),
  })
  .meta({ id: 'RunError', description: 'Why something did not complete' })

export const Warning = z
  .strictObject({
    code: text('Stable code of the finding'),
    message: text('Explanation for people; the wording may change'),
    hint: text('A suggested remedy').optional(),
  })
  .meta({ id: 'Warning', description: 'A problem that a run continues with' })
export const TaskWarning = Warning.extend({
  tasks: z.array(z.int()).describe('Indices of the affected tasks'),
}).meta({ id: 'TaskWarning', description: 'A problem that some tasks continue with' })

/** Absent where nothing is odd. */
export const warnings = <S extends z.ZodType>(item: S, description: string) =>
  z.array(item).optional().describe(`${description}; absent: none`)

/** A text that says something. */
export const nonBlank = () => z.string().regex(/\S/, 'a non-blank text is required')

/**
 * Bodies of requests that take none: a client that sends one expects an effect that would not
 * happen.
 */
export const NoBody = z.strictObject({}).meta({ description: 'No members', examples: [{}] })

export const CancelInput = z
  .strictObject({
    reason: z
      .string()
      .max(500)
      .optional()
      .describe('Recorded in the event `cancel.requested` and in the audit log'),
  })
  .meta({
    id: 'CancelInput',
    description: 'Reason for the cancellation; the body is optional',
    examples: [{ reason: 'The customer withdrew the ticket.' }],
  })

/** The part of a cancel's answer about those below. */
export const cancelledChildren = () =>
  z
    .array(
      z.strictObject({
        run_id: idOf('run', 'The child'),
        status: text('Its final status; `pending`: it is ending'),
      }),
    )
    .describe('Direct children with their status')

export const webhookSecret = () =>
  z
    .string()
    .optional()
    .describe('Secret of the webhook; only in the 202 response, and only when it was generated')

const WAIT_SECONDS = 60

export const waitQuery = {
  wait: z.coerce
    .number()
    .min(0)
    .max(WAIT_SECONDS)
    .default(0)
    .describe('Seconds to wait for the end; then the response has the current state'),
}

export const cursorQuery = () =>
  z
    .string()
    .optional()
    .describe('`next_cursor` of the previous page, with the same filters; valid for 24 hours')

export const pageQuery = {
  limit: z.coerce
    .number()
    .int()
    .min(1)
    .max(LIMITS.page)
    .default(20)
    .describe('Maximum number of items per page'),
  cursor: cursorQuery(),
}

/** Description of the routes that delete a run or a fan-out. */
export const DELETING =
  'Includes everything below it: logs, transcripts, and workspaces. Texts stored by ' +
  'digest are kept, because others may share them; so are sessions, deliveries, and the ' +
  'audit log. 409 while it is active, and for runs that another run or a fan-out ' +
  'started. Repeating the request that created it, with its Idempotency-Key, then ' +
  'returns 410.'
