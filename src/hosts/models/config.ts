/**
 * Model configuration of a deployment: providers with keys, aliases, a default, and facts about
 * models. Plain data, read from the environment once; `find.ts` resolves references.
 */

import * as z from 'zod'
import { LIMITS } from '../../core/limits.ts'
import type { ModelFacts } from './facts.ts'
import { lackedPackage } from './packages.ts'
import {
  type Alias,
  aliasOf,
  type ModelHome,
  type ProviderConfig,
  readProviders,
  type StructuredOutputs,
} from './providers.ts'

export type { ModelHome, ProviderConfig, ProviderKind } from './providers.ts'

export interface ModelConfig {
  /** Configured providers by name, which is the part before the slash in `provider/model`. */
  readonly providers: Readonly<Record<string, ProviderConfig>>
  readonly aliases: Readonly<Record<string, Alias>>
  /** Built-in aliases; each alias selects the first of its models whose provider is configured. */
  readonly builtin: Readonly<Record<string, readonly string[]>>
  /** Default model reference; if absent, each run must name its model. */
  readonly default?: string | undefined
  /** Provider whose first listed model is the default. */
  readonly first?: string | undefined
  /** Facts about models by `provider/model`; they override the built-in table of facts. */
  readonly models: Readonly<Record<string, ModelFacts>>
  /** Providers whose package is not installed, each mapped to the end of an error sentence. */
  readonly lacking?: Readonly<Record<string, string>> | undefined
}

/** Default short names of models; each selects the first of its models that is configured. */
const ALIASES: Readonly<Record<string, readonly string[]>> = {
  sonnet: ['anthropic/claude-sonnet-5-5', 'openai/gpt-5.6'],
  opus: ['anthropic/claude-opus-5-5', 'openai/gpt-5.6'],
  haiku: ['anthropic/claude-haiku-5-5', 'openai/gpt-5.4-mini'],
  fable: ['anthropic/claude-fable-5-2', 'openai/gpt-5.6'],
  gpt: ['openai/gpt-5.6', 'anthropic/claude-sonnet-5-5'],
  'gpt-mini': ['openai/gpt-5.4-mini', 'anthropic/claude-haiku-5-5'],
}

/** Model roles in agent files; each selects the default model unless the operator sets it. */
const ROLES: Readonly<Record<string, readonly string[]>> = {
  Main: [],
  Fallback: [],
  Compaction: ALIASES.haiku!,
}

/**
 * Default model per vendor; the first configured vendor determines the default model and the short
 * names.
 */
const USUAL: Readonly<Record<string, string>> = {
  anthropic: 'sonnet',
  openai: 'openai/gpt-5.6',
  google: 'google/gemini-3.8-flash',
}

type Environment = Readonly<Record<string, string | undefined>>

/**
 * Reads the model configuration from the environment. With OPENAI_BASE_URL, the provider `openai`
 * is any OpenAI-compatible server, and the key is optional. Default aliases then mean the default
 * model, because the models of that server are unknown. Entries of STRATA_PROVIDERS override the
 * vendors' variables; STRATA_MODEL, STRATA_MODEL_ALIASES, and STRATA_MODEL_WINDOWS override those
 * entries. Throws at startup if a variable is invalid.
 */
export function modelConfigFromEnv(env: Environment, home: ModelHome = {}): ModelConfig {
  const providersText = set(env.STRATA_PROVIDERS)
  const configured = providersText
    ? readProviders(providersText, env, home)
    : { providers: {}, aliases: {}, models: {}, default: undefined }
  const providers = { ...vendorsOf(env), ...configured.providers }
  const defaultModel = set(env.STRATA_MODEL) ?? configured.default
  const usual = Object.entries(USUAL).find(([name]) => providers[name]?.kind === name)?.[1]
  const open = Object.entries(providers).filter(([, { kind }]) => kind === 'openai-compatible')
  const first =
    defaultModel === undefined && usual === undefined && open.length === 1
      ? open[0]?.[0]
      : undefined
  const fallback = defaultModel ?? usual
  return {
    providers,
    builtin: builtinOf(providers, fallback),
    aliases: { ...configured.aliases, ...aliasesFrom(env.STRATA_MODEL_ALIASES) },
    ...(fallback === undefined ? {} : { default: fallback }),
    ...(first === undefined ? {} : { first }),
    models: withWindows(configured.models, windowsFrom(env.STRATA_MODEL_WINDOWS)),
    lacking: lackingOf(providers, home),
  }
}

