/** Lists models for OpenAI clients, including the base layer's agents. */

import { spawnable } from '../../../core/config/layer/catalog.ts'
import { resolveLayers } from '../../../engine/layers/resolve.ts'
import { modelsOf } from '../../../engine/tenant/models.ts'
import { parseTime } from '../../../lib/time.ts'
import type { World } from '../../../ports/world.ts'
import { granted, refuse } from '../../request/problem.ts'
import { agentModel } from './response.ts'

const UNKNOWN = {
  ...{ window: null, max_output: null, input: null, price: null, long: null },
  ...{ source: null, read: null },
} as const

/**
 * Returns a model by ID; an alias is returned under its name, with the properties of its first
 * model.
 */
export async function listedModel(world: World, tenant: string, id: string) {
  const { data, aliases } = await listedModels(world, tenant)
  const exact = data.find((model) => model.id === id)
  if (exact) return exact
  const [first] = aliases.find(({ alias }) => alias === id)?.models ?? []
  const model = data.find((entry) => entry.id === first)
  if (!model) throw refuse('not_found', `Model ${JSON.stringify(id.slice(0, 200))} not found.`)
  return { ...model, id }
}

export async function listedModels(world: World, tenant: string) {
  const selection = { strict: false, on_duplicate: 'shadow' } as const
  const [models, layers] = await Promise.all([
    modelsOf(world, tenant),
    resolveLayers(world, tenant, selection),
  ])
  const agents = spawnable(granted(layers)).map(({ id }) => ({
    ...{ id: agentModel(id), provider: 'strata', kind: 'agent' },
    ...UNKNOWN,
  }))
  const data = [...models.data, ...agents].map((entry) => ({
    ...entry,
    object: 'model',
    created:
      entry.read === null ? 0 : Math.floor((parseTime(`${entry.read}T00:00:00Z`) ?? 0) / 1_000),
    owned_by: entry.provider,
  }))
  return { object: 'list', ...models, data }
}
