/**
 * Counts the inbound hooks of this deployment in a chain: a webhook may call a hook of the same
 * deployment, and the hook starts a run with webhooks. Only the deployment can write or read the
 * header that contains the count. A lower count therefore cannot be forged; a missing or invalid
 * header starts a new chain.
 */

import { LIMITS } from '../../core/limits.ts'
import type { RunSpec } from '../../core/run/log/facts.ts'
import { runSpan, traceHeaders, traceparent } from '../../core/trace/context.ts'
import type { Delivery } from '../../core/webhook/delivery.ts'
import type { InboundHeaders } from '../../core/webhook/standard-webhooks.ts'
import type { World } from '../../ports/world.ts'

const HOPS_HEADER = 'strata-hops'

const CONTEXT = 'webhook hops'
const COUNT = /^\d{1,4}$/

/**
 * Returns the hop count for this run's webhooks; undefined if no inbound hook started the run or
 * its parents.
 */
const hopsAfter = ({ hops }: Pick<RunSpec, 'hops'>): number | undefined =>
  hops === undefined ? undefined : hops + 1

/** Returns the members of a delivery that let its receiver continue the hop chain and the trace. */
export function onward(
  spec: Pick<RunSpec, 'id' | 'hops' | 'trace'>,
): Pick<Delivery, 'hops' | 'traceparent'> {
  const hops = hopsAfter(spec)
  const trace = traceparent(spec, runSpan(spec.id))
  return { ...(hops === undefined ? {} : { hops }), ...traceHeaders(trace) }
}

export async function hopsHeader(
  world: World,
  hops: number | undefined,
): Promise<Record<string, string>> {
  if (hops === undefined) return {}
  return { [HOPS_HEADER]: await world.secrets.seal(String(hops), CONTEXT) }
}

/** Returns the number of inbound hooks that the message passed before it reached this hook. */
export async function hopsIn(world: World, headers: InboundHeaders): Promise<number> {
  const sealed = headers[HOPS_HEADER]
  if (typeof sealed !== 'string') return 0
  const count = (await world.secrets.open(sealed, CONTEXT)) ?? ''
  return COUNT.test(count) ? Number(count) : 0
}

export const isLoop = (hops: number): boolean => hops >= LIMITS.hook_hops
