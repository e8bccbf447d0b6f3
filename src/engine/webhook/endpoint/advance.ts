/**
 * Endpoint outbox: the notice that the endpoint was disabled. The notice is sent once, and then its
 * outbox entry is cleared.
 */

import type { World } from '../../../ports/world.ts'
import { parsePartition } from '../../partition/keys.ts'
import { retry } from '../../partition/update.ts'
import { readEndpoint, writeEndpoint } from './store.ts'
import { tellEndpoints } from './subscriptions.ts'

const TRIES = 10

export async function advanceEndpoint(world: World, partition: string): Promise<void> {
  const { tenant, id } = parsePartition(partition)
  await retry(world, TRIES, async () => {
    const current = await readEndpoint(world, partition)
    if (!current || current.outbox.length === 0) return true
    const href = `/v1/webhook-endpoints/${id}`
    for (const { event } of current.outbox) {
      // The notice may not have been sent; the alarm retries.
      if (!(await tellEndpoints(world, tenant, event, href, { except: id }))) return true
    }
    const sent = current.outbox.map(({ key }) => ({ op: 'delete', key }) as const)
    return (await writeEndpoint(world, current, current.endpoint, sent)) || undefined
  })
}
