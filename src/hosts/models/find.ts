/**
 * Resolves a model reference: an alias, `provider/model`, a vendor's model name, or an empty
 * reference for the default model. A failure is one sentence for people.
 */

import { type ModelSettings, settingsOf } from '../../core/model-settings.ts'
import { close } from '../../lib/nearest-name.ts'
import { fail, type Outcome, ok } from '../../lib/outcome.ts'
import type { ModelMissing as Missing, ModelInfo } from '../../ports/world.ts'
import type { ModelConfig, ProviderKind } from './config.ts'
import { factsOf, type ModelFacts } from './facts.ts'

/** Resolved model: the information that the port shows, and the connection details. */
export interface FoundModel extends ModelInfo {
  readonly provider: string
  /** Vendor's name for the model. */
  readonly name: string
}

/** Context window in tokens, assumed for models whose window is unknown. */
const CAUTIOUS_WINDOW = 128_000

const VARIABLES: Readonly<Record<string, string>> = {
  openai: 'OPENAI_API_KEY',
  anthropic: 'ANTHROPIC_API_KEY',
  google: 'a provider `google` in STRATA_PROVIDERS',
}

const NO_MODELS =
  'No model is configured; set OPENAI_API_KEY or ANTHROPIC_API_KEY, OPENAI_BASE_URL for ' +
  'an OpenAI-compatible server, or STRATA_PROVIDERS.'

/**
 * Resolves a model reference, following a limited number of aliases. Text without a known provider
 * prefix names a model of the only OpenAI-compatible server, because model names of such servers
 * may contain slashes. `first` is the default model that a server names.
 */
export function findModel(
  config: ModelConfig,
  reference: string | undefined,
  first?: Outcome<string, Missing>,
): Outcome<FoundModel, Missing> {
  if (Object.keys(config.providers).length === 0) return fail({ message: NO_MODELS })
  const search = new Search(config, first)
  const chain = search.follow(reference, 4)
  if (!chain.ok) return chain
  const [model, ...otherModels] = chain.value.models
  if (model === undefined) return fail({ message: search.none(reference ?? '') })
  const ids = new Set([model.id])
  const fallbacks = otherModels.flatMap(({ id, window, window_assumed, price }) =>
    ids.has(id) || !ids.add(id)
      ? []
      : [{ id, window, ...(window_assumed && { window_assumed }), ...(price ? { price } : {}) }],
  )
  const { settings } = chain.value
  return ok({
    ...model,
    ...(settings ? { settings } : {}),
    ...(fallbacks.length === 0 ? {} : { fallbacks }),
  })
}

interface Chain {
  readonly models: readonly FoundModel[]
  readonly settings?: ModelSettings | undefined
}

class Search {
  readonly #config: ModelConfig
  readonly #first: Outcome<string, Missing> | undefined

  constructor(config: ModelConfig, first: Outcome<string, Missing> | undefined) {
    this.#config = config
    this.#first = first
  }

