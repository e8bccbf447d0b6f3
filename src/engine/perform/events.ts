/**
 * Telling the tenant's endpoints of what stands in the log from a place on. Deliveries are named by
 * event and endpoint, so a crash before the debt is cleared only means that it is done again.
 */

import { eventOf } from '../../core/run/event.ts'
import { isTold } from '../../core/run/told.ts'
import { assert } from '../../lib/assert.ts'
import { tellEndpoints, watchedTypes } from '../endpoint/tell.ts'
import type { Yield } from '../inflight.ts'
import { factsAfter } from '../log.ts'
import { factKey, runPartition } from '../names.ts'
import type { Context } from './context.ts'
import { unpaid } from './context.ts'

export async function performEvents(context: Context, from: number): Promise<Yield> {
  const { world, tenant, state } = context
  const { spec } = state
  assert(spec, 'what owes events has been created')
  // A row is named by its first fact, so the one that holds `from` may begin before it.
  const rows = await world.store.read(runPartition(tenant, spec.id), firstRow(from))
  let facts = factsAfter(rows, from - 1)
  if (facts[0]?.seq !== from) {
    facts = factsAfter(await world.store.read(runPartition(tenant, spec.id)), from - 1)
  }
  const last = facts.at(-1)
  assert(facts[0]?.seq === from && last, `event ${from} is stored`)
  const watched = await watchedTypes(world, tenant)
  for (const stamped of facts) {
    if (!isTold({ spec, watched }, stamped.fact)) continue
    const href = `/v1/runs/${spec.id}/events?after=${stamped.seq - 1}&limit=1`
    const told = await tellEndpoints(world, tenant, eventOf(spec.id, stamped), href)
    if (!told) return unpaid(context)
  }
  return { paid: `events ${last.seq}` }
}

/** A key just before the row that most probably holds it. */
const NEAR = 8
const firstRow = (seq: number): string => factKey(Math.max(0, seq - NEAR))
