/**
 * Maps the settings of a model call to the options of each provider. An unsupported setting is not
 * sent and adds a warning to the run, so no setting is dropped silently.
 */

import type { ModelSettings } from '../../core/model-settings.ts'
import type { ProviderKind } from './providers.ts'
import type { CallOptions, ProviderOptions, StreamPart } from './types.ts'

/** Namespace of the options of each provider package. */
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

/**
 * Maps settings to provider options; `called` is the provider name under which OpenAI-compatible
 * packages pass on further members.
 */
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
  // Members unknown to the package are passed on under the name of the provider.
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
  warnings: [`${kind} does not support ${setting}; the setting was not sent`],
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
      // Parallel tool calls are the default, so only disabling them is unsupported.
      return may ? NONE : unsupported('parallel_tool_calls', kind)
  }
}

type Warned = Extract<StreamPart, { type: 'stream-start' }>['warnings'][number]

/** Describes a provider package's warning about a setting that is dropped or changed. */
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