  follow(reference: string | undefined, depth: number): Outcome<Chain, Missing> {
    const { aliases, builtin } = this.#config
    if (reference === undefined) return this.#default(depth)
    if (depth > 0 && Object.hasOwn(aliases, reference)) {
      const { models, settings } = aliases[reference]!
      return this.#chain(reference, models, depth, settings)
    }
    if (depth > 0 && Object.hasOwn(builtin, reference)) {
      const [chain] = [this.#chain(reference, builtin[reference]!, depth)]
      return chain.ok ? ok({ ...chain.value, models: chain.value.models.slice(0, 1) }) : chain
    }
    const model = this.#direct(reference)
    return model.ok ? ok({ models: [model.value] }) : model
  }

  #default(depth: number): Outcome<Chain, Missing> {
    const { default: defaultModel, first } = this.#config
    if (defaultModel !== undefined) return this.follow(defaultModel, depth)
    if (first === undefined)
      return fail({ message: 'No default model is configured; set STRATA_MODEL.' })
    const firstModel =
      this.#first ?? fail({ message: `The server for ${first} has not been queried yet.` })
    return firstModel.ok
      ? ok({ models: [this.#describeModel(first, firstModel.value)] })
      : firstModel
  }

  /**
   * Returns the configured models of all references, in order; a model selected through an alias
   * never counts as guessed.
   */
  #chain(
    alias: string,
    references: readonly string[],
    depth: number,
    aliasSettings?: ModelSettings,
  ): Outcome<Chain, Missing> {
    if (references.length === 0) return this.#default(depth - 1)
    const models: FoundModel[] = []
    let below: ModelSettings | undefined
    let first: Outcome<Chain, Missing> | undefined
    for (const reference of references) {
      const chain = this.follow(reference, reference === alias ? 0 : depth - 1)
      first ??= chain
      if (!chain.ok) continue
      models.push(...chain.value.models.map((model) => ({ ...model, guessed: false })))
      below ??= chain.value.settings
    }
    if (models.length === 0) return first!
    const settings = settingsOf(aliasSettings, below)
    return ok({ models, ...(settings ? { settings } : {}) })
  }

  #direct(reference: string): Outcome<FoundModel, Missing> {
    const { providers } = this.#config
    const slash = reference.indexOf('/')
    const head = slash > 0 ? reference.slice(0, slash) : ''
    const modelName = reference.slice(slash + 1)
    if (head !== '' && modelName !== '' && Object.hasOwn(providers, head)) {
      return this.#checkAvailable(head, modelName)
    }
    const vendor = vendorOf(reference)
    if (slash < 0 && vendor && Object.hasOwn(providers, vendor)) {
      return this.#checkAvailable(vendor, reference)
    }
    const knownVendor = Object.hasOwn(VARIABLES, head) ? head : undefined
    const missing = knownVendor ?? (slash < 0 ? vendor : undefined)
    const open = Object.entries(providers).filter(([, provider]) => provider.kind === WILD)
    const isGuess = knownVendor === undefined && reference !== '' && !isSlip(head, providers)
    if (isGuess && open.length === 1 && open[0]) {
      const guess = this.#describeModel(open[0][0], reference)
      return ok(slash < 0 ? { ...guess, guessed: true } : guess)
    }
    if (missing)
      return fail({ message: `The model "${reference}" requires ${VARIABLES[missing]}.` })
    return fail({ message: this.none(reference) })
  }

  none(reference: string): string {
    const { aliases, builtin, providers } = this.#config
    const names = [...new Set([...Object.keys(aliases), ...Object.keys(builtin)])].sort()
    const slash = reference.indexOf('/')
    const head = reference.slice(0, Math.max(0, slash))
    if (head === '' || Object.hasOwn(providers, head)) {
      const instead = suggestion(close(reference, names))
      return (
        `Model "${reference}" not found; use an alias (${names.join(', ')}) or ` +
        `provider/model.${instead}`
      )
    }
    const providerNames = Object.keys(providers).sort()
    const near = close(head, providerNames)
    const instead = suggestion(near && near + reference.slice(slash))
    return (
      `Model "${reference}" not found: unknown provider "${head}"; the providers are ` +
      `${providerNames.join(', ')}.${instead}`
    )
  }

  #checkAvailable(provider: string, name: string): Outcome<FoundModel, Missing> {
    const model = this.#describeModel(provider, name)
    const lack = this.#config.lacking?.[provider]
    return lack === undefined ? ok(model) : fail({ message: `The model "${model.id}" ${lack}` })
  }

  #describeModel(provider: string, name: string): FoundModel {
    const id = `${provider}/${name}`
    const { window, max_output, input, price } = knownOf(this.#config, id)
    return {
      ...{ id, provider, name, window: window ?? CAUTIOUS_WINDOW },
      ...(window === undefined ? { window_assumed: true } : {}),
      ...(max_output === undefined ? {} : { max_output }),
      ...(input === undefined ? {} : { input }),
      ...(price === undefined ? {} : { price }),
    }
  }
}

/** Merges the facts about `provider/model`: members set by the operator override the table. */
export function knownOf(
  { providers, models }: ModelConfig,
  id: string,
): ModelFacts & { readonly source?: string; readonly read?: string } {
  const slash = id.indexOf('/')
  const provider = providers[id.slice(0, slash)]
  const table = provider && factsOf(provider.kind, id.slice(slash + 1))
  const configured = Object.hasOwn(models, id) ? models[id] : undefined
  // A price set by the operator replaces the table's whole price, including the long-context price.
  const { long: _, ...plain } = table ?? {}
  return configured?.price ? { ...plain, ...configured } : { ...table, ...configured }
}

const suggestion = (name: string | undefined): string =>
  name === undefined ? '' : ` Did you mean "${name}"?`

/** Minimum length of a provider name for typo detection; one edit of a short name means little. */
const SLIP_LENGTH = 4

/** Reports whether the part before the slash is a misspelled provider name. */
const isSlip = (head: string, providers: ModelConfig['providers']): boolean =>
  head.length >= SLIP_LENGTH && close(head, Object.keys(providers)) !== undefined

const WILD: ProviderKind = 'openai-compatible'

/** Guesses the vendor from the name of a model. */
function vendorOf(name: string): 'openai' | 'anthropic' | 'google' | undefined {
  if (name.startsWith('claude-')) return 'anthropic'
  if (name.startsWith('gemini-')) return 'google'
  return /^(gpt-|o\d|chatgpt-)/.test(name) ? 'openai' : undefined
}
