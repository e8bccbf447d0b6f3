/** MCP server of a layer as written, enabled or not, and why calls to it are rejected. */

import { bindingFault } from '../../core/config/server/secret-binding.ts'
import { judgeServer } from '../../core/config/server/server.ts'
import type { ServerEntry } from '../../core/config/types.ts'
import { isDenied } from '../../core/policy.ts'
import { type Refusal, refusal } from '../../core/problem.ts'
import { fail, type Outcome, ok } from '../../lib/outcome.ts'
import { readPolicy } from '../tenant/policy.ts'
import { entryEtag, findServer, readConfig } from './config-file.ts'
import { withInherited } from './overridden-server.ts'
import type { LayerRef, OperationContext } from './place.ts'

interface LocatedServer {
  readonly server: ServerEntry
  /**
   * Reason why calls to the server are rejected: the policy, the outbound guard, or the server's
   * secret bindings.
   */
  readonly fault: string | undefined
}

export async function serverAt(
  manager: OperationContext,
  place: LayerRef,
  name: string,
): Promise<Outcome<LocatedServer, Refusal>> {
  const { world, tenant } = manager
  const config = await readConfig(manager, place)
  if (!config.ok) return config
  const stored = findServer(config.value, name)
  if (!stored) return fail(refusal('not_found', 'server not found'))
  const judgement = judgeServer(await withInherited(manager, place, stored.raw))
  if (!judgement.ok)
    return fail(refusal('invalid_config', judgement.error[0]?.message ?? 'not valid'))
  const { draft } = judgement.value
  const { policy } = await readPolicy(world, tenant)
  const reason = isDenied(policy.deny.servers, stored.name)
    ? "denied by the tenant's policy"
    : draft.url === null
      ? undefined
      : world.web.check(draft.url)
  const fault = reason ?? bindingFault(draft, await world.secrets.bindings(tenant))
  const origin = { kind: place.kind, layer: place.prefix, key: config.value.path, shadows: [] }
  const etag = entryEtag(stored.table)
  const server = { ...draft, name: stored.name, enabled: true, origin: { ...origin, etag } }
  return ok({ server, fault })
}
