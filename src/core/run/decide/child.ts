/** The run that a spawn call creates: named by (parent, step, index), so creation is idempotent. */

import { affinityOf, derivedId, derivedIdIn } from '../../../lib/id.ts'
import type { Body } from '../../message.ts'
import { pathOf } from '../human-input/approval.ts'
import type { RunSpec, RunWebhook } from '../log/facts.ts'
import { JOIN_DEFAULT } from '../log/facts.ts'
import type { Pin } from '../log/pin.ts'
import { shapeAsked } from '../prompt/structured-output.ts'
import { allotmentOf, slicedFrom } from '../state/budget.ts'
import type { Call, RunState } from '../state/state.ts'

/** Whose children they are: a run, or a fan-out, which has no depth. */
export interface Namer {
  readonly id: string
  readonly kin?: number | undefined
  readonly depth?: number
}

/** As many as are alive at once where an operator allows many: a place is one thread and memory. */
export const CHILDREN_PER_OBJECT = 64

export function childId(parent: Namer, { step, index }: Pick<Call, 'step' | 'index'>): string {
  const { id, kin: groupSize, depth = 0 } = parent
  if (!groupSize) return derivedId('run', id, step, index)
  const group = Math.floor(index / groupSize)
  // The first children are stored with their parent, but not with its siblings, so that one
  // location never contains a whole tree.
  const place = group === 0 && depth === 0 ? id : derivedId('run', id, 'kin', step, group)
  return derivedIdIn('run', affinityOf(place), id, step, index)
}

/** A run's implicit session has the run's name, so that a caller can continue an ended run. */
export const sessionOf = (runId: string): string => `ses_${runId.slice(runId.indexOf('_') + 1)}`
/** A run may have been started by a fan-out. */
export const isFanoutId = (id: string): boolean => id.startsWith('fan_')
export const runOf = (sessionId: string): string => `run_${sessionId.slice('ses_'.length)}`

/** The content of a spawn call, in our words. */
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

/** `pin`: the parent's; a child that shall not be needs none. */
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
    // A caller's permissions apply to the run and everything below it.
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
      // Older clients send zero for "no separate limit".
      timeout_seconds: request.run_timeout_seconds || null,
      ...allotmentOf(parent),
    },
    ...slicedFrom(parent),
    webhook: endsBelow(spec.webhook),
    ...(spec.approvals ? { approvals: spec.approvals } : {}),
    ...(spec.hops === undefined ? {} : { hops: spec.hops }),
    ...(spec.trace ? { trace: spec.trace } : {}),
    // The receiver knows whose it is.
    metadata: spec.metadata,
    ...shapeAsked(request),
    input: [{ role: 'user', text: child.input }],
  }
}

/** The owner of memory below a subagent: the root's session keeps a single memory. */
function ownerOf({ owner_session, parent }: RunSpec): Pick<RunSpec, 'owner_session'> {
  const owner = owner_session ?? parent?.session_id
  return owner == null ? {} : { owner_session: owner }
}

type HandedDown = Pick<Pin, 'hands_down' | 'run_servers'>

/**
 * The servers that a run was given are those of its subagents, unless a spawn names its own. Those
 * of a file are as they were when the run began: it may lie where file tools can write.
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

/** Approvals below a run are also requested through the root's webhook. */
export function endsBelow(webhook: RunWebhook | null): RunWebhook | null {
  const events = webhook?.events.filter((type) => ASKING.has(type)) ?? []
  return webhook === null || events.length === 0 ? null : { ...webhook, events, generated: false }
}
