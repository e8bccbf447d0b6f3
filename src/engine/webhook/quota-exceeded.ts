/**
 * Report of a refusal by a quota: a log line, and an event for the endpoints of the tenant. The ID
 * of an event derives from its quota, limit, and period, so all refusals of a period create one
 * delivery for each endpoint. The period is that of the quota, or the hour if its count never
 * starts again.
 */

import type { Refusal } from '../../core/problem.ts'
import type { ResourceQuota } from '../../core/tenant-quotas.ts'
import { wants } from '../../core/webhook/endpoint.ts'
import type { WebhookEvent } from '../../core/webhook/signature.ts'
import { derivedId } from '../../lib/id.ts'
import { boundedCache } from '../../lib/lru-cache.ts'
import { iso } from '../../lib/time.ts'
import type { World } from '../../ports/world.ts'
import { processMemory } from '../partition/process.ts'
import { quotaRefusal, reserveSlot, type Slot } from '../tenant/resource-quota.ts'
import { endpointsOf } from './endpoint/store.ts'
import { tellEndpoints } from './endpoint/subscriptions.ts'

const HOUR_MS = 3_600_000
const TYPE = 'quota.exceeded'

/** Events of this process with their receivers; avoids a write for each refusal. */
const sentOf = processMemory('quotaEvents', () => boundedCache<true>(1_000))

/** Rejects another resource as `quotaRefusal` does, and reports a quota as the reason. */
export const resourceRefusal = async (
  world: World,
  tenant: string,
  kind: ResourceQuota,
): Promise<Refusal | undefined> => reported(world, tenant, await quotaRefusal(world, tenant, kind))

/** Reserves the slots of a resource as `reserveSlot` does, and reports a quota as the reason. */
export const reserveResource = async (world: World, slot: Slot): Promise<Refusal | undefined> =>
  reported(world, slot.tenant, await reserveSlot(world, slot))

async function reported(
  world: World,
  tenant: string,
  rejection: Refusal | undefined,
): Promise<Refusal | undefined> {
  if (rejection?.code === 'quota_exceeded') await reportExceeded(world, tenant, rejection)
  return rejection
}

/** Reports a refusal; a failure is logged, and a later refusal retries the event. */
export async function reportExceeded(
  world: World,
  tenant: string,
  { extra = {} }: Refusal,
): Promise<void> {
  const { owner, key_id = null, quota, limit, used, resets_at = null } = extra
  world.log?.write({ level: 'info', event: TYPE, tenant, quota: String(quota) })
  try {
    const subscribers = (await endpointsOf(world, tenant)).filter(({ events }) =>
      wants(events, TYPE),
    )
    if (subscribers.length === 0) return
    const now = world.clock.now()
    const period = resets_at ?? Math.floor(now / HOUR_MS)
    const event: WebhookEvent = {
      id: derivedId('evt', tenant, ...[key_id, quota, limit, period].map(String)),
      type: TYPE,
      run_id: null,
      seq: 0,
      created_at: iso(now),
      data: { tenant, owner, key_id, quota, limit, used, resets_at },
    }
    const name = [event.id, ...subscribers.map(({ id }) => id)].join(' ')
    if (sentOf(world.store).get(name)) return
    if (await tellEndpoints(world, tenant, event, '/v1/usage')) sentOf(world.store).set(name, true)
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    world.log?.write({ level: 'warn', event: 'quota.event_unwritten', tenant, message })
  }
}
