/**
 * Schemas of models: their settings, their known properties, and the model of a fallback chain that
 * answered.
 */

import * as z from 'zod'
import { SETTING_SHAPE } from '../../../core/model-settings.ts'
import { Warning, warnings } from './common.ts'
import { price } from './event-parts.ts'
import { count, countOrNull, kindIs, text, textOrNull } from './words.ts'

export const ModelSettings = z.strictObject(SETTING_SHAPE).meta({
  id: 'ModelSettings',
  description: "Model call settings; omitted settings use the provider's defaults",
  examples: [{ temperature: 0, max_output_tokens: 4_096, reasoning_effort: 'low' }],
})

/** Members of `run.started` events that describe the run's models. */
export const startedModels = {
  fallbacks: z
    .array(
      z.strictObject({
        model: text('`provider/model`'),
        window: count("The model's context window, in tokens"),
        price: price(),
      }),
    )
    .optional()
    .describe("The alias's models to try, in order, when the run's own model does not respond"),
}

/** Members of `assistant.message` events that name the model that answered. */
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
            'Reason for the failure: `too_long` if the conversation exceeds the context window. ' +
              'For the last three codes, the provider rejected the key, the account, or the ' +
              'model name',
          ),
        message: text('Human-readable explanation'),
      }),
    )
    .optional()
    .describe('Models in the chain that were tried earlier and did not respond'),
  warnings: warnings(
    Warning,
    'Settings that the provider does not support, or supports differently',
  ),
}

const facts = '`null` if unknown'

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
    id: text('ID of the model: `provider/model`, as in runs, or `agent/<name>` for an agent'),
    object: kindIs('model'),
    created: count(
      "Time at which the model's facts were collected, in seconds since the Unix epoch " +
        '(1970); 0 if unknown',
    ),
    owned_by: text('Provider that owns the model'),
    provider: text('Name of the provider in this deployment'),
    kind: text(
      "The provider's protocol, such as `anthropic` or `openai-compatible`; `agent` for " +
        'agents',
    ),
    window: countOrNull(
      `Context window in tokens; ${facts}, in which case runs assume a conservative value`,
    ),
    max_output: countOrNull(`Maximum response length in tokens; ${facts}`),
    input: z
      .array(z.enum(['text', 'image', 'pdf', 'audio']))
      .nullable()
      .describe(`Content types that messages can include; ${facts}`),
    price: price()
      .unwrap()
      .nullable()
      .describe(
        `List price in US dollars; ${facts}. The cost of runs is computed from the policy's ` +
          'prices',
      ),
    long: z
      .strictObject({
        above: count('Number of input tokens above which requests cost more'),
        price: price().unwrap().describe('Price of a request above the threshold'),
      })
      .nullable()
      .describe('Prices for long requests; `null` if none are known'),
    source: textOrNull("Source of these facts; `null` for the deployment's configuration"),
    read: textOrNull('Date of the facts; `null` if `source` is `null`'),
  })
  .meta({ id: 'Model', description: 'A model that runs can name', examples: [MODEL_EXAMPLE] })

const Alias = z.strictObject({
  alias: text('Name of the alias'),
  models: z
    .array(z.string())
    .describe(
      "The alias's models; each one is tried when the previous one does not respond. Empty " +
        'if none of the models is configured',
    ),
  settings: ModelSettings.nullable().describe(
    'Settings for model calls with this alias; `null` if there are none',
  ),
  from: z
    .enum(['tenant', 'deployment'])
    .describe("Origin of the alias: the tenant's policy or the deployment"),
})

export const Models = z
  .strictObject({
    object: kindIs('list'),
    default: textOrNull(
      'Model for runs that do not name one; `null` if every run must name a model',
    ),
    data: z
      .array(Model)
      .describe('Models known to the deployment, ordered by ID, followed by agents'),
    aliases: z.array(Alias).describe('Aliases, ordered by name'),
    warnings: z
      .array(z.string())
      .describe('Providers whose package is not installed, each with the installation command'),
  })
  .meta({
    id: 'Models',
    description: 'Models and aliases in this deployment; providers can offer further models',
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
