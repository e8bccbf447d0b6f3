/**
 * The request that starts a run like one that there is, from what its first fact keeps: the same
 * input and members, and by name what cannot be given again. Values that are shown to nobody stay
 * out of it.
 */

import { LIMITS } from '../core/limits.ts'
import { isRef } from '../core/message.ts'
import { withoutValues } from '../core/redacted.ts'
import { JOIN_DEFAULT, type RunSpec } from '../core/run/facts.ts'
import { homeOfRun } from '../engine/partition/home.ts'
import { load } from '../engine/tenant/blobs.ts'
import { canonical } from '../lib/digest.ts'
import type { World } from '../ports/world.ts'
import type { LeftOut } from './schemas/run-request.ts'

export async function runRequest(world: World, tenant: string, spec: RunSpec) {
  const left: LeftOut[] = []
  const input = await inputOf(world, tenant, spec, left)
  const { agent, label, role, repo_dir, base_dir, model, mcp_config_path } = spec
  const named = { label, role, repo_dir, base_dir, model, mcp_config_path, tools: spec.tools }
  const { strict, on_duplicate, disallowed_tools, metadata, join } = spec
  const request = {
    ...{ input, agent },
    ...Object.fromEntries(Object.entries(named).filter(([, value]) => value !== null)),
    ...(disallowed_tools.length > 0 ? { disallowed_tools } : {}),
    ...serversOf(spec, left),
    ...(strict ? { strict } : {}),
    ...(on_duplicate === 'shadow' ? {} : { on_duplicate }),
    ...(canonical(join) === canonical(JOIN_DEFAULT) ? {} : { join }),
    ...limitsOf(spec),
    ...pick(spec, 'model_settings', 'output_schema', 'output_schema_required', 'approvals'),
    ...pick(spec, 'priority'),
    ...(Object.keys(metadata).length > 0 ? { metadata } : {}),
  }
  noteRest(spec, left)
  return { object: 'run.request' as const, run_id: spec.id, request, left_out: left }
}

async function inputOf(world: World, tenant: string, spec: RunSpec, left: LeftOut[]) {
  const home = homeOfRun(tenant, spec)
  const messages = await Promise.all(
    spec.input.map(async ({ role, text }) => ({ role, content: await load(world, home, text) })),
  )
  const media = spec.input.flatMap(({ text }) => (isRef(text) ? (text.media ?? []) : []))
  for (const { name, media_type } of media) {
    const why = 'pictures and files are not part of the text; attach it again'
    left.push({ member: 'input', why: `${name ?? media_type}: ${why}` })
  }
  const [only, ...more] = messages
  return only?.role === 'user' && more.length === 0 ? only.content : messages
}

/** Servers whose values are hidden would be started without them: they are left out whole. */
function serversOf({ mcp_servers }: RunSpec, left: LeftOut[]) {
  const kept = Object.entries(mcp_servers ?? {}).filter(([name, server]) => {
    if (canonical(withoutValues(server)) === canonical(server)) return true
    const why = `${name}: its values are shown to nobody; give the server again`
    left.push({ member: 'mcp_servers', why })
    return false
  })
  return kept.length === 0 ? {} : { mcp_servers: Object.fromEntries(kept) }
}

function limitsOf({ limits }: RunSpec) {
  const { max_steps, timeout_seconds, max_children, ...budget } = limits
  const { max_tokens = null, max_model_calls = null, max_cost_usd = null } = budget
  const all = { max_steps, timeout_seconds, max_tokens, max_model_calls, max_cost_usd }
  const given = Object.entries({
    ...all,
    max_children: max_children === LIMITS.children_per_run ? null : max_children,
  }).filter(([, value]) => value !== null)
  return given.length === 0 ? {} : { limits: Object.fromEntries(given) }
}

const pick = (spec: RunSpec, ...names: readonly (keyof RunSpec)[]) =>
  Object.fromEntries(
    names.flatMap((name) => (spec[name] === undefined ? [] : [[name, spec[name]]])),
  )

/** By member, and when it applies. */
function noteRest(spec: RunSpec, left: LeftOut[]): void {
  const rest: readonly (readonly [boolean, string, string])[] = [
    [spec.turn !== null, 'session_id', 'it begins in a session of its own, without what was said'],
    [spec.webhook !== null, 'webhook', 'its secret is shown to nobody; give the webhook again'],
    [spec.start_at !== undefined, 'start_at', 'it may begin at once'],
    [spec.expires_at !== undefined, 'expires_in', 'it was counted from the time of that run'],
    [spec.instructions !== undefined, 'instructions', 'only the doors that take them give them'],
    [spec.caller_tools !== undefined, 'caller_tools', 'only the doors that take them give them'],
    [spec.fork !== undefined, 'fork_context', 'the messages of the run above it are not given on'],
    [spec.agent_entry !== null, 'agent', 'its file lies in the layers of the run above it'],
    [
      spec.model === null && spec.inherited_model !== null,
      'model',
      'the model of the run above it is not given on',
    ],
    [
      spec.parent !== null,
      'parent_run_id',
      'nothing above it counts: its rules, its budget and its approvals are those of a run alone',
    ],
  ]
  for (const [applies, member, why] of rest) if (applies) left.push({ member, why })
}