function lackingOf(
  providers: ModelConfig['providers'],
  { isInstalled = () => true }: ModelHome,
): Readonly<Record<string, string>> {
  const lacking = Object.entries(providers).map(([name, { kind }]) => [
    name,
    lackedPackage(kind, isInstalled),
  ])
  return Object.fromEntries(lacking.filter(([, lack]) => lack !== undefined))
}

function vendorsOf(env: Environment): Record<string, ProviderConfig> {
  const providers: Record<string, ProviderConfig> = {}
  const compatible = set(env.OPENAI_BASE_URL)
  if (compatible !== undefined) {
    const key = set(env.OPENAI_API_KEY)
    const structured_outputs = structuredFrom(env.STRATA_STRUCTURED_OUTPUTS)
    const server = { base_url: compatible, key, structured_outputs }
    providers.openai = { kind: 'openai-compatible', ...server }
  } else if (set(env.STRATA_STRUCTURED_OUTPUTS) !== undefined) {
    throw new Error('STRATA_STRUCTURED_OUTPUTS applies only to the server at OPENAI_BASE_URL.')
  } else if (set(env.OPENAI_API_KEY) !== undefined) {
    providers.openai = { kind: 'openai', key: set(env.OPENAI_API_KEY) }
  }
  if (set(env.ANTHROPIC_API_KEY) !== undefined) {
    const base_url = set(env.ANTHROPIC_BASE_URL)
    providers.anthropic = { kind: 'anthropic', base_url, key: set(env.ANTHROPIC_API_KEY) }
  }
  return providers
}

/** Returns the built-in aliases; short names of an unconfigured vendor select the default model. */
function builtinOf(
  providers: ModelConfig['providers'],
  fallback: string | undefined,
): Record<string, readonly string[]> {
  const fallbacks = fallback === undefined ? [] : [fallback]
  const served = ['openai', 'anthropic'].some((name) => providers[name]?.kind === name)
  const names = Object.keys({ ...ALIASES, ...ROLES })
  const unserved = Object.keys(providers).length > 0 && !served
  if (unserved) return Object.fromEntries(names.map((alias) => [alias, fallbacks]))
  const roles = Object.entries(ROLES).map(([role, models]) => [role, [...models, ...fallbacks]])
  return { ...ALIASES, ...Object.fromEntries(roles) }
}

const set = (value: string | undefined): string | undefined => value?.trim() || undefined

const aliasSchema = z.record(
  z.string(),
  z.union([z.string(), z.array(z.string()).min(1).max(LIMITS.fallback_models)]),
)

function aliasesFrom(text: string | undefined): Record<string, Alias> {
  if (set(text) === undefined) return {}
  try {
    const parsed = aliasSchema.parse(JSON.parse(text ?? ''))
    return Object.fromEntries(
      Object.entries(parsed).map(([alias, target]) => [alias, aliasOf(target)]),
    )
  } catch {
    throw new Error(
      'STRATA_MODEL_ALIASES must be a JSON object that maps each alias to "provider/model" ' +
        `or to a list of at most ${LIMITS.fallback_models} such names.`,
    )
  }
}

function structuredFrom(text: string | undefined): StructuredOutputs | undefined {
  const mode = set(text)
  if (mode === undefined || mode === 'without_tools' || mode === 'with_tools') return mode
  throw new Error('STRATA_STRUCTURED_OUTPUTS must be "without_tools" or "with_tools".')
}

const windowSchema = z.record(z.string(), z.int().min(1_000))

function windowsFrom(text: string | undefined): Record<string, number> {
  if (set(text) === undefined) return {}
  try {
    return windowSchema.parse(JSON.parse(text ?? ''))
  } catch {
    throw new Error(
      'STRATA_MODEL_WINDOWS must be a JSON object that maps each "provider/model" to its ' +
        'context window in tokens.',
    )
  }
}

const withWindows = (
  models: ModelConfig['models'],
  windows: Readonly<Record<string, number>>,
): ModelConfig['models'] => ({
  ...models,
  ...Object.fromEntries(
    Object.entries(windows).map(([id, window]) => [id, { ...models[id], window }]),
  ),
})
