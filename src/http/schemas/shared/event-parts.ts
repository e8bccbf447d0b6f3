/** Schemas that several events share in their data. */

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
  'Large text is replaced by a digest, size, and preview; retrieve the complete text ' +
  'with `GET /v1/runs/{id}/texts/{digest}`'
const bodyUnion = z
  .union([
    z.string(),
    z.strictObject({
      digest: sha256Of('the text'),
      bytes: count('Size in UTF-8 bytes'),
      preview: text('Beginning of the text'),
      media: z
        .array(ShownMedia)
        .optional()
        .describe(
          'Images, audio clips, and files that the text references, in order; absent if there ' +
            'are none',
        ),
    }),
  ])
  .meta({
    id: 'LoggedText',
    description: 'Logged text, or only its beginning if the text is large',
  })
/** Creates the schema of a text in an event log. */
export const body = (words: string) => bodyUnion.describe(`${words}. ${BODY}`)
export const bodyOrNull = (words: string, none: string) =>
  bodyUnion.nullable().describe(`${words}. ${BODY}. \`null\` if ${none}`)

/** Schema of how the model receives the output schema for its answer. */
export const StructuredOutput = z
  .strictObject({
    native: z
      .boolean()
      .describe(
        'Whether the provider supports output schemas natively; if not, the schema is added ' +
          'to the prompt',
      ),
    only: z
      .literal('without_tools')
      .optional()
      .describe(
        'Exception to native support: the schema is added to the prompt in calls that offer ' +
          'tools',
      ),
    reason: z.string().optional().describe('Reason why native support is unavailable or limited'),
  })
  .meta({
    id: 'StructuredOutput',
    description: 'Method by which the model receives the response schema',
  })

export const Allotment = z
  .strictObject({
    max_tokens: countOrNull('Maximum number of input and output tokens; `null` if unlimited'),
    max_model_calls: countOrNull('Maximum number of model calls; `null` if unlimited'),
    max_cost_usd: z
      .number()
      .nullable()
      .optional()
      .describe(
        'Maximum cost in US dollars based on the configured prices; `null` or absent if ' +
          'unlimited',
      ),
  })
  .meta({ id: 'Allotment', description: 'A budget, or a share of a budget' })
const Amount = z
  .strictObject({
    limit: z.number().min(0).describe('Limit on the usage, including all descendants'),
    spent: z.number().min(0).describe('Usage for the run and for descendants that have ended'),
    reserved: z.number().min(0).describe('Amount reserved for active descendants'),
    left: z
      .number()
      .min(0)
      .describe('Remaining amount; also 0 if the last call exceeded the limit'),
  })
  .meta({ id: 'BudgetAmount', description: 'A single budget limit' })
const BudgetShown = z
  .strictObject({
    max_tokens: Amount.optional(),
    max_model_calls: Amount.optional(),
    max_cost_usd: Amount.optional(),
    ended_by: z
      .enum(['max_tokens', 'max_model_calls', 'max_cost_usd'])
      .optional()
      .describe('Limit that ended the run; absent if the run did not end because of the budget'),
  })
  .meta({
    id: 'BudgetState',
    description: 'Current state of a budget; a member is absent if there is no such limit',
  })
export const budget = () =>
  BudgetShown.optional().describe("State of the run's budget; absent if the run has no budget")
export const allotment = () =>
  Allotment.optional().describe('Budget allotted to the run; absent if there is none')
export const tokensPerByte = () =>
  z
    .number()
    .optional()
    .describe('Measured number of tokens per byte of a prompt; present only if there is a budget')
export const heldBudget = () =>
  Allotment.optional().describe(
    'Budget that descendants still running can spend after the run ends',
  )

/** Creates the schema of a run's attachments, as shown to other runs and to users. */
export const attached = () => ({
  attachments: z
    .array(z.string())
    .optional()
    .describe(`Keys of files attached to the output, at most ${LIMITS.announce_attachments}`),
  attachments_left_out: z
    .int()
    .optional()
    .describe('Number of additional keys, which are listed only in the run'),
})

export const ends = () =>
  z.enum(['completed', 'failed', 'cancelled', 'timed_out']).describe('Final status')
export const schemaError = () =>
  z
    .string()
    .optional()
    .describe(
      'Reason why the response does not conform to the schema; absent if the response ' +
        'conforms',
    )

export const Announce = z
  .strictObject({
    run_id: idOf('run', 'ID of the subagent'),
    agent: agentName(),
    label: labelOrNull(),
    task: text('The first 200 characters of the task'),
    status: ends(),
    stop_reason: z
      .string()
      .optional()
      .describe(`Reason why the run ended; \`completed\` does not imply success. ${stopReasons}`),
    never_started: z
      .literal(true)
      .optional()
      .describe('Whether the run was cancelled before starting'),
    steps: count('Number of model responses'),
    result: bodyOrNull("The run's last answer", 'the run did not complete'),
    partial: body("The run's last text, if the run ended early").optional(),
    error: RunError.nullable().describe(
      'Error that prevented completion; `null` if there was no error',
    ),
    structured: z
      .unknown()
      .describe(
        'Response as data; `null` if no schema was requested, no response conforms, or only ' +
          'the run contains the data',
      ),
    schema_error: schemaError(),
    duration_ms: z.number().describe('Duration in milliseconds'),
    usage: Usage.describe('Usage for the run and for descendants that have ended'),
    held: heldBudget(),
    warnings: warnings(Warning, 'Problems that affected the run'),
    ...attached(),
    tokens_per_byte: tokensPerByte(),
    truncated: z.boolean().describe('Whether the run contains more data than this result'),
  })
  .meta({
    id: 'Announce',
    description: "A subagent's result, as reported to the parent",
  })

const PARTS = ['text', 'reasoning', 'call'] as const
export const Part = z.looseObject({
  type: z
    .enum(PARTS)
    .describe(
      'Type of the part: `text` and `reasoning` have the member `text`; `call` has `id`, ' +
        '`tool`, and `arguments`',
    ),
})

const perMillion = (of: string) => z.number().describe(`Price of one million ${of}`)
const LIKE_ANY = 'absent if equal to the input price'
/** Creates the schema of the model prices that apply to a run. */
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
    .describe('Model price according to the policy; absent if no price is known')
