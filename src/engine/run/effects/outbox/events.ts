/**
 * Notifies the tenant's endpoints of a log's events, starting at a position. Deliveries are named
 * after event and endpoint, so a crash only repeats the work.
 */

import type { Outgoing } from '../../../../core/outbox.ts'
import type { LoggedFact, RunFact, RunSpec } from '../../../../core/run/log/facts.ts'
import { eventOf } from '../../../../core/run/views/event.ts'
import type { WebhookEvent } from '../../../../core/webhook/signature.ts'
import { isSubscribedByEndpoints } from '../../../../core/webhook/subscriptions.ts'
import { assert } from '../../../../lib/assert.ts'
import { factKey, runPartition } from '../../../partition/keys.ts'
import { factsAfter } from '../../../partition/log.ts'
import type { AnyFact, ContextOf } from '../../../partition/log-type.ts'
import { aboutRun } from '../../../webhook/about.ts'
import { subscribedTypes, tellEndpoints } from '../../../webhook/endpoint/subscriptions.ts'
import { onward } from '../../../webhook/hops.ts'
import type { Context } from '../context.ts'
import { retryLater } from '../context.ts'

interface EndpointContext<F extends AnyFact> {
  readonly partition: string
  readonly spec: Pick<RunSpec, 'id' | 'hops' | 'trace'> & { readonly parent?: object | null }
  event(stampedFact: LoggedFact<F>): Promise<WebhookEvent>
  /** Returns the path at which the complete event can be fetched. */
  href(seq: number): string
}

export function performEvents(context: Context, from: number) {
  const spec = context.state.spec!
  return tellFrom<RunFact>(context, from, {
    partition: runPartition(context.tenant, spec.id),
    spec,
    event: async (stampedFact) => ({
      ...eventOf(spec.id, stampedFact),
      about: await aboutRun(context, context.state, stampedFact.fact),
    }),
    href: (seq) => `/v1/runs/${spec.id}/events?after=${seq - 1}&limit=1`,
  })
}

/** Sends events from any type of log to the tenant's endpoints. */
export async function tellFrom<F extends AnyFact>(
  context: Pick<ContextOf<unknown>, 'world' | 'tenant' | 'signal'>,
  from: number,
  { partition, spec, event, href }: EndpointContext<F>,
): Promise<{ acknowledged?: Outgoing }> {
  const { world, tenant } = context
  // A fact row is named after its first fact, so the row that contains `from` may start earlier.
  let facts = factsAfter<F>(await world.store.read(partition, firstRow(from)), from - 1)
  if (facts[0]?.seq !== from) facts = factsAfter<F>(await world.store.read(partition), from - 1)
  const last = facts.at(-1)
  assert(facts[0]?.seq === from && last, `event ${from} not found`)
  const subscribed = await subscribedTypes(world, tenant)
  for (const stampedFact of facts) {
    if (!isSubscribedByEndpoints({ spec, subscribed }, stampedFact.fact)) continue
    const of = await event(stampedFact)
    const wasSent = await tellEndpoints(world, tenant, of, href(stampedFact.seq), onward(spec))
    if (!wasSent) {
      await retryLater(context)
      return {}
    }
  }
  return { acknowledged: { to: 'endpoints', upTo: last.seq } }
}

/**
 * Number of facts to step back, so that the read probably includes the row with the first requested
 * fact.
 */
const NEAR = 8
const firstRow = (seq: number): string => factKey(Math.max(0, seq - NEAR))
