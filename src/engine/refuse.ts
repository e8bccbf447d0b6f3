/**
 * Why a run is refused before anything is stored. Layers cost requests to the bucket, so they are
 * looked at only for a request that names something in them; what the start then finds wrong with a
 * file (the model of an agent that nobody named) is the run's failure.
 */

import { findAgent } from '../core/config/catalog.ts'
import { chooseLayers } from '../core/config/select.ts'
import type { LayerSelection, Resolved } from '../core/config/types.ts'
import type { Policy } from '../core/policy.ts'
import type { Refusal } from '../core/problem.ts'
import { refusal } from '../core/problem.ts'
import { unusable } from '../core/tools/usable.ts'
import type { World } from '../ports/world.ts'
import type { RunRequest } from './accept.ts'
import { findModel } from './policy.ts'
import { resolveLayers } from './resolve.ts'

type Asked = LayerSelection &
  Pick<RunRequest, 'agent' | 'model' | 'input' | 'context' | 'output_schema'>

/** What is wrong with a request, as far as the layers can tell; its prefixes are in one spelling. */
export async function refuseRun(
  world: World,
  tenant: string,
  policy: Policy,
  request: Asked,
): Promise<Refusal | undefined> {
  const plain = namesNothing(request) && findModel(world, policy, request.model).ok
  const chosen = plain ? chooseLayers(request) : await resolveLayers(world, tenant, request)
  if (!chosen.ok) return chosen.error
  const refused =
    'agents' in chosen.value ? refuseAgent(world, policy, request, chosen.value) : undefined
  if (refused) return refused
  if (typeof request.input !== 'string' && request.input.at(-1)?.role !== 'user') {
    const errors = [{ pointer: '/input', message: 'the last message must be from the user' }]
    return refusal('invalid_request', 'The input must end with a user message.', { errors })
  }
  if (typeof request.input !== 'string' && request.context?.trim()) {
    const errors = [{ pointer: '/context', message: 'goes with an input that is one text' }]
    return refusal('invalid_request', 'A context goes with an input that is one text.', { errors })
  }
  return schemaRefused(request.output_schema)
}

/** A schema that no answer could be checked against. */
function schemaRefused(schema: RunRequest['output_schema']): Refusal | undefined {
  const wrong = schema && unusable(schema)
  if (!wrong) return undefined
  const pointer = `/output_schema${wrong.pointer}`
  const errors = [{ pointer, message: wrong.message }]
  return refusal('invalid_request', `The schema cannot be used: ${wrong.message} (${pointer})`, {
    errors,
  })
}

/** Whether nothing that layers hold can be missing or wrong: the default agent is always there. */
const namesNothing = (request: Asked): boolean =>
  [request.agent, request.repo_dir, request.mcp_config_path, request.mcp_servers].every(
    (named) => named === undefined,
  ) &&
  request.strict !== true &&
  request.on_duplicate !== 'reject'

function refuseAgent(
  world: World,
  policy: Policy,
  request: Asked,
  resolved: Resolved,
): Refusal | undefined {
  const wanted = request.agent ?? 'general'
  const agent = findAgent(resolved, wanted)
  if (!agent) {
    const available = resolved.agents.map(({ id }) => id).sort()
    const detail = `There is no agent ${JSON.stringify(wanted)}. Available: ${available.join(', ')}.`
    const errors = [{ pointer: '/agent', message: 'unknown agent' }]
    return refusal('unknown_agent', detail, { errors, extra: { available } })
  }
  const own = agent.model === 'inherit' ? undefined : (agent.model ?? undefined)
  const model = findModel(world, policy, request.model ?? own ?? agent.model_role ?? undefined)
  return model.ok ? undefined : refusal('model_not_configured', model.error.message)
}
