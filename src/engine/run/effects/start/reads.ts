/**
 * Additional reads when a run starts, made in parallel with the read of the log. Most runs start in
 * the pass that first reads them, with the default base layer.
 */

import { ROLE_SKILLS } from '../../../../core/config/layer/layout.ts'
import { DEFAULT_BASE } from '../../../../core/config/layer/select.ts'
import type { World } from '../../../../ports/world.ts'
import { Listings } from '../../../layers/stored-listings.ts'
import { readPolicy, type StoredPolicy } from '../../../tenant/policy.ts'

export class StartReads {
  readonly policy: Promise<StoredPolicy>
  readonly listings: Listings

  constructor(world: World, tenant: string) {
    this.policy = readPolicy(world, tenant)
    // A failed read is reported when its result is used. A pass that does not start the run ignores
    // the failure.
    this.policy.catch(() => undefined)
    this.listings = new Listings(world, tenant, 'kept')
    this.listings.begin(DEFAULT_BASE, ROLE_SKILLS.dir)
  }
}
