/**
 * Settings of a call as each provider takes them. What a provider cannot do is a sentence for the
 * run's warnings; nothing of it is sent, and nothing is dropped in silence.
 */

import type { ModelSettings } from '../../core/model-settings.ts'
import type { ProviderKind } from './providers.ts'
import type { CallOptions, ProviderOptions, StreamPart } from './types.ts'

/** Namespace of each package's own options. */
const NAMES: Readonly<Record<ProviderKind, string>> = {
  openai: 'openai',
  azure: 'azure',
  anthropic: 'anthropic',
  google: 'google',
  vertex: 'googleVertex',
  'amazon-bedrock': 'amazonBedrock',
  'workers-ai': 'openaiCompatible',
  'openai-compatible': 'openaiCompatible',
}

export interface SettingOptions {
  readonly options: Partial<CallOptions>
  readonly provider: ProviderOptions
  readonly warnings: readonly string[]
}

const NO_OPTIONS: SettingOptions = { options: {}, provider: {}, warnings: [] }

/** `called`: the provider's name, by which an OpenAI-compatible package passes members on. */
export function settingOptions(
  settings: ModelSettings | undefined,
  kind: ProviderKind,
  providerName: string,
): SettingOptions {
  if (settings === undefined) return NO_OPTIONS
  const { temperature, top_p, max_output_tokens, reasoning_effort, stop, seed } = settings
  const options: Partial<CallOptions> = {
    ...(temperature === undefined ? {} : { temperature }),
    ...(top_p === undefined ? {} : { topP: top_p }),
    ...(max_output_tokens === undefined ? {} : { maxOutputTokens: max_output_tokens }),
    ...(reasoning_effort === undefined ? {} : { reasoning: reasoning_effort }),
    ...(stop === undefined ? {} : { stopSequences: [...stop] }),
    ...(seed === undefined ? {} : { seed }),
  }
  const optionsName = NAMES[kind]
  const thought = thinking(settings, kind)
  const parallel = parallelCalls(settings, kind)
  const callerOptions = settings.provider_options?.[kind] ?? {}
  const members = { ...thought.members, ...parallel.members, ...callerOptions }
  // Members that the package does not know are passed on by the provider's own name.
  const open = optionsName === 'openaiCompatible' ? { [providerName]: members } : {}
  const provider = Object.keys(members).length === 0 ? {} : { [optionsName]: members, ...open }
  const warnings = [...thought.warnings, ...parallel.warnings]
  return { options, provider: provider as ProviderOptions, warnings }
}

interface Part {
  readonly members: Readonly<Record<string, unknown>>
  readonly warnings: readonly string[]
}
const NONE: Part = { members: {}, warnings: [] }
const members = (values: Readonly<Record<string, unknown>>): Part => ({ ...NONE, members: values })
const unsupported = (setting: string, kind: ProviderKind): Part => ({
  ...NONE,
  warnings: [`${kind} does not support ${setting}: it was not sent`],
})

function thinking({ thinking_budget: budget }: ModelSettings, kind: ProviderKind): Part {
  if (budget === undefined) return NONE
  const on = { type: 'enabled', budgetTokens: budget }
  switch (kind) {
    case 'anthropic':
      return members({ thinking: budget === 0 ? { type: 'disabled' } : on })
    case 'amazon-bedrock':
      return members({ reasoningConfig: budget === 0 ? { type: 'disabled' } : on })
    case 'google':
    case 'vertex':
      return members({ thinkingConfig: { thinkingBudget: budget } })
    default:
      return unsupported('thinking_budget', kind)
  }
}

function parallelCalls({ parallel_tool_calls: may }: ModelSettings, kind: ProviderKind): Part {
  if (may === undefined) return NONE
  switch (kind) {
    case 'openai':
    case 'azure':
      return members({ parallelToolCalls: may })
    case 'anthropic':
      return members({ disableParallelToolUse: !may })
    case 'workers-ai':
    case 'openai-compatible':
      return members({ parallel_tool_calls: may })
    default:
      // They do so by default.
      return may ? NONE : unsupported('parallel_tool_calls', kind)
  }
}

type Warned = Extract<StreamPart, { type: 'stream-start' }>['warnings'][number]

/** A package's word on a setting that it does not pass on, or changes. */
export function warningText(warning: Warned): string {
  switch (warning.type) {
    case 'unsupported':
      return explain(`does not support ${warning.feature}`, warning.details)
    case 'compatibility':
      return explain(`supports ${warning.feature} with differences`, warning.details)
    case 'deprecated':
      return explain(`has deprecated ${warning.setting}`, warning.message)
    case 'other':
      return warning.message
  }
}

const explain = (subject: string, reason: string | undefined): string =>
  reason ? `${subject}: ${reason}` : subject
