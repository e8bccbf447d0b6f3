/**
 * Settings of calls to a model: of a run, an agent's file or an alias. The nearest one that says
 * something counts, member by member; what a provider does not take is a warning of the run.
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
    error: `must have at most ${LIMITS.provider_options_length} characters as JSON`,
  })

/** The same for a run, an agent's file and an alias. */
export const SETTING_SHAPE = {
  temperature: z.number().min(0).max(2).optional().describe('Randomness; 0: the least'),
  top_p: z.number().min(0).max(1).optional().describe('Share of likely tokens that count'),
  max_output_tokens: z.int().min(1).max(MOST_TOKENS).optional().describe('Longest answer'),
  reasoning_effort: z.enum(EFFORTS).optional().describe('How hard the model thinks'),
  thinking_budget: z
    .int()
    .min(0)
    .max(MOST_TOKENS)
    .optional()
    .describe('Tokens that the model may think, where its provider counts them'),
  stop: z
    .array(z.string().min(1).max(STOP_LENGTH))
    .min(1)
    .max(STOPS)
    .optional()
    .describe('Texts that end an answer'),
  seed: z.int().min(0).max(2_147_483_647).optional().describe('For answers that repeat'),
  parallel_tool_calls: z.boolean().optional().describe('False: at most one tool call in an answer'),
  provider_options: ProviderOptions.optional().describe(
    "By provider kind (`openai`, `anthropic`, …), options as the AI SDK's package of it names them",
  ),
}

export const SettingsSchema = z.strictObject(SETTING_SHAPE)

export type ModelSettings = Readonly<z.output<typeof SettingsSchema>>

/** Members of the nearer ones count before those of the farther. Undefined: nothing is said. */
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
