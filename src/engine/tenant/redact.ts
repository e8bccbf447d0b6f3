/** Values of a tenant's secrets, taken out of a text before it is kept where models read it. */

import { type Hide, hiding } from '../../lib/hide.ts'
import type { World } from '../../ports/world.ts'

/** Reads the secrets anew: they may have been exchanged. */
export async function hidingSecrets({ secrets }: World, tenant: string): Promise<Hide> {
  const names = await secrets.names(tenant)
  const values = await Promise.all([...names].map((name) => secrets.get(tenant, name)))
  return hiding(values.filter((value) => value !== undefined))
}
