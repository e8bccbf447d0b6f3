/** Performs a management operation: the one place that REST, the model's tools and MCP call. */

import type * as z from 'zod'
import {
  OPERATIONS,
  type OperationInput,
  type OperationName,
} from '../../core/manage/operations.ts'
import { withoutNulls } from '../../core/nulls.ts'
import { type ProblemPlace, type Refusal, refusal } from '../../core/problem.ts'
import { fail, type Outcome, ok } from '../../lib/outcome.ts'
import { dropCaches } from '../layers/cache.ts'
import { resolveLayers } from '../layers/resolve.ts'
import { deleteAgent, getAgent, listAgents, putAgent } from './agents.ts'
import type { LayerRef, OperationContext } from './place.ts'
import { placeOf } from './place.ts'
import { deleteServer, listServers, putServer, setServerEnabled } from './servers.ts'
import { deleteSkill, getSkill, listSkills, putSkill, setSkillEnabled } from './skills.ts'

export type { OperationContext as Manager } from './place.ts'

type Result = Promise<Outcome<object, Refusal>>
type Perform = { readonly [N in OperationName]: PerformOne<N> }
type PerformOne<N extends OperationName> = (
  manager: OperationContext,
  place: LayerRef,
  given: OperationInput<N>,
) => Result

const PERFORM: Perform = {
  skills_list: listSkills,
  skills_get: getSkill,
  skills_put: putSkill,
  skills_delete: deleteSkill,
  skills_set_enabled: setSkillEnabled,
  mcp_list: listServers,
  mcp_put_server: putServer,
  mcp_delete_server: deleteServer,
  mcp_set_enabled: setServerEnabled,
  agents_list: listAgents,
  agents_get: getAgent,
  agents_put: putAgent,
  agents_delete: deleteAgent,
  runtime_reload: reloadRuntime,
}

/** The operation's result, or why it is refused; `given` is checked here. */
export async function manage(
  manager: OperationContext,
  operation: OperationName,
  given: unknown,
): Result {
  const { input: schema } = OPERATIONS[operation]
  const parsed = schema.safeParse(withoutNulls(schema, given))
  if (!parsed.success) {
    const errors = parsed.error.issues.flatMap(places).slice(0, 20)
    const [first] = errors
    return fail(
      refusal('invalid_request', `${first?.pointer ?? ''} ${first?.message}`.trim(), { errors }),
    )
  }
  const input = parsed.data as OperationInput<typeof operation>
  const place = await placeOf(manager, input)
  if (!place.ok) return place
  return (PERFORM[operation] as PerformOne<OperationName>)(manager, place.value, input as never)
}

function places(issue: z.core.$ZodIssue): ProblemPlace[] {
  const pointer = issue.path.map((key) => `/${String(key)}`).join('')
  if (issue.code !== 'unrecognized_keys') return [{ pointer, message: issue.message }]
  const message = 'This parameter is not known here.'
  return issue.keys.map((key) => ({ pointer: `${pointer}/${key}`, message }))
}

/** Drops what is cached of the tenant; runs under way keep what they have pinned. */
async function reloadRuntime(
  manager: OperationContext,
  place: LayerRef,
  given: OperationInput<'runtime_reload'>,
): Result {
  const { world, tenant } = manager
  dropCaches(world.objects, tenant)
  world.tools.forget(tenant)
  const layers = {
    base: { base_dir: place.prefix },
    role: { role: place.prefix.slice('roles/'.length, -1) },
    repo: { role: given.role, repo_dir: place.prefix },
  }
  const { kind } = place
  const asked = kind === 'base' || kind === 'role' || kind === 'repo' ? layers[kind] : {}
  const resolved = await resolveLayers(world, tenant, asked)
  if (!resolved.ok) return resolved
  const message = 'Runs that start from now on read everything anew; this one keeps what it has.'
  return ok({ reloaded: true, message, config_digest: resolved.value.digest })
}
