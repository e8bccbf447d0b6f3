/**
 * Child run that a spawn call creates. Its ID derives from (parent, step, index), so creation is
 * idempotent.
 */

import { affinityOf, derivedId, derivedIdIn } from '../../../lib/id.ts'
import type { Body } from '../../message.ts'
import { pathOf } from '../human-input/approval.ts'
import type { RunSpec, RunWebhook } from '../log/facts.ts'
import { JOIN_DEFAULT } from '../log/facts.ts'
import type { Pin } from '../log/pin.ts'
import { shapeAsked } from '../prompt/structured-output.ts'
import { allotmentOf, slicedFrom } from '../state/budget.ts'
import type { Call, RunState } from '../state/state.ts'

/** Parent from whose ID child IDs derive: a run, or a fan-out, which has no depth. */
export interface Namer {
  readonly id: string
  readonly kin?: number | undefined
  readonly depth?: number
}

/**
 * Maximum number of children per object. It equals the highest usual number of live children,
 * because an object is one thread with limited memory.
 */
export const CHILDREN_PER_OBJECT = 64

export function childId(parent: Namer, { step, index }: Pick<Call, 'step' | 'index'>): string {
  const { id, kin: groupSize, depth = 0 } = parent
  if (!groupSize) return derivedId('run', id, step, index)
  const group = Math.floor(index / groupSize)
  // The first children are stored with their parent but not with its siblings, so that one object
  // never contains an entire tree.
  const place = group === 0 && depth === 0 ? id : derivedId('run', id, 'kin', step, group)
  return derivedIdIn('run', affinityOf(place), id, step, index)
}

/**
 * Returns the run's implicit session, which lets a caller continue an ended run. Its ID derives
 * from the run's ID.
 */
export const sessionOf = (runId: string): string => `ses_${runId.slice(runId.indexOf('_') + 1)}`
/** Whether the ID of a parent is the ID of a fan-out. */
export const isFanoutId = (id: string): boolean => id.startsWith('fan_')
export const runOf = (sessionId: string): string => `run_${sessionId.slice('ses_'.length)}`

/** Parameters of a spawn call, in Strata's terms. */
export interface SpawnRequest {
  readonly task: string
  readonly agent?: string
  readonly label?: string
  readonly context?: string
  readonly role?: string
  readonly repo_dir?: string
  readonly model?: string
  readonly run_timeout_seconds?: number
  readonly mcp_config_path?: string
  readonly fork_context?: boolean
  readonly wait?: boolean
  readonly output_schema?: Readonly<Record<string, unknown>>
  readonly output_schema_required?: boolean
}

export interface ChildInput {
  readonly request: SpawnRequest
  readonly agent: string
  readonly agent_entry: string | null
  readonly role: string | null
  readonly repo_dir: string | null
  readonly input: Body
}

/** Builds the spec of a child run. `pin` is the parent's pin; a tombstone needs none. */
export function childSpec(
  parent: RunState,
  call: Call,
  child: ChildInput,
  pin: HandedDown = {},
): RunSpec {
  const spec = parent.spec!
  const id = childId(spec, call)
  const { request } = child
  return {
    id,
    kind: 'subagent',
    lane: 'subagent',
    session_id: sessionOf(id),
    turn: null,
    root_run_id: spec.root_run_id,
    ...(spec.home === undefined ? {} : { home: spec.home }),
    depth: spec.depth + 1,
    parent: { run_id: spec.id, call: call.id, session_id: spec.session_id },
    ancestors: pathOf(parent),
    ...ownerOf(spec),
    agent: child.agent,
    agent_entry: child.agent_entry,
    label: request.label ?? null,
    role: child.role,
    repo_dir: child.repo_dir,
    base_dir: spec.base_dir,
    model: request.model ?? null,
    inherited_model: parent.started?.model ?? null,
    ...(spec.kin ? { kin: spec.kin } : {}),
    // The caller's permissions apply to the root run and all its descendants.
    tools: spec.tools,
    disallowed_tools: spec.disallowed_tools,
    ...(pin.hands_down ? { above: pin.hands_down } : {}),
    ...serversOf(spec, request, pin),
    strict: spec.strict,
    on_duplicate: spec.on_duplicate,
    join: JOIN_DEFAULT,
    limits: {
      ...spec.limits,
      max_steps: null,
      // Older clients send zero to mean that the child has no separate limit.
      timeout_seconds: request.run_timeout_seconds || null,
      ...allotmentOf(parent),
    },
    ...slicedFrom(parent),
    webhook: endsBelow(spec.webhook),
    ...(spec.approvals ? { approvals: spec.approvals } : {}),
    ...(spec.hops === undefined ? {} : { hops: spec.hops }),
    ...(spec.trace ? { trace: spec.trace } : {}),
    // The metadata tells a receiver who owns the child run.
    metadata: spec.metadata,
    ...(spec.subject === undefined ? {} : { subject: spec.subject }),
    ...(spec.key ? { key: spec.key } : {}),
    ...shapeAsked(request),
    input: [{ role: 'user', text: child.input }],
  }
}

/**
 * Returns the memory owner of a subagent's children: all descendants use the memory of the root's
 * session.
 */
function ownerOf({ owner_session, parent }: RunSpec): Pick<RunSpec, 'owner_session'> {
  const owner = owner_session ?? parent?.session_id
  return owner == null ? {} : { owner_session: owner }
}

type HandedDown = Pick<Pin, 'hands_down' | 'run_servers'>

/**
 * Returns the servers of a subagent: the servers of its parent run, unless the spawn call names
 * others. Servers from a file are pinned when the run starts, because file tools may be able to
 * modify that file.
 */
function serversOf(
  { mcp_servers }: RunSpec,
  request: SpawnRequest,
  { run_servers }: HandedDown,
): Pick<RunSpec, 'mcp_config_path' | 'mcp_servers'> {
  const configPath = request.mcp_config_path?.trim() ?? ''
  if (configPath !== '') return { mcp_config_path: configPath, mcp_servers: null }
  return { mcp_config_path: null, mcp_servers: mcp_servers ?? run_servers ?? null }
}

const ASKING: ReadonlySet<string> = new Set([
  'approval.requested',
  'question.asked',
  'question.answered',
])

/** Returns the root's webhook for a descendant, which requests approvals through it. */
export function endsBelow(webhook: RunWebhook | null): RunWebhook | null {
  const events = webhook?.events.filter((type) => ASKING.has(type)) ?? []
  return webhook === null || events.length === 0 ? null : { ...webhook, events, generated: false }
}
