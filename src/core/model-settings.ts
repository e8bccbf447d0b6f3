/**
 * Settings of model calls, defined by a run, an agent file, or an alias. For each member, the most
 * specific setting applies. A setting that a provider does not support causes a warning in the run.
 */

import * as z from 'zod'
import { LIMITS } from './limits.ts'

const EFFORTS = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'] as const
const STOPS = 16
const STOP_LENGTH = 200
const MOST_TOKENS = 1_000_000

const ProviderOptions = z
  .record(z.string().max(64), z.record(z.string().max(64), z.unknown()))
  .refine((options) => JSON.stringify(options).length <= LIMITS.provider_options_length, {
    error: `must have at most ${LIMITS.provider_options_length} characters when encoded as JSON`,
  })

/** Schema of model settings, shared by runs, agent files, and aliases. */
export const SETTING_SHAPE = {
  temperature: z
    .number()
    .min(0)
    .max(2)
    .optional()
    .describe('Randomness of the response; 0 is the lowest'),
  top_p: z
    .number()
    .min(0)
    .max(1)
    .optional()
    .describe('Nucleus sampling: cumulative probability of the tokens considered'),
  max_output_tokens: z
    .int()
    .min(1)
    .max(MOST_TOKENS)
    .optional()
    .describe('Maximum response length in tokens'),
  reasoning_effort: z.enum(EFFORTS).optional().describe("The model's reasoning effort"),
  thinking_budget: z
    .int()
    .min(0)
    .max(MOST_TOKENS)
    .optional()
    .describe('Maximum number of reasoning tokens, for providers that support a budget'),
  stop: z
    .array(z.string().min(1).max(STOP_LENGTH))
    .min(1)
    .max(STOPS)
    .optional()
    .describe('Sequences that end the response'),
  seed: z.int().min(0).max(2_147_483_647).optional().describe('Seed for reproducible responses'),
  parallel_tool_calls: z
    .boolean()
    .optional()
    .describe('Whether a response can contain several tool calls'),
  provider_options: ProviderOptions.optional().describe(
    'Map from provider kind (`openai`, `anthropic`, …) to options, named as in the AI ' +
      "SDK's provider package",
  ),
}

export const SettingsSchema = z.strictObject(SETTING_SHAPE)

export type ModelSettings = Readonly<z.output<typeof SettingsSchema>>

/**
 * Merges model settings member by member; more specific settings take precedence. Returns undefined
 * if no member is set.
 */
export function settingsOf(
  ...nearestFirst: readonly (ModelSettings | undefined)[]
): ModelSettings | undefined {
  const merged: Record<string, unknown> = {}
  for (const settings of nearestFirst.toReversed()) {
    for (const [name, value] of Object.entries(settings ?? {})) {
      if (value !== undefined) merged[name] = value
    }
  }
  return Object.keys(merged).length === 0 ? undefined : (merged as ModelSettings)
}
