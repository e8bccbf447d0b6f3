/** Registry of management operations, which REST, the model's tools, and MCP share. */

import {
  OPERATIONS,
  type OperationInput,
  type OperationName,
} from '../../core/manage/operations.ts'
import { type Refusal, refusal } from '../../core/problem.ts'
import { fail, type Outcome, ok } from '../../lib/outcome.ts'
import { dropCaches } from '../layers/cache.ts'
import { resolveLayers } from '../layers/resolve.ts'
import { deleteAgent, getAgent, listAgents, patchAgent, putAgent, rollbackAgent } from './agents.ts'
import { authorizeServer, forgetAuthorization } from './authorization.ts'
import { importLayer } from './import.ts'
import { parsedInput } from './input.ts'
import { migrateLayer } from './migrate.ts'
import { type LayerRef, type OperationContext, placeOf, type Where } from './place.ts'
import { probeServer } from './probe.ts'
import {
  deleteServer,
  getServer,
  listServers,
  patchServer,
  putServer,
  rollbackServer,
  setServerEnabled,
} from './servers.ts'
import {
  deleteSkill,
  getSkill,
  listSkills,
  putSkill,
  rollbackSkill,
  setSkillEnabled,
} from './skills.ts'
import { compareVersion, readVersion } from './versions.ts'

export {
  deleteMemory,
  MEMORY_PLACE,
  type MemoryContext,
  memoryOperation,
  rebuildMemory,
  statusOfMemory,
} from './memory.ts'
export type { OperationContext as Manager } from './place.ts'
export { scheduleOperation } from './schedules.ts'

type Result = Promise<Outcome<object, Refusal>>
type PerformOne<N extends OperationName> = (
  manager: OperationContext,
  place: LayerRef,
  input: OperationInput<N>,
) => Result

/** Operations that models and MCP clients may call. Their parameters are defined in core/manage. */
const OFFERED = {
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
} satisfies { readonly [N in OperationName]: PerformOne<N> }

/** Operations for REST only. A model writes complete files and restores no versions. */
const BY_ROUTES = {
  skills_rollback: rollbackSkill,
  agents_patch: patchAgent,
  agents_rollback: rollbackAgent,
  mcp_get_server: getServer,
  mcp_patch_server: patchServer,
  mcp_rollback_server: rollbackServer,
  mcp_test_server: probeServer,
  mcp_authorize_server: authorizeServer,
  mcp_forget_authorization: forgetAuthorization,
  versions_get: readVersion,
  versions_compare: compareVersion,
  layers_migrate: migrateLayer,
  layers_import: importLayer,
}

const REGISTRY = { ...OFFERED, ...BY_ROUTES }
type Registry = typeof REGISTRY
export type RegisteredName = keyof Registry
export type InputOf<N extends RegisteredName> = Parameters<Registry[N]>[2]
type ResultOf<N extends RegisteredName> =
  Awaited<ReturnType<Registry[N]>> extends Outcome<infer T, Refusal> ? T : never

const READS: ReadonlySet<RegisteredName> = new Set([
  ...(['skills_list', 'skills_get', 'agents_list', 'agents_get'] as const),
  ...(['mcp_list', 'mcp_get_server', 'versions_get', 'versions_compare'] as const),
])

/** Rejects an operation on a layer that the caller's key may not write. */
function layerRefusal({ writable }: OperationContext, { prefix }: LayerRef): Refusal | undefined {
  if (!writable || writable.some((root) => prefix.startsWith(root))) return undefined
  const detail = `The key can write only below ${writable.join(', ')}, not to ${prefix}.`
  return refusal('insufficient_scope', detail)
}

/** Performs an operation with validated parameters, from any interface. */
export async function perform<N extends RegisteredName>(
  manager: OperationContext,
  operation: N,
  where: Where,
  input: InputOf<N>,
): Promise<Outcome<ResultOf<N>, Refusal>> {
  const place = await placeOf(manager, where)
  if (!place.ok) return place
  const rejection = READS.has(operation) ? undefined : layerRefusal(manager, place.value)
  if (rejection) return fail(rejection)
  const handler = REGISTRY[operation] as (
    ...args: [OperationContext, LayerRef, InputOf<N>]
  ) => Promise<Outcome<ResultOf<N>, Refusal>>
  return handler(manager, place.value, input)
}

/** Performs an operation for models and MCP clients after validating its parameters. */
export async function manage(
  manager: OperationContext,
  operation: OperationName,
  input: unknown,
): Result {
  const { input: schema } = OPERATIONS[operation]
  const parsed = parsedInput(schema, input)
  if (!parsed.ok) return parsed
  return perform(manager, operation, parsed.value as Where, parsed.value as never)
}

/** Drops the tenant's caches. Runs in progress keep their pinned configuration. */
async function reloadRuntime(
  manager: OperationContext,
  place: LayerRef,
  input: OperationInput<'runtime_reload'>,
): Result {
  const { world, tenant } = manager
  dropCaches(world.objects, tenant)
  await world.tools.forget(tenant)
  const layers = {
    base: { base_dir: place.prefix },
    role: { role: place.prefix.slice('roles/'.length, -1) },
    repo: { role: input.role, repo_dir: place.prefix },
  }
  const { kind } = place
  const layerSelection = kind === 'base' || kind === 'role' || kind === 'repo' ? layers[kind] : {}
  const resolved = await resolveLayers(world, tenant, layerSelection)
  if (!resolved.ok) return resolved
  const message = 'New runs read the new files; this run keeps its configuration.'
  return ok({ reloaded: true, message, config_digest: resolved.value.digest })
}
