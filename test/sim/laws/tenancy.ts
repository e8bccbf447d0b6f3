/**
 * Whose work is being done (I19): whatever a request or a wake touches is its own tenant's. Only what
 * says who the tenant is stands outside of all of them: keys, browser sessions, and hooks. A wake is
 * an address and no access: who leaves a place at a receiver tells the next one, whoever's that is.
 */

import { AsyncLocalStorage } from 'node:async_hooks'
import type { Sim } from '../world/sim.ts'
import type { Round } from './hops.ts'

interface Acting {
  readonly tenant: string
  readonly round: Round | undefined
}

const acting = new AsyncLocalStorage<Acting>()
const OPERATOR = '_'
const OF_NOBODY = /^_\/(?:key|hook|tenant|browser)\//

/** Everything that comes of this, awaited or not, is done for the tenant; `round`: by a wake. */
export const actingFor = <T>(tenant: string, act: () => T, round?: Round): T =>
  acting.run({ tenant, round }, act)

/** The tenant for which all this is done. */
export const actingTenant = (): string | undefined => acting.getStore()?.tenant

/** The wake that all this comes of. */
export const actingOn = (): Round | undefined => acting.getStore()?.round

/** `where`: a partition, a list, an object's key, or a tenant alone. */
export function I19_ownTenantOnly(sim: Sim, where: string): void {
  const tenant = acting.getStore()?.tenant
  // The minute clock, the sweep of the bucket and who prepares the world act for all.
  if (
    tenant === undefined ||
    tenant === OPERATOR ||
    where.split('/')[0] === tenant ||
    OF_NOBODY.test(where)
  )
    return
  sim.law.breach('I19_ownTenantOnly', `${where} is touched for ${tenant}`)
}
