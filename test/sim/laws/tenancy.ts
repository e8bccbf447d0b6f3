/**
 * Whose work is being done (I19): whatever a request or a wake touches is its own tenant's. Only what
 * says who the tenant is stands outside of all of them: keys, hooks, and its own row. A wake is an address and no
 * access: who leaves a place at a receiver tells the next one, whoever's that is.
 */

import { AsyncLocalStorage } from 'node:async_hooks'
import type { HeadWrite, Write } from '../../../src/ports/world.ts'
import type { Sim } from '../world/sim.ts'
import type { Round } from './hops.ts'

interface Acting {
  readonly tenant: string
  readonly round: Round | undefined
}

const acting = new AsyncLocalStorage<Acting>()
const OPERATOR = '_'
const OF_NOBODY = /^_\/(?:key|hook)\//

/** Everything that comes of this, awaited or not, is done for the tenant; `round`: by a wake. */
export const actingFor = <T>(tenant: string, act: () => T, round?: Round): T =>
  acting.run({ tenant, round }, act)

/** The wake that all this comes of. */
export const actingOn = (): Round | undefined => acting.getStore()?.round

/** Whose work this comes of; undefined: nobody's. */
export const actingTenant = (): string | undefined => acting.getStore()?.tenant

/** `where`: a partition, a list, an object's key, or a tenant alone. */
export function I19_ownTenantOnly(sim: Sim, where: string): void {
  const tenant = acting.getStore()?.tenant
  // The minute clock, the sweep of the bucket and who prepares the world act for all.
  if (
    tenant === undefined ||
    tenant === OPERATOR ||
    where.split('/')[0] === tenant ||
    OF_NOBODY.test(where) ||
    where === `_/tenant/${tenant}`
  )
    return
  sim.law.breach('I19_ownTenantOnly', `${where} is touched for ${tenant}`)
}

/** Where rows and heads are listed is a place too. */
export function I19_ownListsOnly(
  sim: Sim,
  writes: readonly Write[],
  head: HeadWrite | undefined,
): void {
  for (const one of [...writes, ...(head ? [head] : [])]) {
    if ('listed' in one && one.listed) I19_ownTenantOnly(sim, one.listed.under)
  }
}
