/** Parts of the data of several events. */

import * as z from 'zod'
import { LIMITS } from '../../../core/limits.ts'
import { RunError, Usage, Warning, warnings } from './common.ts'
import { ShownMedia } from './content.ts'
import {
  agentName,
  count,
  countOrNull,
  idOf,
  labelOrNull,
  sha256Of,
  stopReasons,
  text,
} from './words.ts'

const BODY =
  'A large text has its digest, size, and beginning here; get the complete text with ' +
  '`GET /v1/runs/{id}/texts/{digest}`'
const bodyUnion = z
  .union([
    z.string(),
    z.strictObject({
      digest: sha256Of('the text'),
      bytes: count('Size in UTF-8 bytes'),
      preview: text('The beginning of the text'),
      media: z
        .array(ShownMedia)
        .optional()
        .describe('Pictures, sounds, and files that it names, in order; absent: none'),
    }),
  ])
  .meta({ id: 'LoggedText', description: 'A text of a log, or its beginning' })
/** A text of a log. */
export const body = (words: string) => bodyUnion.describe(`${words}. ${BODY}`)
export const bodyOrNull = (words: string, none: string) =>
  bodyUnion.nullable().describe(`${words}. ${BODY}. Null: ${none}`)

/** How the model gets the schema of its answer. */
export const StructuredOutput = z
  .strictObject({
    native: z
      .boolean()
      .describe('Native support of the provider; otherwise the schema is in the prompt'),
    only: z
      .literal('without_tools')
      .optional()
      .describe('In calls that offer tools, the schema is in the prompt anyway'),
    reason: z.string().optional().describe('Why not natively, or not always'),
  })
  .meta({
    id: 'StructuredOutput',
    description: 'How the model gets the schema of its answer',
  })

export const Allotment = z
  .strictObject({
    max_tokens: countOrNull('Input and output tokens; null: unlimited'),
    max_model_calls: countOrNull('Model calls; null: unlimited'),
    max_cost_usd: z
      .number()
      .nullable()
      .optional()
      .describe('US dollars according to the prices; null or absent: unlimited'),
  })
  .meta({ id: 'Allotment', description: 'A budget, or a share of one' })
const Amount = z
  .strictObject({
    limit: z.number().min(0).describe('Limit, including everything below it'),
    spent: z.number().min(0).describe('Own usage, and that of descendants that have ended'),
    reserved: z.number().min(0).describe('Shares of active descendants'),
    left: z.number().min(0).describe('Remaining; 0 also when the last call exceeded the limit'),
  })
  .meta({ id: 'BudgetAmount', description: 'One limit of a budget' })
const BudgetShown = z
  .strictObject({
    max_tokens: Amount.optional(),
    max_model_calls: Amount.optional(),
    max_cost_usd: Amount.optional(),
    ended_by: z
      .enum(['max_tokens', 'max_model_calls', 'max_cost_usd'])
      .optional()
      .describe('The limit that ended the run; absent: the budget did not end it'),
  })
  .meta({
    id: 'BudgetState',
    description: 'The current state of a budget; absent members: no limit',
  })
export const budget = () => BudgetShown.optional().describe('Absent: no budget')
export const allotment = () =>
  Allotment.optional().describe('The share of the budget that it was given; absent: none')
export const tokensPerByte = () =>
  z.number().optional().describe('Measured tokens per byte of a prompt; only with a budget')
export const heldBudget = () =>
  Allotment.optional().describe(
    'Budget that descendants which are still running can spend after its end',
  )

/** Files that a run hands over, as others see them. */
export const attached = () => ({
  attachments: z
    .array(z.string())
    .optional()
    .describe(`Keys of files attached to the output, at most ${LIMITS.announce_attachments}`),
  attachments_left_out: z
    .int()
    .optional()
    .describe('Number of further keys, which only its run lists'),
})

export const ends = () =>
  z.enum(['completed', 'failed', 'cancelled', 'timed_out']).describe('Final status')
export const schemaError = () =>
  z.string().optional().describe('Why the answer does not conform to the schema; absent: it does')

export const Announce = z
  .strictObject({
    run_id: idOf('run', 'The subagent'),
    agent: agentName(),
    label: labelOrNull(),
    task: text('The first 200 characters of its task'),
    status: ends(),
    stop_reason: z
      .string()
      .optional()
      .describe(`\`completed\` does not imply success. ${stopReasons}`),
    never_started: z.literal(true).optional().describe('It was cancelled before it started'),
    steps: count('Number of answers of its model'),
    result: bodyOrNull('Its last answer', 'it did not complete'),
    partial: body('Its last text, when it ended early').optional(),
    error: RunError.nullable().describe('Why it did not complete; null: nothing went wrong'),
    structured: z
      .unknown()
      .describe('The answer as data; null: none was requested, none conforms, or its run has it'),
    schema_error: schemaError(),
    duration_ms: z.number().describe('Duration in milliseconds'),
    usage: Usage.describe('Usage, including everything below it that has ended'),
    held: heldBudget(),
    warnings: warnings(Warning, 'Problems that affected it'),
    ...attached(),
    tokens_per_byte: tokensPerByte(),
    truncated: z.boolean().describe('Whether its run has more than is included here'),
  })
  .meta({
    id: 'Announce',
    description: 'Result of a subagent, as reported to its parent',
  })

const PARTS = ['text', 'reasoning', 'call'] as const
export const Part = z.looseObject({
  type: z
    .enum(PARTS)
    .describe('`text` and `reasoning` have `text`; `call` has `id`, `tool`, and `arguments`'),
})

const perMillion = (of: string) => z.number().describe(`Price of one million ${of}`)
const LIKE_ANY = 'absent: same as input'
/** The price of a run's model. */
export const price = () =>
  z
    .strictObject({
      input_per_million: perMillion('input tokens'),
      output_per_million: perMillion('output tokens'),
      cache_read_per_million: perMillion(
        `input tokens read from the provider's cache; ${LIKE_ANY}`,
      ).optional(),
      cache_write_per_million: perMillion(
        `input tokens written to the provider's cache; ${LIKE_ANY}`,
      ).optional(),
    })
    .optional()
    .describe('Price of the model in the policy; absent: none is known')
