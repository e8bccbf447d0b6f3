/** Tests one MCP server of a layer as it is written, enabled or not, on a connection of its own. */

import { warning } from '../../core/config/diagnostic.ts'
import type { Refusal } from '../../core/problem.ts'
import type { RunWarning } from '../../core/run/fact-parts.ts'
import { WARNINGS, warned } from '../../core/run/warning.ts'
import { hiddenTools } from '../../core/tools/hidden.ts'
import { type Outcome, ok } from '../../lib/outcome.ts'
import { visible } from '../../lib/visible.ts'
import type { LayerRef, OperationContext } from './place.ts'
import { serverAt } from './server-at.ts'

export interface Probed {
  readonly name: string
  readonly reachable: boolean
  readonly protocol_version: string | null
  readonly tools: readonly { readonly name: string; readonly description: string }[]
  /** Milliseconds until the tools were listed, or until it failed. */
  readonly latency_ms: number
  readonly missing_secrets: readonly string[]
  readonly error: string | null
  /** Absent: nothing is odd about its tools. */
  readonly warnings?: readonly RunWarning[]
}

/** As diagnostics are: one line, bounded. */
function warningOf(code: string, text: string): RunWarning {
  const { message } = warning(code, text)
  return { code, message }
}

export async function probeServer(
  manager: OperationContext,
  place: LayerRef,
  { name }: { readonly name: string },
): Promise<Outcome<Probed, Refusal>> {
  const { world, tenant } = manager
  const found = await serverAt(manager, place, name)
  if (!found.ok) return found
  const { server, fault } = found.value
  const names = await world.secrets.names(tenant, 'server')
  const wanted = [
    server.bearer_token_env_var,
    server.oauth?.client_secret_env_var ?? null,
    ...Object.values(server.env_http_headers),
  ]
  const missing_secrets = wanted.filter((one): one is string => one !== null && !names.has(one))
  const none = { name: server.name, reachable: false, protocol_version: null, tools: [] }
  if (fault !== undefined) return ok({ ...none, latency_ms: 0, missing_secrets, error: fault })
  const began = world.clock.monotonic()
  const answer = await world.tools.probe(tenant, server)
  const latency_ms = Math.round(world.clock.monotonic() - began)
  if (!answer.ok) return ok({ ...none, latency_ms, missing_secrets, error: answer.error })
  const { protocol_version } = answer.value
  const tools = answer.value.tools.map(({ name: tool, description }) => ({
    name: visible(tool).text,
    description: visible(description).text,
  }))
  const hidden = hiddenTools(server.name, answer.value.tools)
  return ok({
    ...none,
    reachable: true,
    protocol_version,
    tools,
    latency_ms,
    missing_secrets,
    error: null,
    ...warned(hidden.slice(0, WARNINGS).map((text) => warningOf('hidden_characters', text))),
  })
}
