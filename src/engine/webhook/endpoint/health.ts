/**
 * Effect of a delivery attempt on its endpoint's health, written only when the health changes
 * (PROTOCOL.md rule 30). A 410 response, or five days of only failures, disables the endpoint; this
 * is an event of the tenant.
 */

import type { Delivery } from '../../../core/webhook/delivery.ts'
import { afterAttempt, type Endpoint } from '../../../core/webhook/endpoint.ts'
import type { WebhookEvent } from '../../../core/webhook/signature.ts'
import { derivedId } from '../../../lib/id.ts'
import { iso } from '../../../lib/time.ts'
import type { World } from '../../../ports/world.ts'
import { auditRow } from '../../tenant/audit.ts'
import { changeEndpoint, changeOfEndpoint, eventRow } from './store.ts'

/**
 * Records the effect of an attempt on the endpoint's health. `after` is the delivery after the
 * attempt; `inARow` is the number of consecutive failures, including this attempt.
 */
export async function noteHealth(
  world: World,
  after: Delivery,
  endpoint: Endpoint,
  inARow: number,
): Promise<void> {
  const now = world.clock.now()
  const attempt = { ok: after.last_error === null, status: after.last_status, inARow }
  if (afterAttempt(endpoint, attempt, now) === endpoint) return
  const { tenant } = after
  await changeEndpoint(world, tenant, endpoint.id, (current) => {
    // The new health is recomputed from the current state, because two attempts may end at the same
    // time.
    const next = afterAttempt(current.endpoint, attempt, now)
    if (next === current.endpoint || !current.endpoint.enabled) return { stop: undefined }
    if (next.enabled) return { endpoint: next }
    const entry = { kind: 'endpoint', action: 'disable', by: 'system' } as const
    const { id: name, revision: number } = next
    const change = changeOfEndpoint(current.endpoint, next)
    const audited = auditRow(world, tenant, { ...entry, name, number, ...change })
    return {
      endpoint: next,
      rows: [audited, eventRow(disabledEvent(next, now))],
      hasOutgoing: true,
    }
  })
}

function disabledEvent(endpoint: Endpoint, now: number): WebhookEvent {
  const { id, url, disabled_reason, failing_since, revision } = endpoint
  return {
    id: derivedId('evt', id, revision),
    type: 'endpoint.disabled',
    run_id: null,
    seq: revision,
    created_at: iso(now),
    data: {
      endpoint_id: id,
      url,
      reason: disabled_reason,
      failing_since: failing_since === null ? null : iso(failing_since),
    },
  }
}
