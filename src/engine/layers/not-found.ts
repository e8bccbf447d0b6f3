/** Refusals of a request that names an unknown agent or model. */

import { whyNoAgent } from '../../core/config/layer/reasons.ts'
import type { Resolved } from '../../core/config/types.ts'
import { type ProblemPlace, type Refusal, refusal } from '../../core/problem.ts'
import type { ModelMissing } from '../../ports/world.ts'

/** Refuses an unknown agent, or explains why an existing agent cannot be used. */
export function noAgent(
  resolved: Pick<Resolved, 'agents' | 'records'>,
  requestedAgent: string,
  pointers: readonly string[] = ['/agent'],
): Refusal {
  const available = resolved.agents.map(({ id }) => id).sort()
  const name = JSON.stringify(requestedAgent)
  const reason = whyNoAgent(resolved, requestedAgent)
  const places = (message: string) => pointers.map((pointer) => ({ pointer, message }))
  const list = `Available: ${available.join(', ')}.`
  if (reason !== undefined) {
    const detail = `Agent ${name} is unavailable: ${reason}. ${list}`
    return refusal('agent_unavailable', detail, { errors: places(reason), extra: { available } })
  }
  const detail = `Agent ${name} not found. ${list}`
  return refusal('unknown_agent', detail, { errors: places('unknown agent'), extra: { available } })
}

/**
 * Refuses an unknown model; a model listed only by an unavailable server returns with that server.
 */
export const noModel = (
  { message, away: isAway }: ModelMissing,
  errors?: ProblemPlace[],
): Refusal =>
  isAway
    ? refusal('unavailable', message)
    : refusal('model_not_configured', message, errors ? { errors } : {})
