/** Reads a tenant's secrets, to redact their values and to resolve servers that refer to them. */

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

/**
 * Reads the names and bindings of the secrets that servers may use, one after the other, so that
 * one read of the store serves both.
 */
export async function serverSecrets(
  { secrets: port }: Pick<World, 'secrets'>,
  tenant: string,
  subject: string | undefined,
) {
  const secrets = await port.names(tenant, 'mcp', subject)
  return { secrets, bindings: await port.bindings(tenant, subject) }
}
