/**
 * Shows a run's configuration as of its start. The configuration is read from the run's pin, which
 * is kept as long as the run.
 */

import { withoutUserinfo } from '../../core/redaction.ts'
import type { Pin, PinnedAgentFile, Route } from '../../core/run/log/pin.ts'
import { meansOf } from '../../core/run/prompt/structured-output.ts'
import type { RunState } from '../../core/run/state/state.ts'
import { deferredTools } from '../../core/tools/deferred-tools.ts'
import { pinOf } from '../../engine/run/effects/context.ts'
import { getOwn } from '../../lib/own-member.ts'
import type { World } from '../../ports/world.ts'
import { shownServer } from './redact.ts'

type Nulls<T> = { readonly [K in keyof T]: null }

/** Completes a file entry of an older release's pin, which stored only the ID. */
const fileless = (id: string): { readonly id: string } & Nulls<Omit<PinnedAgentFile, 'id'>> => ({
  ...{ id, layer: null, path: null, body_digest: null },
})

/**
 * Returns the run's configuration; undefined if the run has not started, or ended before its start.
 */
export async function runConfig(world: World, tenant: string, state: RunState) {
  const { started } = state
  const spec = state.spec!
  if (started === null) return undefined
  const pin = await pinOf({ world, tenant, state })
  const hidden = new Set(deferredTools(pin).map(({ name }) => name))
  const { max_children, max_depth, ...budget } = spec.limits
  return {
    run_id: spec.id,
    object: 'run.config',
    agent: pin.agent ?? fileless(started.agent),
    model: started.model,
    window: started.window,
    fallbacks: (started.fallbacks ?? []).map(({ model }) => model),
    model_settings: pin.settings ?? null,
    limits: {
      max_steps: started.max_steps,
      timeout_seconds: started.timeout_seconds,
      model_patience_seconds: started.model_patience_seconds,
      max_tokens: budget.max_tokens ?? null,
      max_model_calls: budget.max_model_calls ?? null,
      max_cost_usd: budget.max_cost_usd ?? null,
      ...{ max_children, max_depth },
    },
    config_digest: started.config_digest,
    pin_digest: started.pin,
    prompt: pin.system,
    notes: pin.notes,
    output_schema: pin.output_schema ?? null,
    structured_output: pin.output_schema ? (meansOf(state) ?? OLDER) : null,
    tools: pin.tools.map((tool) => ({
      ...tool,
      ...sourceOf(getOwn(pin.routes, tool.name)),
      ...rulesOf(pin, tool.name),
      ...(hidden.has(tool.name) ? { deferred: true } : {}),
    })),
    missing_tools: pin.missing?.tools ?? null,
    servers: Object.values(pin.servers).map(serverOf),
    missing_servers: pin.missing?.servers ?? null,
    skills: pin.skills.map(({ id, description, key, file_digest, files }) => ({
      ...{ id, description, path: key, file_digest },
      files: files.map(({ path, etag }) => ({ path, etag })),
    })),
    agents: pin.agents.map(({ id, body_digest }) => ({ id, body_digest })),
    layers: pin.layers ?? null,
    warnings: started.warnings ?? [],
  }
}

const OLDER = { native: false, reason: 'the run was started by an older release' }

function sourceOf(route: Route | undefined) {
  if (route?.kind !== 'mcp') return { source: route?.kind ?? 'builtin' } as const
  return { source: 'mcp', server: route.server, server_tool: route.tool } as const
}

const rulesOf = ({ rules = {}, argument_rules = {} }: Pin, name: string) => {
  const rule = getOwn(rules, name)
  const byArguments = getOwn(argument_rules, name)
  return {
    ...(rule === undefined ? {} : { rule: rule.rule, ruled_by: rule.by }),
    ...(byArguments === undefined ? {} : { argument_rules: byArguments }),
  }
}

/** Returns an MCP server's location and the names of its secrets, never a value. */
function serverOf(server: Pin['servers'][string]) {
  const { name, transport, url, command, args, cwd, origin, ...members } = shownServer(server)
  return {
    ...{ name, transport, url, command, cwd },
    args: args.map(withoutUserinfo),
    env: Object.keys(members.env),
    http_headers: Object.keys(members.http_headers),
    env_http_headers: members.env_http_headers,
    bearer_token_env_var: members.bearer_token_env_var,
    layer: origin.layer,
  }
}
