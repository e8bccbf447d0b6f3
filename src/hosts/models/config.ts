/**
 * The models of a deployment: providers with their keys, aliases, a default and context windows.
 * Plain data, read from the environment once; `findModel` resolves a reference, or says in one
 * sentence for people why it cannot.
 */

import * as z from 'zod'
import { fail, type Outcome, ok } from '../../lib/outcome.ts'
import type { ModelInfo } from '../../ports/world.ts'

export type ProviderKind = 'openai' | 'openai-compatible' | 'anthropic'

export interface ProviderConfig {
  readonly kind: ProviderKind
  /** Required for `openai-compatible`; the vendor's own address otherwise. */
  readonly base_url?: string | undefined
  readonly key?: string | undefined
  /** Of `openai-compatible`: the server holds answers to a JSON Schema; absent: it does not. */
  readonly structured_outputs?: StructuredOutputs | undefined
}

/** `without_tools`: only in calls that offer none, since many servers would then never call one. */
type StructuredOutputs = 'without_tools' | 'with_tools'

export interface ModelConfig {
  /** By the name that stands before the slash in `provider/model`. */
  readonly providers: Readonly<Record<string, ProviderConfig>>
  /** A list means the first one whose provider is configured. */
  readonly aliases: Readonly<Record<string, string | readonly string[]>>
  /** A reference like any other; without it runs must name their model. */
  readonly default?: string | undefined
  /** Context window in tokens by `provider/model`, for models that the table does not know. */
  readonly windows: Readonly<Record<string, number>>
}

const VARIABLES: Readonly<Record<ProviderKind, string>> = {
  openai: 'OPENAI_API_KEY',
  'openai-compatible': 'OPENAI_BASE_URL',
  anthropic: 'ANTHROPIC_API_KEY',
}

const NOTHING =
  'No model is configured: set OPENAI_API_KEY or ANTHROPIC_API_KEY, ' +
  'or OPENAI_BASE_URL for an OpenAI-compatible server.'

/** The usual short names unless the operator sets them; the first configured one. */
const ALIASES: Readonly<Record<string, readonly string[]>> = {
  sonnet: ['anthropic/claude-sonnet-5-5', 'openai/gpt-5.6'],
  opus: ['anthropic/claude-opus-5-5', 'openai/gpt-5.6'],
  haiku: ['anthropic/claude-haiku-5-5', 'openai/gpt-5.4-mini'],
  fable: ['anthropic/claude-fable-5-2', 'openai/gpt-5.6'],
  gpt: ['openai/gpt-5.6', 'anthropic/claude-sonnet-5-5'],
  'gpt-mini': ['openai/gpt-5.4-mini', 'anthropic/claude-haiku-5-5'],
}

/** Roles that agent files name; the deployment's default model unless the operator sets them. */
const ROLES: Readonly<Record<string, readonly string[]>> = {
  Main: [],
  Fallback: [],
  Compaction: ALIASES.haiku!,
}

/** Windows by model name; the first match counts. Cautious where a vendor offers several. */
const WINDOWS: readonly (readonly [RegExp, number])[] = [
  [/^claude-/, 200_000],
  [/^gpt-4\.1/, 1_000_000],
  [/^gpt-[5-9]/, 400_000],
]
const WINDOW = 128_000

/**
 * The configuration that the environment describes. With OPENAI_BASE_URL the provider `openai` is
 * any OpenAI-compatible server (the key is then optional), and every default alias means the
 * default model, because nobody knows what that server offers. A broken STRATA_MODEL_ALIASES or
 * STRATA_MODEL_WINDOWS is the deployer's mistake and throws at start.
 */
export function modelConfigFromEnv(env: Readonly<Record<string, string | undefined>>): ModelConfig {
  const providers: Record<string, ProviderConfig> = {}
  const compatible = set(env.OPENAI_BASE_URL)
  if (compatible !== undefined) {
    const key = set(env.OPENAI_API_KEY)
    const structured_outputs = structuredFrom(env.STRATA_STRUCTURED_OUTPUTS)
    const server = { base_url: compatible, key, structured_outputs }
    providers.openai = { kind: 'openai-compatible', ...server }
  } else if (set(env.STRATA_STRUCTURED_OUTPUTS) !== undefined) {
    throw new Error('STRATA_STRUCTURED_OUTPUTS says what the server at OPENAI_BASE_URL can do.')
  } else if (set(env.OPENAI_API_KEY) !== undefined) {
    providers.openai = { kind: 'openai', key: set(env.OPENAI_API_KEY) }
  }
  if (set(env.ANTHROPIC_API_KEY) !== undefined) {
    const base_url = set(env.ANTHROPIC_BASE_URL)
    providers.anthropic = { kind: 'anthropic', base_url, key: set(env.ANTHROPIC_API_KEY) }
  }
  const fallback = set(env.STRATA_MODEL) ?? (providers.anthropic ? 'sonnet' : 'openai/gpt-5.6')
  const blind = compatible !== undefined && providers.anthropic === undefined
  const roles = Object.entries(ROLES).map(([role, models]) => [role, [...models, fallback]])
  const defaults = blind
    ? Object.fromEntries(Object.keys({ ...ALIASES, ...ROLES }).map((alias) => [alias, [fallback]]))
    : { ...ALIASES, ...Object.fromEntries(roles) }
  return {
    providers,
    aliases: { ...defaults, ...aliasesFrom(env.STRATA_MODEL_ALIASES) },
    default: fallback,
    windows: windowsFrom(env.STRATA_MODEL_WINDOWS),
  }
}

