/** Tests one MCP server of a layer as written, enabled or not, over a separate connection. */

import type { Refusal } from '../../core/problem.ts'
import { toolFindings } from '../../core/tools/tool-findings.ts'
import { visible } from '../../lib/invisible-characters.ts'
import { fail, type Outcome, ok } from '../../lib/outcome.ts'
import type { ListFinding } from '../../ports/world.ts'
import { countUnreachable, scanRefused } from '../tenant/unreachable.ts'
import type { LayerRef, OperationContext } from './place.ts'
import { serverAt } from './server-at.ts'

export interface Probed {
  readonly name: string
  readonly reachable: boolean
  readonly protocol_version: string | null
  readonly tools: readonly { readonly name: string; readonly description: string }[]
  /** Findings about the tool list and its tools, including omitted and corrected tools. */
  readonly findings: readonly ListFinding[]
  /** Time until the tools were listed or the test failed, in milliseconds. */
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
  const target = await serverAt(manager, place, name)
  if (!target.ok) return target
  const { server, fault } = target.value
  const names = await world.secrets.names(tenant, 'mcp')
  const requiredSecrets = [
    server.bearer_token_env_var,
    server.oauth?.client_secret_env_var ?? null,
    ...Object.values(server.env_http_headers),
  ]
  const missing_secrets = requiredSecrets.filter(
    (secret): secret is string => secret !== null && !names.has(secret),
  )
  const none = {
    name: server.name,
    reachable: false,
    protocol_version: null,
    tools: [],
    findings: [],
  }
  if (fault !== undefined) return ok({ ...none, latency_ms: 0, missing_secrets, error: fault })
  const scan = server.url === null ? undefined : scanRefused(world, tenant)
  if (scan) return fail(scan)
  const began = world.clock.monotonic()
  const answer = await world.tools.probe(tenant, server)
  const latency_ms = Math.round(world.clock.monotonic() - began)
  if (!answer.ok) {
    if (server.url !== null) countUnreachable(world, tenant, server.url)
    return ok({ ...none, latency_ms, missing_secrets, error: answer.error })
  }
  const { protocol_version, findings: ofList = [] } = answer.value
  const ofTools = toolFindings(answer.value.tools)
  const findings = [...ofList, ...ofTools.map((finding) => ({ ...finding, left_out: false }))]
  const tools = answer.value.tools.map(({ name: tool, description }) => ({
    name: visible(tool).text,
    description: visible(description).text,
  }))
  return ok({
    ...none,
    reachable: true,
    protocol_version,
    tools,
    findings: findings.map(({ tool, left_out, message }) => ({
      tool: tool === null ? null : visible(tool).text,
      left_out,
      message: visible(message).text,
    })),
    latency_ms,
    missing_secrets,
    error: null,
  })
}
