/**
 * Says which model a reference means: an alias, `provider/model`, a vendor's own name, or none for
 * the default. The failure is one sentence for people.
 */

import { type ModelSettings, settingsOf } from '../../core/model-settings.ts'
import { close } from '../../lib/near.ts'
import { fail, type Outcome, ok } from '../../lib/outcome.ts'
import type { ModelMissing as Missing, ModelInfo } from '../../ports/world.ts'
import type { ModelConfig, ProviderKind } from './config.ts'
import { factsOf, type ModelFacts } from './facts.ts'

/** A model that was found: what the port shows, and how to reach it. */
export interface FoundModel extends ModelInfo {
  readonly provider: string
  /** The vendor's own name of the model. */
  readonly name: string
}

/** For models with an unknown window. */
const CAUTIOUS_WINDOW = 128_000

const VARIABLES: Readonly<Record<string, string>> = {
  openai: 'OPENAI_API_KEY',
  anthropic: 'ANTHROPIC_API_KEY',
  google: 'a provider `google` in STRATA_PROVIDERS',
}

const NOTHING =
  'No model is configured: set OPENAI_API_KEY or ANTHROPIC_API_KEY, OPENAI_BASE_URL for an ' +
  'OpenAI-compatible server, or STRATA_PROVIDERS.'

/**
 * Aliases are followed at most a few times, so that one alias may name another. A text without a
 * known provider in front is a model of the one OpenAI-compatible server, when there is one, since
 * such servers use names with slashes of their own. `first`: the default that a server has named.
 */