const set = (value: string | undefined): string | undefined => value?.trim() || undefined

const aliasSchema = z.record(z.string(), z.union([z.string(), z.array(z.string()).min(1)]))

function aliasesFrom(text: string | undefined): Record<string, string | readonly string[]> {
  if (set(text) === undefined) return {}
  try {
    return aliasSchema.parse(JSON.parse(text ?? ''))
  } catch {
    throw new Error(
      'STRATA_MODEL_ALIASES must be a JSON object: alias to "provider/model" or a list of them.',
    )
  }
}

function structuredFrom(text: string | undefined): StructuredOutputs | undefined {
  const said = set(text)
  if (said === undefined || said === 'without_tools' || said === 'with_tools') return said
  throw new Error('STRATA_STRUCTURED_OUTPUTS must be "without_tools" or "with_tools".')
}

const windowSchema = z.record(z.string(), z.int().min(1_000))

function windowsFrom(text: string | undefined): Record<string, number> {
  if (set(text) === undefined) return {}
  try {
    return windowSchema.parse(JSON.parse(text ?? ''))
  } catch {
    throw new Error(
      'STRATA_MODEL_WINDOWS must be a JSON object: "provider/model" to its window in tokens.',
    )
  }
}

/** A model that was found: what the port shows, and how to reach it. */
export interface FoundModel extends ModelInfo {
  readonly provider: string
  /** The vendor's own name of the model. */
  readonly name: string
}

type Missing = { readonly message: string }

/**
 * Aliases are followed at most a few times, so that one alias may name another. A text without a
 * known provider in front is a model of the one OpenAI-compatible server, when there is one, since
 * such servers use names with slashes of their own.
 */
export function findModel(
  config: ModelConfig,
  reference: string | undefined,
): Outcome<FoundModel, Missing> {
  if (Object.keys(config.providers).length === 0) return fail({ message: NOTHING })
  const wanted = reference ?? config.default
  if (wanted === undefined) {
    return fail({ message: 'No default model is configured: set STRATA_MODEL.' })
  }
  return follow(config, wanted, 4)
}

function follow(config: ModelConfig, wanted: string, depth: number): Outcome<FoundModel, Missing> {
  const alias = Object.hasOwn(config.aliases, wanted) ? config.aliases[wanted] : undefined
  if (alias === undefined || depth === 0) return direct(config, wanted)
  const targets = typeof alias === 'string' ? [alias] : alias
  let first: Outcome<FoundModel, Missing> | undefined
  for (const target of targets) {
    const found = target === wanted ? direct(config, target) : follow(config, target, depth - 1)
    if (found.ok) return named(found)
    first ??= found
  }
  return first ?? direct(config, wanted)
}

/** An alias is no guess. */
const named = (model: Outcome<FoundModel, Missing>): Outcome<FoundModel, Missing> =>
  model.ok ? ok({ ...model.value, guessed: false }) : model

function direct(config: ModelConfig, wanted: string): Outcome<FoundModel, Missing> {
  const slash = wanted.indexOf('/')
  const head = slash > 0 ? wanted.slice(0, slash) : ''
  const rest = wanted.slice(slash + 1)
  if (head !== '' && rest !== '' && Object.hasOwn(config.providers, head)) {
    return ok(found(config, head, rest))
  }
  const vendor = vendorOf(wanted)
  if (slash < 0 && vendor && Object.hasOwn(config.providers, vendor)) {
    return ok(found(config, vendor, wanted))
  }
  const known = head === 'openai' || head === 'anthropic' ? head : undefined
  const missing = known ?? (slash < 0 ? vendor : undefined)
  const open = Object.entries(config.providers).filter(([, one]) => one.kind === WILD)
  if (known === undefined && open.length === 1 && open[0] && wanted !== '') {
    const guess = found(config, open[0][0], wanted)
    return ok(slash < 0 ? { ...guess, guessed: true } : guess)
  }
  if (missing) return fail({ message: `The model "${wanted}" needs ${VARIABLES[missing]}.` })
  const names = Object.keys(config.aliases).sort().join(', ')
  return fail({
    message: `No model is called "${wanted}": name an alias (${names}) or provider/model.`,
  })
}

const WILD: ProviderKind = 'openai-compatible'

/** The vendor whose models are named like this. */
function vendorOf(name: string): 'openai' | 'anthropic' | undefined {
  if (name.startsWith('claude-')) return 'anthropic'
  return /^(gpt-|o\d|chatgpt-)/.test(name) ? 'openai' : undefined
}

function found(config: ModelConfig, provider: string, name: string): FoundModel {
  const id = `${provider}/${name}`
  const known = WINDOWS.find(([pattern]) => pattern.test(name))?.[1]
  return { id, provider, name, window: config.windows[id] ?? known ?? WINDOW }
}
