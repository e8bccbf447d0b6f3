/** Responses as OpenAI's clients read them. */

import * as z from 'zod'
import { DELETED_RESPONSES, INPUT_ITEMS, RESPONSE_EVENTS, RESPONSES } from '../shared/examples.ts'
import { count, countOrNull, kindIs, metadata, text, textOrNull } from '../shared/words.ts'

const Item = z
  .looseObject({
    id: text('Names the item'),
    type: text(
      '`message`, `function_call`: you perform it, `mcp_call`: the agent has. In input also ' +
        '`function_call_output`',
    ),
  })
  .meta({ id: 'ResponseItem', description: 'An item of a response, as OpenAI has it' })

const RESPONSE_ID =
  '`resp_` and the rest of the id of the run; `_1`, `_2` … where the run has gone on'

export const Response = z
  .looseObject({
    id: text(RESPONSE_ID),
    object: kindIs('response'),
    created_at: count('Seconds since 1970'),
    completed_at: countOrNull('Seconds since 1970; null: it has not ended'),
    status: z
      .enum(['queued', 'in_progress', 'completed', 'incomplete', 'failed', 'cancelled'])
      .describe('`completed`: also when it waits for your functions or your answer'),
    model: text('As asked, or `agent/<name>`'),
    output: z.array(Item).describe('What came of it, in order'),
    error: z
      .looseObject({ code: text('Stable; decide by this'), message: text('For people') })
      .nullable()
      .describe('Why it failed; null: it did not'),
    incomplete_details: z
      .looseObject({
        reason: text('`max_output_tokens`, `content_filter`; ours alone: `max_steps`, `budget`'),
      })
      .nullable()
      .describe('Why it is incomplete; null: it is not'),
    previous_response_id: textOrNull(
      'As asked; on later reads only where the same run went on; null: none is known',
    ),
    conversation: z
      .looseObject({ id: text('The session') })
      .describe('Name it as `conversation` to go on'),
    background: z.boolean().nullable().describe('As asked; null: on later reads nobody knows'),
    metadata: metadata('this run'),
    usage: z
      .looseObject({
        input_tokens: count('Tokens in'),
        output_tokens: count('Tokens out'),
        total_tokens: count('Both'),
      })
      .nullable()
      .describe('Of all calls of models in it; null: it has not ended'),
    strata: z
      .looseObject({
        run_id: text('The run, for `GET /v1/runs/{id}`'),
        session_id: text('Its session'),
        status: text('The status of the run'),
        waiting_on: textOrNull('What the run waits for; null: it does not'),
        stop_reason: textOrNull('Why it ended; null: it has not'),
        model: textOrNull('The model of the run; null: before its start'),
      })
      .describe('The run behind it, as it stood at the end of this response'),
  })
  .meta({
    id: 'Response',
    description: 'A stretch of a run in the words of OpenAI. It holds more members, as OpenAI does',
    examples: RESPONSES,
  })

export const ResponseEvent = z
  .looseObject({
    type: text('The type of the event, e.g. `response.output_text.delta`'),
    sequence_number: count(
      'Rises; it follows from the log of the run, so it is the same in every stream',
    ),
  })
  .meta({
    id: 'ResponseEvent',
    description: 'An event of a response, as OpenAI has it',
    examples: RESPONSE_EVENTS,
  })

export const ResponseDeleted = z
  .strictObject({
    id: text(RESPONSE_ID),
    object: kindIs('response.deleted'),
    deleted: z.literal(true).describe('Its run is gone'),
  })
  .meta({ description: 'A run was deleted', examples: DELETED_RESPONSES })

export const InputItems = z
  .strictObject({
    object: kindIs('list'),
    data: z.array(Item).describe('The items of this page'),
    first_id: textOrNull('The first of them; null: there is none'),
    last_id: textOrNull('The last of them; null: there is none'),
    has_more: z.boolean().describe('Whether another page follows, by `after`'),
  })
  .meta({ description: 'What a response answers', examples: INPUT_ITEMS })

const flag = z.enum(['true', 'false']).optional()

export const RetrieveQuery = z.strictObject({
  stream: flag.describe('`true`: its events, from the first or from `starting_after` on'),
  starting_after: z.coerce
    .number()
    .int()
    .min(0)
    .optional()
    .describe('The `sequence_number` of the last event that you have'),
  include_obfuscation: flag.describe('Taken and not used'),
})
export const ItemsQuery = z.strictObject({
  limit: z.coerce.number().int().min(1).max(100).default(20).describe('Items in a page'),
  order: z.enum(['asc', 'desc']).default('desc').describe('Oldest or newest first'),
  after: z.string().optional().describe('The id of the last item that you have'),
})
