/** Keys of models and web search that a tenant stores as secrets, for calls on its behalf. */

import { mayGo } from '../../core/config/server/secret-binding.ts'
import type { KeySlot } from '../../core/secret.ts'
import { fail, ok } from '../../lib/outcome.ts'
import type { TenantKeys, World } from '../../ports/world.ts'

/** Returns the function that resolves keys of the tenant or its end user at the time of a call. */
export const keysOf =
  ({ secrets }: Pick<World, 'secrets'>, tenant: string, subject?: string): TenantKeys =>
  async ({ use, name, place }) => {
    if (!(await secrets.names(tenant, use, subject)).has(name)) return ok(undefined)
    const value = await secrets.get(tenant, name, { use, place }, subject)
    if (value !== undefined) return ok(value)
    const hosts = (await secrets.bindings(tenant, subject)).get(name)
    if (mayGo(hosts, place)) return fail(`the tenant's secret ${name} cannot be decrypted`)
    return fail(`secret ${name} is bound to ${hosts!.join(', ')} and is not sent to ${place}`)
  }

/** Returns the provider keys that secrets of a tenant can replace. */
export const keySlots = ({
  model,
  search,
}: Pick<World, 'model' | 'search'>): readonly KeySlot[] => [
  ...(model.slots ?? []),
  ...(search?.slot ? [search.slot] : []),
]
