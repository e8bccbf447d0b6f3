/** A memory world whose tenants may be encrypted, as every host composes it. */

import { type TenantCipher, tenantCipher } from '../../src/engine/tenant/data-key.ts'
import { encryptedObjects, encryptedStore } from '../../src/engine/tenant/encrypted-ports.ts'
import type { MemoryWorld } from '../../src/hosts/memory/world.ts'

/** Puts the encryption between the world and its store and bucket. */
export function encryptedWorld<W extends MemoryWorld>(world: W): W {
  const cipherOf = (tenant: string): TenantCipher | Promise<TenantCipher> =>
    tenantCipher(encrypted, tenant)
  const encrypted: W = {
    ...world,
    store: encryptedStore(world.store, cipherOf),
    objects: encryptedObjects(world.objects, cipherOf),
  }
  return encrypted
}
