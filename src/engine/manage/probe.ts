/** Tests one MCP server of a layer as it is written, enabled or not, on a connection of its own. */

import { bindingFault } from '../../core/config/server/secret-binding.ts'
import { judgeServer } from '../../core/config/server/server.ts'
import { denied } from '../../core/policy.ts'
import { type Refusal, refusal } from '../../core/problem.ts'
import { fail, type Outcome, ok } from '../../lib/outcome.ts'
import { visible } from '../../lib/visible.ts'
import { readPolicy } from '../tenant/policy.ts'
import { entryEtag, findServer, readConfig } from './config-file.ts'
import { withInherited } from './inherited.ts'
import type { LayerRef, OperationContext } from './place.ts'

export interface Probed {
  readonly name: string
  readonly reachable: boolean
  readonly protocol_version: string | null
  readonly tools: readonly { readonly name: string; readonly description: string }[]
  /** Milliseconds until the tools were listed, or until it failed. */
  readonly latency_ms: number
  readonly missing_secrets: readonly string[]
  readonly error: string | null
}

export async function probeServer(
  manager: OperationContext,
  place: LayerRef,
  { name }: { readonly name: string },
): Promise<Outcome<Probed, Refusal>> {
  const { world, tenant } = manager
  const config = await readConfig(manager, place)
  if (!config.ok) return config
  const found = findServer(config.value, name)
  if (!found) return fail(refusal('not_found', 'server not found'))
  const judged = judgeServer(await withInherited(manager, place, found.raw))
  if (!judged.ok) return fail(refusal('invalid_config', judged.error[0]?.message ?? 'not valid'))
  const { draft } = judged.value
  const { policy } = await readPolicy(world, tenant)
  const names = await world.secrets.names(tenant)
  const wanted = [draft.bearer_token_env_var, ...Object.values(draft.env_http_headers)]
  const missing_secrets = wanted.filter((one): one is string => one !== null && !names.has(one))
  const none = { name: found.name, reachable: false, protocol_version: null, tools: [] }
  const why = denied(policy.deny.servers, found.name)
    ? 'denied by the policy of the tenant'
    : draft.url === null
      ? undefined
      : world.web.check(draft.url)
  const mismatch = why ?? bindingFault(draft, await world.secrets.bindings(tenant))
  if (mismatch !== undefined) {
    return ok({ ...none, latency_ms: 0, missing_secrets, error: mismatch })
  }
  const origin = { kind: place.kind, layer: place.prefix, key: config.value.path, shadows: [] }
  const server = { ...draft, enabled: true, origin: { ...origin, etag: entryEtag(found.table) } }
  const began = world.clock.monotonic()
  const answer = await world.tools.probe(tenant, server)
  const latency_ms = Math.round(world.clock.monotonic() - began)
  if (!answer.ok) return ok({ ...none, latency_ms, missing_secrets, error: answer.error })
  const { protocol_version } = answer.value
  const tools = answer.value.tools.map(({ name: tool, description }) => ({
    name: visible(tool).text,
    description: visible(description).text,
  }))
  return ok({
    ...none,
    reachable: true,
    protocol_version,
    tools,
    latency_ms,
    missing_secrets,
    error: null,
  })
}
