/** Models that a tenant's runs may name: the deployment's models and the tenant's model aliases. */

import type { ListedAlias, ListedModel, ModelList, World } from '../../ports/world.ts'
import { findModel, readPolicy } from './policy.ts'

interface TenantModels {
  readonly default: string | null
  readonly data: readonly ListedModel[]
  readonly aliases: readonly (ListedAlias & { readonly from: 'tenant' | 'deployment' })[]
  readonly warnings: readonly string[]
}

export async function modelsOf(world: World, tenant: string): Promise<TenantModels> {
  if (world.model.ready) await world.model.ready()
  const { policy } = await readPolicy(world, tenant)
  const list: ModelList = world.model.list?.() ?? { default: null, models: [], aliases: [] }
  const tenantAliases = Object.keys(policy.model_aliases).map((alias) => {
    const lookup = findModel(world, policy, alias)
    if (!lookup.ok) return { alias, models: [], settings: null, from: 'tenant' as const }
    const { id, fallbacks = [], settings = null } = lookup.value
    const models = [id, ...fallbacks.map((fallback) => fallback.id)]
    return { alias, models, settings, from: 'tenant' as const }
  })
  const names = new Set(tenantAliases.map(({ alias }) => alias))
  const deploymentAliases = list.aliases
    .filter(({ alias }) => !names.has(alias))
    .map((entry) => ({ ...entry, from: 'deployment' as const }))
  const byName = (left: ListedAlias, right: ListedAlias): number =>
    left.alias < right.alias ? -1 : 1
  const aliases = [...tenantAliases, ...deploymentAliases].sort(byName)
  return { default: list.default, data: list.models, aliases, warnings: list.warnings ?? [] }
}
