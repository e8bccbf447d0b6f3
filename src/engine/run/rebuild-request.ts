/**
 * Rebuilds the request that created a run from the run's spec. A caller can send the request again,
 * unchanged or edited. Members that the spec does not keep, or that must not be shown, are listed.
 */

import { LIMITS } from '../../core/limits.ts'
import type { ToolSpec } from '../../core/message.ts'
import type { Policy } from '../../core/policy.ts'
import { withoutServerSecrets } from '../../core/redaction.ts'
import { JOIN_DEFAULT, TERMINAL_FACTS } from '../../core/run/log/facts.ts'
import type { RunSpec, RunWebhook } from '../../core/run/log/spec.ts'
import type { RunState } from '../../core/run/state/state.ts'
import { canonical } from '../../lib/digest.ts'
import { iso } from '../../lib/time.ts'
import type { World } from '../../ports/world.ts'
import { homeOfRun } from '../partition/home.ts'
import { load } from '../tenant/blobs.ts'
import { readPolicy } from '../tenant/policy.ts'
import { type Omission, rebuildMessages } from './rebuild-messages.ts'
import type { LimitsRequest, RunRequest, WebhookRequest } from './request.ts'

export interface RebuiltRequest {
  readonly request: RunRequest
  readonly omitted: readonly Omission[]
}

export async function rebuildRequest(
  world: World,
  tenant: string,
  { spec: stored, created_at }: RunState,
): Promise<RebuiltRequest> {
  const spec = stored!
  const { policy } = await readPolicy(world, tenant)
  const servers = withoutServerSecrets(spec.mcp_servers, '/mcp_servers')
  const settings = {
    ...settingsOf(spec, policy),
    ...beginOf(spec, created_at),
    ...(spec.mcp_servers === null ? {} : { mcp_servers: servers.value as Servers }),
    ...(await functionsOf(world, tenant, spec)),
  }
  const bytes = LIMITS.media_body_bytes - Buffer.byteLength(JSON.stringify(settings))
  const messages = await rebuildMessages(world, homeOfRun(tenant, spec), spec.input, bytes)
  const secrets = servers.removed.map((pointer) => ({ pointer, reason: 'secret' }) as const)
  const { omitted, ...input } = messages
  return {
    request: { ...input, ...settings },
    omitted: [...omissionsOf(spec), ...secrets, ...omitted],
  }
}

type Servers = Readonly<Record<string, unknown>>

/** Returns the settings of a request without the members that equal their defaults. */
function settingsOf(spec: RunSpec, policy: Policy) {
  const { agent, turn, tools, disallowed_tools: denied, join, metadata, webhook } = spec
  const isDefaultAgent = agent === 'general' && turn === null
  return {
    ...(isDefaultAgent ? {} : { agent }),
    // Without `on_busy`, the input would answer an open question of the session.
    ...(turn === null ? {} : { session_id: spec.session_id, on_busy: 'enqueue' as const }),
    ...present(spec, ['label', 'role', 'repo_dir', 'base_dir', 'model', 'mcp_config_path']),
    ...present(spec, ['model_settings', 'approvals', 'output_schema', 'output_schema_required']),
    ...present(spec, ['priority', 'subject']),
    ...(tools === null ? {} : { tools }),
    ...(denied.length === 0 ? {} : { disallowed_tools: denied }),
    ...(spec.strict === policy.strict ? {} : { strict: spec.strict }),
    ...(spec.on_duplicate === policy.on_duplicate ? {} : { on_duplicate: spec.on_duplicate }),
    ...(canonical(join) === canonical(JOIN_DEFAULT) ? {} : { join }),
    ...limitsIn(spec),
    ...(webhook === null || webhook.format === 'a2a' ? {} : { webhook: webhookIn(webhook) }),
    ...(Object.keys(metadata).length === 0 ? {} : { metadata }),
  }
}

type Present<T, K extends keyof T> = { readonly [P in K]?: NonNullable<T[P]> }

/** Returns the members of an object that are neither absent nor null. */
const present = <T extends object, K extends keyof T>(
  from: T,
  names: readonly K[],
): Present<T, K> =>
  Object.fromEntries(
    names.flatMap((name) => (from[name] == null ? [] : [[name, from[name]]])),
  ) as Present<T, K>

function limitsIn({ limits }: RunSpec): { readonly limits?: LimitsRequest } {
  const members = {
    ...present(limits, ['max_steps', 'timeout_seconds', 'model_patience_seconds']),
    ...present(limits, ['max_tokens', 'max_model_calls', 'max_cost_usd']),
    ...(limits.max_children === LIMITS.children_per_run
      ? {}
      : { max_children: limits.max_children }),
  }
  return Object.keys(members).length === 0 ? {} : { limits: members }
}

function webhookIn({ url, events, format }: RunWebhook): WebhookRequest {
  const isDefault = canonical(events) === canonical(TERMINAL_FACTS)
  return { url, ...(isDefault ? {} : { events }), ...(format === undefined ? {} : { format }) }
}

/**
 * Returns the start time and the time to wait for it. The spec contains the time of expiry, which
 * counts from a time just before the creation.
 */
function beginOf({ start_at, expires_at }: RunSpec, created_at: number) {
  const from = start_at ?? created_at
  return {
    ...(start_at === undefined ? {} : { start_at: iso(start_at) }),
    ...(expires_at === undefined
      ? {}
      : { expires_in: Math.max(1, Math.ceil((expires_at - from) / 1_000)) }),
  }
}

async function functionsOf(world: World, tenant: string, spec: RunSpec) {
  if (spec.caller_tools === undefined) return {}
  const text = await load(world, homeOfRun(tenant, spec), spec.caller_tools)
  return { caller_tools: JSON.parse(text) as readonly ToolSpec[] }
}

/** Lists the members of the spec that a request cannot contain. */
function omissionsOf(spec: RunSpec): Omission[] {
  const { webhook, input } = spec
  const omitted: readonly (readonly [boolean, string, Omission['reason']])[] = [
    // A subagent that was cancelled before it started has no input.
    [input.every(({ text }) => text === ''), '/input', 'not_stored'],
    [webhook?.format === 'a2a', '/webhook', 'unsupported'],
    [
      webhook !== null && webhook.format !== 'a2a' && !webhook.generated,
      '/webhook/secret',
      'secret',
    ],
    [spec.instructions !== undefined, '/instructions', 'unsupported'],
    [spec.fork !== undefined, '/fork_context', 'inherited'],
    [spec.agent_entry !== null, '/agent', 'inherited'],
    [spec.model === null && spec.inherited_model !== null, '/model', 'inherited'],
    [spec.above !== undefined, '/disallowed_tools', 'inherited'],
  ]
  return omitted.flatMap(([isOmitted, pointer, reason]) => (isOmitted ? [{ pointer, reason }] : []))
}
