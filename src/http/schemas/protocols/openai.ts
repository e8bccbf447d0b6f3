/** Responses as OpenAI's clients read them. */

import * as z from 'zod'
import { DELETED_RESPONSES, INPUT_ITEMS, RESPONSE_EVENTS, RESPONSES } from '../shared/examples.ts'
import { count, countOrNull, kindIs, metadata, text, textOrNull } from '../shared/words.ts'

const Item = z
  .looseObject({
    id: text('ID of the item'),
    type: text(
      '`message`; `function_call`: a call for you to perform; `mcp_call`: a call that the ' +
        'agent made. In input also `function_call_output`',
    ),
  })
  .meta({ id: 'ResponseItem', description: 'An item of a response, as OpenAI defines it' })

const RESPONSE_ID =
  '`resp_` and the rest of the run ID, plus `_1`, `_2` … where the run has continued'

export const Response = z
  .looseObject({
    id: text(RESPONSE_ID),
    object: kindIs('response'),
    created_at: count('Seconds since 1970'),
    completed_at: countOrNull('Seconds since 1970; null: it has not ended'),
    status: z
      .enum(['queued', 'in_progress', 'completed', 'incomplete', 'failed', 'cancelled'])
      .describe('`completed`: also when it waits for your functions or your answer'),
    model: text('As requested, or `agent/<name>`'),
    output: z.array(Item).describe('Output items in order'),
    error: z
      .looseObject({ code: text('Stable code of the finding'), message: text('For people') })
      .nullable()
      .describe('Why it failed; null: it did not'),
    incomplete_details: z
      .looseObject({
        reason: text(
          '`max_output_tokens`, `content_filter`, or one of Strata: `max_steps`, `budget`',
        ),
      })
      .nullable()
      .describe('Why it is incomplete; null: it is not'),
    previous_response_id: textOrNull(
      'As requested; on later reads only where the same run continued. Null: unknown',
    ),
    conversation: z
      .looseObject({ id: text('The session') })
      .describe('Pass it as `conversation` to continue'),
    background: z.boolean().nullable().describe('As requested; null on later reads'),
    metadata: metadata('this run'),
    usage: z
      .looseObject({
        input_tokens: count('Tokens sent to models'),
        output_tokens: count('Tokens written by models'),
        total_tokens: count('Sum of both'),
      })
      .nullable()
      .describe('Usage of all its model calls; null: it has not ended'),
    strata: z
      .looseObject({
        run_id: text('ID of the run, for `GET /v1/runs/{id}`'),
        session_id: text('Its session'),
        status: text('Status of the run'),
        waiting_on: textOrNull('What the run waits for; null: it does not'),
        stop_reason: textOrNull('Why it ended; null: it has not'),
        model: textOrNull('Model of the run; null: it has not started'),
      })
      .describe('The run behind it, in its state at the end of this response'),
  })
  .meta({
    id: 'Response',
    description: "A part of a run as a response of OpenAI's API; has further members of that API",
    examples: RESPONSES,
  })

export const ResponseEvent = z
  .looseObject({
    type: text('Type of the event, such as `response.output_text.delta`'),
    sequence_number: count(
      'Increases; derived from the log of the run, so it is the same in every stream',
    ),
  })
  .meta({
    id: 'ResponseEvent',
    description: 'An event of a response, as OpenAI defines it',
    examples: RESPONSE_EVENTS,
  })

export const ResponseDeleted = z
  .strictObject({
    id: text(RESPONSE_ID),
    object: kindIs('response.deleted'),
    deleted: z.literal(true).describe('Its run was deleted'),
  })
  .meta({ description: 'A run was deleted', examples: DELETED_RESPONSES })

export const InputItems = z
  .strictObject({
    object: kindIs('list'),
    data: z.array(Item).describe('Items of this page'),
    first_id: textOrNull('ID of the first item; null: none'),
    last_id: textOrNull('ID of the last item; null: none'),
    has_more: z.boolean().describe('Whether another page follows; use `after`'),
  })
  .meta({ description: 'Input items of a response', examples: INPUT_ITEMS })

const flag = z.enum(['true', 'false']).optional()

export const RetrieveQuery = z.strictObject({
  stream: flag.describe('`true`: stream its events, from the first one or after `starting_after`'),
  starting_after: z.coerce
    .number()
    .int()
    .min(0)
    .optional()
    .describe('The `sequence_number` of the last event that you have'),
  include_obfuscation: flag.describe('Accepted without effect'),
})
export const ItemsQuery = z.strictObject({
  limit: z.coerce.number().int().min(1).max(100).default(20).describe('Items per page'),
  order: z.enum(['asc', 'desc']).default('desc').describe('Oldest or newest first'),
  after: z.string().optional().describe('ID of the last item that you have'),
})
