/** Models: their settings, what is known of them, and which of a chain has answered. */

import * as z from 'zod'
import { SETTING_SHAPE } from '../../../core/model-settings.ts'
import { Warning, warnings } from './common.ts'
import { price } from './event-parts.ts'
import { count, countOrNull, kindIs, text, textOrNull } from './words.ts'

export const ModelSettings = z.strictObject(SETTING_SHAPE).meta({
  id: 'ModelSettings',
  description: 'Settings of model calls; omitted settings have the defaults of the provider',
  examples: [{ temperature: 0, max_output_tokens: 4_096, reasoning_effort: 'low' }],
})

/** With `run.started`. */
export const startedModels = {
  fallbacks: z
    .array(
      z.strictObject({
        model: text('`provider/model`'),
        window: count('Its context window in tokens'),
        price: price(),
      }),
    )
    .optional()
    .describe("Models of the alias that are tried, in order, when the run's own does not answer"),
}

/** With `assistant.message`. */
export const answerModels = {
  tried: z
    .array(
      z.strictObject({
        model: text('`provider/model`'),
        code: z
          .enum([
            ...(['unavailable', 'rate_limited', 'too_long'] as const),
            ...(['unauthorized', 'payment_required', 'model_not_found'] as const),
          ])
          .describe(
            '`too_long`: the conversation exceeds its window. The last three: its provider ' +
              'refused the key, the account, or the name of the model',
          ),
        message: text('Explanation for people'),
      }),
    )
    .optional()
    .describe('Models of the chain that were tried before and did not answer'),
  warnings: warnings(
    Warning,
    'Settings that the provider does not support, or supports differently',
  ),
}

const facts = 'null: unknown'

const MODEL_EXAMPLE = {
  id: 'anthropic/claude-sonnet-5-5',
  object: 'model',
  created: 1_795_392_000,
  owned_by: 'anthropic',
  provider: 'anthropic',
  kind: 'anthropic',
  window: 1_000_000,
  max_output: 128_000,
  input: ['text', 'image', 'pdf'],
  price: {
    input_per_million: 2,
    output_per_million: 10,
    cache_read_per_million: 0.1,
    cache_write_per_million: 2.5,
  },
  long: null,
  source: 'https://platform.claude.com/docs/en/about-claude/pricing',
  read: '2026-11-23',
}

export const Model = z
  .strictObject({
    id: text('`provider/model`, as in runs; `agent/<name>`: an agent'),
    object: kindIs('model'),
    created: count('When its facts were collected, in seconds since 1970; 0: unknown'),
    owned_by: text('Its provider'),
    provider: text('Name of the provider in this deployment'),
    kind: text('Protocol of the provider, such as `anthropic` or `openai-compatible`; `agent`'),
    window: countOrNull(`Context window in tokens; ${facts}, and runs assume a conservative value`),
    max_output: countOrNull(`Longest answer in tokens; ${facts}`),
    input: z
      .array(z.enum(['text', 'image', 'pdf', 'audio']))
      .nullable()
      .describe(`Supported content of messages; ${facts}`),
    price: price()
      .unwrap()
      .nullable()
      .describe(
        `List price in US dollars; ${facts}. The cost of runs uses the prices of the policy`,
      ),
    long: z
      .strictObject({
        above: count('Threshold: requests with more input tokens cost more'),
        price: price().unwrap().describe('Price of such a request'),
      })
      .nullable()
      .describe('Higher prices of long requests; null: none are known'),
    source: textOrNull('Source of these facts; null: the configuration of the deployment'),
    read: textOrNull('Date of the facts; null: as `source`'),
  })
  .meta({ id: 'Model', description: 'A model that runs can name', examples: [MODEL_EXAMPLE] })

const Alias = z.strictObject({
  alias: text('Name of the alias'),
  models: z
    .array(z.string())
    .describe(
      'The first model answers; if it does not, the next one is tried. Empty: none of them ' +
        'is configured',
    ),
  settings: ModelSettings.nullable().describe(
    'Settings of model calls with this alias; null: none',
  ),
  from: z.enum(['tenant', 'deployment']).describe("Whether it is in the tenant's policy"),
})

export const Models = z
  .strictObject({
    object: kindIs('list'),
    default: textOrNull('The model of runs that name none; null: runs must name one'),
    data: z.array(Model).describe('By ID: models that the deployment knows, then agents'),
    aliases: z.array(Alias).describe('By name'),
    warnings: z
      .array(z.string())
      .describe('Providers whose package is not installed, each with the command that installs it'),
  })
  .meta({
    id: 'Models',
    description: 'Models and aliases of this deployment; providers can have more models',
    examples: [
      {
        object: 'list',
        default: 'anthropic/claude-sonnet-5-5',
        data: [MODEL_EXAMPLE],
        aliases: [
          {
            alias: 'sonnet',
            models: ['anthropic/claude-sonnet-5-5'],
            settings: null,
            from: 'deployment',
          },
        ],
        warnings: [],
      },
    ],
  })
