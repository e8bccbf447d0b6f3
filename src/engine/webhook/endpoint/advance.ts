/** What an endpoint owes others: that it was disabled. Told once, then the debt is cleared. */

import type { World } from '../../../ports/world.ts'
import { parsePartition } from '../../partition/keys.ts'
import { readEndpoint, writeEndpoint } from './store.ts'
import { tellEndpoints } from './subscriptions.ts'

const TRIES = 10

export async function advanceEndpoint(world: World, partition: string): Promise<void> {
  const { tenant, id } = parsePartition(partition)
  for (let attempt = 0; attempt < TRIES; attempt += 1) {
    const found = await readEndpoint(world, partition)
    if (!found || found.outbox.length === 0) return
    const href = `/v1/webhook-endpoints/${id}`
    for (const { event } of found.outbox) {
      // Not known to be told: the alarm brings us back.
      if (!(await tellEndpoints(world, tenant, event, href, { except: id }))) return
    }
    const paid = found.outbox.map(({ key }) => ({ op: 'delete', key }) as const)
    if (await writeEndpoint(world, found, found.endpoint, paid)) return
  }
}
