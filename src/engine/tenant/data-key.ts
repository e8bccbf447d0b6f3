/**
 * The data key of a tenant whose rows and objects are encrypted: made with it, kept in its record
 * sealed by the master key, and destroyed there when its deletion is ordered. Hosts open it
 * (`hosts/shared/encryption.ts`); here it is seen only to be sealed.
 */

import { base64url } from '../../lib/bytes.ts'
import type { World } from '../../ports/world.ts'

/** Of AES-256. */
export const DATA_KEY_BYTES = 32

/** The context that binds a sealed data key to its tenant. */
export const dataKeyFor = (tenant: string): string => `data key ${tenant}`

export const newDataKey = (
  { clock, secrets }: Pick<World, 'clock' | 'secrets'>,
  tenant: string,
): Promise<string> => secrets.seal(base64url(clock.random(DATA_KEY_BYTES)), dataKeyFor(tenant))

/** The same key under the master key of today; undefined: none opens it. */
export async function dataKeyAnew(
  { secrets }: Pick<World, 'secrets'>,
  tenant: string,
  sealed: string,
): Promise<string | undefined> {
  const key = await secrets.open(sealed, dataKeyFor(tenant))
  return key === undefined ? undefined : secrets.seal(key, dataKeyFor(tenant))
}
