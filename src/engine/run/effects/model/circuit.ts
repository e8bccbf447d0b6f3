/**
 * A circuit for each tenant and model in a process: while calls fail in a row, one of them at a
 * time tries whether the model is back, and the others fail at once instead of asking it too. What
 * a tenant's own requests cause keeps no other tenant from the model.
 */

import { LIMITS } from '../../../../core/limits.ts'
import { bounded } from '../../../../lib/bounded.ts'
import { fail, type Outcome } from '../../../../lib/outcome.ts'
import type { ModelAnswer, ModelFailure, ModelRequest, World } from '../../../../ports/world.ts'
import { processMemory } from '../../../partition/process.ts'
import type { Context } from '../context.ts'

/** Times are of the clock that never goes back, in ms. */
interface Circuit {
  /** Failures in a row. */
  failures: number
  /** When it opened last; undefined: it is closed. */
  openedAt: number | undefined
  /** The next call before this fails at once; the first after it tries the model. */
  until: number
  pauseMs: number
  said: string
}

type Answer = Outcome<ModelAnswer, ModelFailure>
type Options = Parameters<World['model']['respond']>[1]

const FIRST_MS = 1_000
const LONGEST_MS = LIMITS.model_circuit_seconds * 1_000
/** A try that has not ended by then keeps no other from trying. */
const TRY_MS = 60_000
/** Models that are down, of all tenants; of more the oldest is forgotten. */
const KEPT = 1_000

const circuits = processMemory('circuits', () => bounded<Circuit>(KEPT))
/** Runs whose calls are under way: a second pass over one must not fail before the first is answered. */
const asking = processMemory('asking', () => new Set<string>())

/** One call of a model, unless its circuit is open; a run without patience asks in any case. */
export async function askModel(
  context: Context,
  request: ModelRequest,
  options: Options,
): Promise<Answer> {
  const runs = asking(context.world.store)
  const run = `${context.tenant} ${context.state.spec!.id}`
  const isFirst = !runs.has(run)
  if (isFirst) runs.add(run)
  try {
    return await askThrough(context, request, options, !isFirst)
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
  const all = circuits(world.store)
  const key = `${tenant} ${request.model}`
  const began = world.clock.monotonic()
  const known = all.get(key)
  const isForced = state.outage?.forced === true
  const asksAnyway = isUnderWay || isForced || state.started?.model_patience_seconds === 0
  if (known?.openedAt !== undefined && !asksAnyway) {
    if (began < known.until) return held(known, known.until - began)
    known.until = began + TRY_MS
  }
  const answer = await world.model.respond(request, options)
  if (!answer.ok && answer.error.code === 'aborted') {
    // Nothing is known: the next call may try.
    if (known) known.until = Math.min(known.until, world.clock.monotonic())
  } else if (answer.ok || !answer.error.retryable) {
    all.delete(key)
  } else {
    all.set(key, failedAgain(all.get(key), answer.error, began, world.clock.monotonic()))
  }
  return answer
}

function held({ failures, said }: Circuit, retryAfterMs: number): Answer {
  const message = `not asked, as ${failures} calls in a row have failed; the last was told: ${said}`
  return fail({ code: 'unavailable', message, retryable: true, retryAfterMs })
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
  // Calls that were under way when it opened say nothing new.
  if (circuit.openedAt !== undefined && began < circuit.openedAt) return circuit
  circuit.openedAt = now
  circuit.pauseMs = Math.min(LONGEST_MS, circuit.pauseMs === 0 ? FIRST_MS : circuit.pauseMs * 2)
  circuit.until = now + Math.min(LONGEST_MS, Math.max(circuit.pauseMs, retryAfterMs))
  return circuit
}
