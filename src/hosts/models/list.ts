/** Lists all models and aliases that a deployment can use, with their known facts. */

import type { Outcome } from '../../lib/outcome.ts'
import type { ListedAlias, ListedModel, ModelList } from '../../ports/world.ts'
import type { ModelConfig } from './config.ts'
import { knownModels } from './facts.ts'
import { findModel, knownOf } from './find.ts'

type First = Outcome<string, { readonly message: string }>

export function listModels(config: ModelConfig, first: First | undefined): ModelList {
  const names = [...new Set([...Object.keys(config.aliases), ...Object.keys(config.builtin)])]
  const aliases = names.sort().map((alias) => aliasOf(config, alias, first))
  const byDefault = findModel(config, undefined, first)
  const fallback = byDefault.ok ? byDefault.value.id : null
  const ids = new Set([
    ...reachable(config).flatMap(([name, { kind }]) =>
      knownModels(kind).map((model) => `${name}/${model}`),
    ),
    ...Object.keys(config.models).filter(
      (id) => findModel(config, id).ok && providerOf(config, id),
    ),
    ...aliases.flatMap(({ models }) => models),
    ...(fallback === null ? [] : [fallback]),
  ])
  const models = [...ids].sort().map((id) => modelEntry(config, id))
  return { default: fallback, models, aliases, warnings: packageWarnings(config) }
}

/** Returns a warning sentence for each provider whose package is not installed. */
export const packageWarnings = ({ lacking = {} }: ModelConfig): readonly string[] =>
  Object.entries(lacking).map(([name, lack]) => `The provider ${name} ${lack}`)

/** Returns the providers whose package is installed. */
const reachable = ({ providers, lacking = {} }: ModelConfig) =>
  Object.entries(providers).filter(([name]) => !Object.hasOwn(lacking, name))

const providerOf = ({ providers }: ModelConfig, id: string) => {
  const name = id.slice(0, id.indexOf('/'))
  return Object.hasOwn(providers, name) ? providers[name] : undefined
}

function aliasOf(config: ModelConfig, alias: string, first: First | undefined): ListedAlias {
  const resolved = findModel(config, alias, first)
  if (!resolved.ok) return { alias, models: [], settings: null }
  const { id, fallbacks = [], settings = null } = resolved.value
  return { alias, models: [id, ...fallbacks.map((model) => model.id)], settings }
}

function modelEntry(config: ModelConfig, id: string): ListedModel {
  const { window, max_output, input, price, long, source, read } = knownOf(config, id)
  return {
    id,
    provider: id.slice(0, id.indexOf('/')),
    kind: providerOf(config, id)?.kind ?? '',
    window: window ?? null,
    max_output: max_output ?? null,
    input: input ?? null,
    price: price ?? null,
    long: long ?? null,
    source: source ?? null,
    read: read ?? null,
  }
}
