/** Rejections of a request that names an unknown agent or model. */

import { whyNoAgent } from '../../core/config/layer/reasons.ts'
import type { Resolved } from '../../core/config/types.ts'
import { type ProblemPlace, type Refusal, refusal } from '../../core/problem.ts'
import type { ModelMissing } from '../../ports/world.ts'

/**
 * Returns the rejection of an unknown agent, or of an existing agent that cannot be used, with the
 * reason.
 */
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
 * Returns the rejection of an unknown model. A model listed only by an unavailable server returns
 * with that server.
 */
export const noModel = (
  { message, away: isAway }: ModelMissing,
  errors?: ProblemPlace[],
): Refusal =>
  isAway
    ? refusal('unavailable', message)
    : refusal('model_not_configured', message, errors ? { errors } : {})
