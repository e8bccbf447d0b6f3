/**
 * Circuit breaker for each tenant and model in a process. After consecutive failures, the circuit
 * opens: one call at a time probes the model, and the other calls fail immediately. Circuits are
 * per tenant, so that requests that cause provider failures affect no other tenant.
 */

import { LIMITS } from '../../../../core/limits.ts'
import type { Price } from '../../../../core/policy.ts'
import { boundedCache } from '../../../../lib/lru-cache.ts'
import { fail, type Outcome } from '../../../../lib/outcome.ts'
import type { ModelAnswer, ModelFailure, ModelRequest, World } from '../../../../ports/world.ts'
import { processMemory } from '../../../partition/process.ts'
import { keysOf } from '../../../tenant/provider-keys.ts'
import { mayBegin, TenantHalted } from '../../../tenant/state.ts'
import type { Context } from '../context.ts'
import { metered } from './metered.ts'

/** State of a circuit. Times are milliseconds on the monotonic clock. */
interface Circuit {
  /** Number of consecutive failed model calls. */
  failures: number
  /** Last time when the circuit opened; undefined while it is closed. */
  openedAt: number | undefined
  /** Time until which calls fail immediately. The first later call probes the model. */
  until: number
  pauseMs: number
  said: string
}

type Answer = Outcome<ModelAnswer, ModelFailure>
type Options = Omit<Parameters<World['model']['respond']>[1], 'keys'>

const FIRST_MS = 1_000
const LONGEST_MS = LIMITS.model_circuit_seconds * 1_000
/** Duration in milliseconds after which a pending probe no longer blocks the next one. */
const PROBE_MS = 60_000
/** Maximum number of circuits of all tenants. The least recently used circuit is evicted. */
const MAX_CIRCUITS = 1_000

const circuits = processMemory('circuits', () => boundedCache<Circuit>(MAX_CIRCUITS))
/**
 * Runs with a model call in progress. If a second pass failed immediately, the first pass's answer
 * would be discarded.
 */
const asking = processMemory('asking', () => new Set<string>())

/**
 * Makes one model call unless the model's circuit is open or a quota of the tenant is exceeded.
 * `price` is the list price of the request's model. Runs without patience and requested
 * retries always call the model.
 */
export async function askModel(
  context: Context,
  request: ModelRequest,
  options: Options,
  price: Price | undefined,
): Promise<Answer> {
  const runs = asking(context.world.store)
  const run = `${context.tenant} ${context.state.spec!.id}`
  const isFirst = !runs.has(run)
  if (isFirst) runs.add(run)
  try {
    return await metered(context, request, price, (bounded) =>
      askThrough(context, bounded, options, !isFirst),
    )
  } finally {
    if (isFirst) runs.delete(run)
  }
}

async function askThrough(
  { world, tenant, state }: Context,
  request: ModelRequest,
  options: Options,
  isUnderWay: boolean,
): Promise<Answer> {
  // Checked before each call, because one effect may call several models.
  if (!(await mayBegin(world, tenant))) throw new TenantHalted()
  const all = circuits(world.store)
  const { subject } = state.spec!
  // The key of an end user has its own limits.
  const key = `${tenant} ${request.model} ${subject ?? ''}`
  const began = world.clock.monotonic()
  const circuit = all.get(key)
  const { forced = false, gives_up_at = Number.POSITIVE_INFINITY } = state.outage ?? {}
  // The final attempt before a run stops retrying always calls the model.
  const isLast = forced || world.clock.now() >= gives_up_at
  const asksAnyway = isUnderWay || isLast || state.started?.model_patience_seconds === 0
  const isProbe = circuit?.openedAt !== undefined && !asksAnyway
  if (isProbe) {
    if (began < circuit.until) return circuitFailure(circuit)
    circuit.until = began + PROBE_MS
  }
  const answer = await world.model.respond(request, {
    ...options,
    keys: keysOf(world, tenant, subject),
  })
  if (!answer.ok && answer.error.code === 'aborted') {
    // An aborted probe has no result, so the next call may probe.
    if (isProbe) circuit.until = world.clock.monotonic()
  } else if (answer.ok || !answer.error.retryable) {
    all.delete(key)
  } else {
    all.set(key, failedAgain(all.get(key), answer.error, began, world.clock.monotonic()))
  }
  return answer
}

/**
 * Returns the failure of a call while the circuit is open. The run's own backoff follows; another
 * run's `Retry-After` does not apply.
 */
function circuitFailure({ failures, said: lastMessage }: Circuit): Answer {
  const message = `not called after ${failures} consecutive failures; last failure: ${lastMessage}`
  return fail({ code: 'unavailable', message, retryable: true })
}

function failedAgain(
  circuit: Circuit = { failures: 0, openedAt: undefined, until: 0, pauseMs: 0, said: '' },
  { message, retryAfterMs = 0 }: ModelFailure,
  began: number,
  now: number,
): Circuit {
  circuit.failures += 1
  circuit.said = message
  if (circuit.failures < LIMITS.model_circuit_failures) return circuit
  // A call that started before the circuit opened does not extend the open period.
  if (circuit.openedAt !== undefined && began < circuit.openedAt) return circuit
  circuit.openedAt = now
  circuit.pauseMs = Math.min(LONGEST_MS, circuit.pauseMs === 0 ? FIRST_MS : circuit.pauseMs * 2)
  circuit.until = now + Math.min(LONGEST_MS, Math.max(circuit.pauseMs, retryAfterMs))
  return circuit
}
