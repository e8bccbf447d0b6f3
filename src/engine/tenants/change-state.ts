/** Pauses, suspends, and resumes tenants. */

import { type Refusal, refusal } from '../../core/problem.ts'
import { fail, type Outcome, ok } from '../../lib/outcome.ts'
import { iso } from '../../lib/time.ts'
import type { World } from '../../ports/world.ts'
import { DEFAULT_TENANT } from '../partition/keys.ts'
import { update } from '../partition/update.ts'
import type { Asker, Audited } from '../tenant/audit.ts'
import { hasState, isGone, type StoredTenant, type TenantStatus } from '../tenant/state.ts'
import { wakeTenant } from '../worker/tick.ts'
import {
  auditTenant,
  type Changed,
  exists,
  findOrDefault,
  missingTenant,
  OWN_SHARED,
  sendTenant,
  writeTenant,
} from './manage.ts'

/** Change of a tenant's state; `cancel` also cancels its active runs in the background. */
export type StateChange =
  | { readonly to: 'active' | 'paused' }
  | { readonly to: 'suspended'; readonly running: 'park' | 'cancel' }

const ACTIONS: Readonly<Record<StateChange['to'], Audited['action']>> = {
  active: 'resume',
  paused: 'pause',
  suspended: 'suspend',
}

const OWN_SUSPENDED =
  'The default tenant cannot be suspended, because its keys manage the deployment; pause it.'

/** Changes a tenant's state; repeating a change has no effect other than lost wakes. */
export async function changeState(
  asker: Asker,
  id: string,
  change: StateChange,
): Promise<Outcome<StoredTenant, Refusal>> {
  const { world, by } = asker
  if (id === DEFAULT_TENANT && change.to === 'suspended')
    return fail(refusal('conflict', OWN_SUSPENDED))
  if (id === DEFAULT_TENANT && !hasState(world, id)) return fail(refusal('conflict', OWN_SHARED))
  const result = await update<Outcome<Changed, Refusal>>(world, `the tenant ${id}`, async () => {
    const current = await findOrDefault(world, id)
    if (!current) return fail(missingTenant())
    if (isGone(current.tenant.status)) return fail(exists(current.tenant))
    const cancels = change.to === 'suspended' && change.running === 'cancel'
    const next = withStatus(world, current.tenant, change.to, cancels ? by : undefined)
    if (next === undefined) return ok({ tenant: current.tenant, number: 0 })
    if (!(await writeTenant(world, next, current.version))) return undefined
    return ok({ tenant: next, number: (current.version ?? 0) + 1 })
  })
  if (!result.ok) return result
  const { tenant, number } = result.value
  const detail = tenant.cancels ? 'its active runs are cancelled' : undefined
  if (number > 0) await auditTenant(asker, id, number, ACTIONS[change.to], detail)
  // A repeated request sends the wakes again, because the first ones may have been lost.
  if (change.to === 'active') await wakeTenant(world, id)
  if (tenant.cancels) await sendTenant(world, id)
  return ok(tenant)
}

/** Returns the changed row; undefined if nothing changes. */
function withStatus(
  world: World,
  tenant: StoredTenant,
  status: TenantStatus,
  cancelsBy: string | undefined,
): StoredTenant | undefined {
  const starts = cancelsBy !== undefined && tenant.cancels === null
  if (tenant.status === status && !starts) return undefined
  const now = world.clock.now()
  const cancels = starts ? { by: cancelsBy, after: null, cancelled: 0 } : tenant.cancels
  const running = status === 'suspended' ? cancels : null
  const wake_at = running ? now : null
  // After the resumption, a repeated import would replace newer rows.
  const { imports, ...state } = tenant
  const repeatable = status === 'suspended' && imports !== undefined ? { imports } : {}
  return { ...state, ...repeatable, status, cancels: running, wake_at, updated_at: iso(now) }
}
