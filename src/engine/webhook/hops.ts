/**
 * Counts the inbound hooks of this deployment that a chain has passed: a webhook may end at a hook
 * of the same deployment, whose run sends webhooks again. The count is in a header that only the
 * deployment can write or read, so a lower one cannot be forged; without the header, or with an
 * invalid one, a chain begins.
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
 * The count that webhooks of this run carry; undefined: no inbound hook has started it or its
 * parents.
 */
const hopsAfter = ({ hops }: Pick<RunSpec, 'hops'>): number | undefined =>
  hops === undefined ? undefined : hops + 1

/** The members of a delivery that its receiver goes on with: the chain, and the trace. */
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

/** How many inbound hooks the message has come through before this one. */
export async function hopsIn(world: World, headers: InboundHeaders): Promise<number> {
  const sealed = headers[HOPS_HEADER]
  if (typeof sealed !== 'string') return 0
  const count = (await world.secrets.open(sealed, CONTEXT)) ?? ''
  return COUNT.test(count) ? Number(count) : 0
}

export const isLoop = (hops: number): boolean => hops >= LIMITS.hook_hops
