/**
 * Keys of models and of web search that a tenant keeps as its secrets, bound to the tenant where a
 * call is made: the ports know no tenants. Rows come out of the cache of secrets.
 */

import { mayGo } from '../../core/config/server/secret-binding.ts'
import type { KeySlot, KeyUse } from '../../core/secret.ts'
import { fail, ok } from '../../lib/outcome.ts'
import type { TenantKeys, World } from '../../ports/world.ts'

export const keysOf =
  ({ secrets }: Pick<World, 'secrets'>, tenant: string, use: KeyUse): TenantKeys =>
  async (name, place) => {
    const value = await secrets.get(tenant, name, { use, place })
    if (value !== undefined) return ok(value)
    if (!(await secrets.names(tenant, use)).has(name)) return ok(undefined)
    const to = (await secrets.bindings(tenant)).get(name)
    if (mayGo(to, place)) return fail(`the secret ${name} of the tenant could not be opened`)
    return fail(`the secret ${name} of the tenant is bound to ${to!.join(', ')}, not to ${place}`)
  }

/** All keys that secrets of a tenant can stand for. */
export const slotsOf = ({ model, search }: Pick<World, 'model' | 'search'>): readonly KeySlot[] => [
  ...(model.slots ?? []),
  ...(search?.slot ? [search.slot] : []),
]