export function findModel(
  config: ModelConfig,
  reference: string | undefined,
  first?: Outcome<string, Missing>,
): Outcome<FoundModel, Missing> {
  if (Object.keys(config.providers).length === 0) return fail({ message: NOTHING })
  const search = new Search(config, first)
  const found = search.follow(reference, 4)
  if (!found.ok) return found
  const [model, ...others] = found.value.models
  if (model === undefined) return fail({ message: search.none(reference ?? '') })
  const ids = new Set([model.id])
  const fallbacks = others.flatMap(({ id, window, window_assumed, price }) =>
    ids.has(id) || !ids.add(id)
      ? []
      : [{ id, window, ...(window_assumed && { window_assumed }), ...(price ? { price } : {}) }],
  )
  const { settings } = found.value
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

  follow(wanted: string | undefined, depth: number): Outcome<Chain, Missing> {
    const { aliases, builtin } = this.#config
    if (wanted === undefined) return this.#default(depth)
    if (depth > 0 && Object.hasOwn(aliases, wanted)) {
      const { models, settings } = aliases[wanted]!
      return this.#chain(wanted, models, depth, settings)
    }
    if (depth > 0 && Object.hasOwn(builtin, wanted)) {
      const [found] = [this.#chain(wanted, builtin[wanted]!, depth)]
      return found.ok ? ok({ ...found.value, models: found.value.models.slice(0, 1) }) : found
    }
    const model = this.#direct(wanted)
    return model.ok ? ok({ models: [model.value] }) : model
  }

  #default(depth: number): Outcome<Chain, Missing> {
    const { default: named, first } = this.#config
    if (named !== undefined) return this.follow(named, depth)
    if (first === undefined)
      return fail({ message: 'No default model is configured: set STRATA_MODEL.' })
    const known =
      this.#first ?? fail({ message: `The server of ${first} has not been queried yet.` })
    return known.ok ? ok({ models: [this.#found(first, known.value)] }) : known
  }

  /** The models of all references that are configured, in order; an alias is no guess. */
  #chain(
    alias: string,
    references: readonly string[],
    depth: number,
    own?: ModelSettings,
  ): Outcome<Chain, Missing> {
    if (references.length === 0) return this.#default(depth - 1)
    const models: FoundModel[] = []
    let below: ModelSettings | undefined
    let first: Outcome<Chain, Missing> | undefined
    for (const reference of references) {
      const found = this.follow(reference, reference === alias ? 0 : depth - 1)
      first ??= found
      if (!found.ok) continue
      models.push(...found.value.models.map((model) => ({ ...model, guessed: false })))
      below ??= found.value.settings
    }
    if (models.length === 0) return first!
    const settings = settingsOf(own, below)
    return ok({ models, ...(settings ? { settings } : {}) })
  }

  #direct(wanted: string): Outcome<FoundModel, Missing> {
    const { providers } = this.#config
    const slash = wanted.indexOf('/')
    const head = slash > 0 ? wanted.slice(0, slash) : ''
    const rest = wanted.slice(slash + 1)
    if (head !== '' && rest !== '' && Object.hasOwn(providers, head)) {
      return this.#reached(head, rest)
    }
    const vendor = vendorOf(wanted)
    if (slash < 0 && vendor && Object.hasOwn(providers, vendor)) {
      return this.#reached(vendor, wanted)
    }
    const known = Object.hasOwn(VARIABLES, head) ? head : undefined
    const missing = known ?? (slash < 0 ? vendor : undefined)
    const open = Object.entries(providers).filter(([, one]) => one.kind === WILD)
    const isGuess = known === undefined && wanted !== '' && !isSlip(head, providers)
    if (isGuess && open.length === 1 && open[0]) {
      const guess = this.#found(open[0][0], wanted)
      return ok(slash < 0 ? { ...guess, guessed: true } : guess)
    }
    if (missing) return fail({ message: `The model "${wanted}" needs ${VARIABLES[missing]}.` })
    return fail({ message: this.none(wanted) })
  }

  none(wanted: string): string {
    const { aliases, builtin, providers } = this.#config
    const names = [...new Set([...Object.keys(aliases), ...Object.keys(builtin)])].sort()
    const slash = wanted.indexOf('/')
    const head = wanted.slice(0, Math.max(0, slash))
    if (head === '' || Object.hasOwn(providers, head)) {
      const instead = meant(close(wanted, names))
      return (
        `Model "${wanted}" not found: use an alias (${names.join(', ')}) or ` +
        `provider/model.${instead}`
      )
    }
    const known = Object.keys(providers).sort()
    const near = close(head, known)
    const instead = meant(near && near + wanted.slice(slash))
    return (
      `Model "${wanted}" not found: there is no provider "${head}"; the providers are ` +
      `${known.join(', ')}.${instead}`
    )
  }

  #reached(provider: string, name: string): Outcome<FoundModel, Missing> {
    const found = this.#found(provider, name)
    const lack = this.#config.lacking?.[provider]
    return lack === undefined ? ok(found) : fail({ message: `The model "${found.id}" ${lack}` })
  }

  #found(provider: string, name: string): FoundModel {
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

/** Known of `provider/model`: by the deployer, member by member before the table. */
export function knownOf(
  { providers, models }: ModelConfig,
  id: string,
): ModelFacts & { readonly source?: string; readonly read?: string } {
  const slash = id.indexOf('/')
  const provider = providers[id.slice(0, slash)]
  const table = provider && factsOf(provider.kind, id.slice(slash + 1))
  const own = Object.hasOwn(models, id) ? models[id] : undefined
  // A price of the deployer's own is the whole price.
  const { long: _, ...plain } = table ?? {}
  return own?.price ? { ...plain, ...own } : { ...table, ...own }
}

const meant = (name: string | undefined): string =>
  name === undefined ? '' : ` Did you mean "${name}"?`

/** In shorter names one edit says too little. */
const SLIP_LENGTH = 4

/** Whether the part before the slash is a provider's name with a slip of the pen. */
const isSlip = (head: string, providers: ModelConfig['providers']): boolean =>
  head.length >= SLIP_LENGTH && close(head, Object.keys(providers)) !== undefined

const WILD: ProviderKind = 'openai-compatible'

/** The vendor whose models are named like this. */
function vendorOf(name: string): 'openai' | 'anthropic' | 'google' | undefined {
  if (name.startsWith('claude-')) return 'anthropic'
  if (name.startsWith('gemini-')) return 'google'
  return /^(gpt-|o\d|chatgpt-)/.test(name) ? 'openai' : undefined
}
