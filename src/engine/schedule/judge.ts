/** Rejects an invalid schedule when written, because no client is connected when it is due. */

import { findAgent } from '../../core/config/layer/catalog.ts'
import type { Refusal } from '../../core/problem.ts'
import { at, endRefused } from '../../core/schedule/request.ts'
import type { Definition } from '../../core/schedule/schedule.ts'
import { toolsRefused } from '../../core/tools/requested-tools.ts'
import { fail, type Outcome, ok } from '../../lib/outcome.ts'
import type { World } from '../../ports/world.ts'
import { noAgent, noModel } from '../layers/not-found.ts'
import { resolveLayers } from '../layers/resolve.ts'
import { selection } from '../layers/selection.ts'
import { laterSubject } from '../session/subject.ts'
import { findModel, priceRefused, readPolicy } from '../tenant/policy.ts'
import { targetRefused } from '../webhook/target.ts'

/** Returns the schedule definition with the agent's ID as spelled in its file. */
export async function checkDefinition(
  world: World,
  tenant: string,
  definition: Definition,
  secret: string | undefined,
): Promise<Outcome<Definition, Refusal>> {
  const { run } = definition
  const hasEnded = endRefused(definition, world.clock.now())
  if (hasEnded) return fail(hasEnded)
  const misnamed = toolsRefused(run)
  if (misnamed) return fail(misnamed)
  const target = run.webhook && targetRefused(world, { ...run.webhook, secret }, '/webhook')
  if (target) return fail(target)
  const subject = await laterSubject(world, tenant, run)
  if (!subject.ok) return subject
  const layers = selection({ ...run, subject: subject.value })
  if (!layers.ok) return layers
  if (world.model.ready) await world.model.ready()
  const [resolved, { policy }] = await Promise.all([
    resolveLayers(world, tenant, layers.value),
    readPolicy(world, tenant),
  ])
  if (!resolved.ok) return resolved
  const agent = findAgent(resolved.value, run.agent)
  if (!agent) return fail(noAgent(resolved.value, run.agent))
  const agentModel = agent.model === 'inherit' ? undefined : (agent.model ?? undefined)
  const model = findModel(world, policy, run.model ?? agentModel ?? agent.model_role ?? undefined)
  if (!model.ok) return fail(noModel(model.error))
  const unpriced = priceRefused(policy, model.value, run.limits ?? {})
  if (unpriced !== undefined) return fail(at('/limits/max_cost_usd', unpriced))
  return ok({ ...definition, run: { ...run, agent: agent.id } })
}
