/** Redacts a tenant's secret values from text that models may read later. */

import { type Hide, hiding } from '../../lib/hide.ts'
import type { World } from '../../ports/world.ts'

export const hidingSecrets = async (world: World, tenant: string): Promise<Hide> =>
  hiding(await secretValues(world, tenant))

/**
 * Reads the tenant's current secret values, which may have been rotated. `except` lists the names
 * of secrets to omit; `subject` is the end user of the run, if any.
 */
export async function secretValues(
  { secrets }: Pick<World, 'secrets'>,
  tenant: string,
  except: readonly string[] = [],
  subject?: string,
): Promise<string[]> {
  const all = await secrets.names(tenant, undefined, subject)
  const names = [...all].filter((name) => !except.includes(name))
  const values = await Promise.all(
    names.map((name) => secrets.get(tenant, name, undefined, subject)),
  )
  return values.filter((value) => value !== undefined)
}
