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
    type: text('A URI that names the kind of problem; the code is its end'),
    title: text('The same sentence for every problem with this code'),
    status: count('The HTTP status of this answer'),
    detail: text('Explanation of this refusal for people; the wording may change'),
    instance: text('The path of the request'),
    code: z.enum(codes).describe('Stable; decide by this'),
    request_id: idOf('req', 'Names this request in our log; also in `X-Request-Id`'),
    errors: z
      .array(
        z.strictObject({
          pointer: text('JSON pointer (RFC 6901) into the request; empty: the whole of it'),
          message: text('The problem at that place'),
        }),
      )
      .optional()
      .describe('Each place of the request that is wrong; absent: no single place is'),
  })
  .meta({
    id: 'Problem',
    description: 'A refusal or a failure (RFC 9457). Some codes add members of their own',
    examples: PROBLEM_EXAMPLES,
  })

const lists = new Map<z.ZodType, z.ZodObject>()

/** A page of items, with those that the item has as examples: one shape for all routes. */
export function list(item: z.ZodType): z.ZodObject {
  const known = lists.get(item)
  if (known) return known
  const { id, examples: data = [] } = z.globalRegistry.get(item) ?? {}
  assert(id, 'the items of a list have an id')
  const made = z
    .strictObject({
      data: z.array(item).describe('The items of this page, in the order of the list'),
      next_cursor: textOrNull('Ask for the next page with it as `cursor`; null: there is none'),
      has_more: z.boolean().describe('Whether another page follows'),
    })
    .meta({
      id: `${id}List`,
      description: `A page of a list of \`${id}\``,
      examples: [{ data, next_cursor: null, has_more: false }],
    })
  lists.set(item, made)
  return made
}

export const Usage = z
  .strictObject({
    input_tokens: count('Tokens sent to models'),
    output_tokens: count('Tokens written by models'),
    model_calls: count('Number of model calls, including those whose answer was discarded'),
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
      .describe('Of the output: reasoning of the model; absent: none reported'),
    list_price: z
      .number()
      .optional()
      .describe('US dollars by the list of prices; absent: no price is known'),
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
    code: text('Stable; decide by this'),
    message: text('Explanation for people; the wording may change'),
  })
  .meta({ id: 'RunError', description: 'Why something did not complete' })

export const Warning = z
  .strictObject({
    code: text('Stable; decide by this'),
    message: text('Explanation for people; the wording may change'),
    hint: text('A suggested remedy').optional(),
  })
  .meta({ id: 'Warning', description: 'A problem that a run goes on with' })
export const TaskWarning = Warning.extend({
  tasks: z.array(z.int()).describe('The indices of the tasks that it concerns'),
}).meta({ id: 'TaskWarning', description: 'A problem that some tasks go on with' })

/** Absent where nothing is odd. */
export const warnings = <S extends z.ZodType>(item: S, description: string) =>
  z.array(item).optional().describe(`${description}; absent: none`)

/** A text that says something. */
export const said = () => z.string().regex(/\S/, 'a text that is not blank is needed')

/** Of requests that take no body: whoever sends one means something that would not happen. */
export const NoBody = z.strictObject({}).meta({ description: 'No members', examples: [{}] })

export const CancelInput = z
  .strictObject({
    reason: z
      .string()
      .max(500)
      .optional()
      .describe('Recorded in the event `cancel.requested` and in the audit'),
  })
  .meta({
    id: 'CancelInput',
    description: 'Why something is cancelled; the body may be left out',
    examples: [{ reason: 'The customer withdrew the ticket.' }],
  })

/** The part of a cancel's answer about those below. */
export const cancelledChildren = () =>
  z
    .array(
      z.strictObject({
        run_id: idOf('run', 'The child'),
        status: text('Its final status; `pending`: its end is on the way'),
      }),
    )
    .describe('Direct children with their status')

export const webhookSecret = () =>
  z
    .string()
    .optional()
    .describe("The webhook's secret: only in the 202, only when it was generated")

const WAIT_SECONDS = 60

export const waitQuery = {
  wait: z.coerce
    .number()
    .min(0)
    .max(WAIT_SECONDS)
    .default(0)
    .describe('Seconds to wait for the end; it answers as things stand when they are over'),
}

export const cursorQuery = () =>
  z
    .string()
    .optional()
    .describe('`next_cursor` of the page before, with the same filters; it lasts for 24 hours')

export const pageQuery = {
  limit: z.coerce
    .number()
    .int()
    .min(1)
    .max(LIMITS.page)
    .default(20)
    .describe('Maximum number of items in a page'),
  cursor: cursorQuery(),
}

/** Of the routes that delete a run or a fan-out. */
export const DELETING =
  'With everything below it: logs, transcripts, workspaces. Texts stored by digest stay, ' +
  'because others may share them; so do sessions, deliveries and the audit. 409 while it lives, ' +
  'and for what another run or a fan-out has started. A request that is repeated under the ' +
  'Idempotency-Key which made it is then answered with 410.'
