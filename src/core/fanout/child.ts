/**
 * Child runs of a fan-out: one run per task, and the closing run. Their IDs derive from the fan-out
 * and the task's position, so creation is idempotent.
 */

import { derivedId } from '../../lib/id.ts'
import { LIMITS } from '../limits.ts'
import type { Body } from '../message.ts'
import { childId, endsBelow, type Namer, sessionOf } from '../run/decide/child.ts'
import type { Budget, Sliced } from '../run/log/fact-parts.ts'
import type { RunSpec, RunWebhook } from '../run/log/facts.ts'
import { JOIN_DEFAULT } from '../run/log/facts.ts'
import { shapeAsked } from '../run/prompt/structured-output.ts'
import { warned } from '../run/state/warning.ts'
import type { FanoutSpec, TaskPlan } from './facts.ts'
import { LIVE_PAGES } from './open.ts'
import { CLOSING, type PageRef } from './state.ts'

/** Returns the run ID of a task (given by its list position) or of the closing run. */
export const fanoutChildId = (fanout: Namer, call: string): string =>
  call === CLOSING
    ? childId(fanout, { step: 1, index: 0 })
    : childId(fanout, { step: 0, index: Number(call) })

/** Returns the fan-out ID of a page; `call` is the sequence number of the page. */
const pageId = (fanout: string, call: string): string => derivedId('fan', fanout, 'page', call)

/** Returns the ID of a fan-out's child: a run, or the fan-out of a page. */
export const childOf = (fanout: FanoutSpec, call: string): string =>
  fanout.open && call !== CLOSING ? pageId(fanout.id, call) : fanoutChildId(fanout, call)

/**
 * Builds the fan-out of a page. Its tasks belong to the open fan-out, which alone is notified of
 * their ends.
 */
export function pageSpec(
  fanout: FanoutSpec,
  call: string,
  page: PageRef,
  { slice, ...limits }: Budget & Sliced,
): FanoutSpec {
  const { closing: _, open: __, label: ___, ...inherited } = fanout
  const { deadline_seconds: ____, ...join } = fanout.join
  return {
    ...inherited,
    id: pageId(fanout.id, call),
    parent: { run_id: fanout.id, call, page: page.page },
    count: page.count,
    tasks: page.tasks,
    join: { ...join, deadline_seconds: null },
    closing: null,
    webhook: endsOfTasks(fanout.webhook),
    live_children: Math.max(1, Math.floor(fanout.page_children! / LIVE_PAGES)),
    limits,
    ...(slice ? { slice } : {}),
  }
}

/** Returns the webhook of a page: it reports tasks and approvals, but not the end of the page. */
function endsOfTasks(webhook: RunWebhook | null): RunWebhook | null {
  const events = webhook?.events.filter((type) => !type.startsWith('fanout.')) ?? []
  return webhook === null || events.length === 0 ? null : { ...webhook, events, generated: false }
}

/**
 * Builds the run of a task like a subagent that a model starts, except that its only ancestor is
 * the fan-out.
 */
export function taskSpec(
  fanout: FanoutSpec,
  index: number,
  plan: TaskPlan,
  { slice, ...budget }: Budget & Sliced,
): RunSpec {
  const base = common(fanout, String(index))
  return {
    ...base,
    kind: 'subagent',
    lane: 'subagent',
    depth: 1,
    agent: plan.agent,
    label: plan.label,
    role: plan.role,
    repo_dir: plan.repo_dir,
    tools: plan.tools ?? null,
    disallowed_tools: plan.disallowed_tools ?? [],
    ...warned(plan.warnings),
    model: plan.model ?? null,
    ...(plan.model_settings ? { model_settings: plan.model_settings } : {}),
    limits: { ...base.limits, ...timesOf(plan), ...budget },
    ...(slice ? { slice } : {}),
    ...shapeAsked(plan),
    ...fanout.begins,
    metadata: { ...fanout.metadata, ...plan.metadata },
    input: [{ role: 'user', text: plan.input }],
  }
}

const timesOf = ({ timeout_seconds, model_patience_seconds: patience }: TaskPlan) => ({
  timeout_seconds: timeout_seconds ?? null,
  ...(patience === undefined ? {} : { model_patience_seconds: patience }),
})

/**
 * Builds the closing run like a run that a client requests; its input is the caller's request
 * followed by the results.
 */
export function closingSpec(
  fanout: FanoutSpec,
  { agent, input }: { readonly agent: string; readonly input: Body },
  results: Body,
  budget: Budget,
): RunSpec {
  const base = common(fanout, CLOSING)
  const priority = fanout.begins?.priority
  return {
    ...base,
    ...(priority === undefined ? {} : { priority }),
    limits: { ...base.limits, ...budget },
    kind: 'main',
    lane: 'main',
    depth: 0,
    agent,
    label: null,
    role: null,
    repo_dir: null,
    tools: null,
    disallowed_tools: [],
    input: [
      { role: 'user', text: input },
      { role: 'user', text: results },
    ],
  }
}

function common(fanout: FanoutSpec, call: string) {
  const id = fanoutChildId(fanout, call)
  return {
    id,
    session_id: sessionOf(id),
    turn: null,
    root_run_id: id,
    home: fanout.parent?.run_id ?? fanout.id,
    parent: { run_id: fanout.id, call, session_id: null },
    agent_entry: null,
    base_dir: null,
    model: null,
    inherited_model: null,
    ...(fanout.kin ? { kin: fanout.kin } : {}),
    mcp_config_path: null,
    mcp_servers: null,
    strict: fanout.strict,
    on_duplicate: fanout.on_duplicate,
    join: JOIN_DEFAULT,
    limits: {
      max_steps: null,
      timeout_seconds: null,
      max_children: LIMITS.children_per_run,
      live_children: fanout.live_children,
      max_depth: fanout.max_depth,
    },
    webhook: endsBelow(fanout.webhook),
    ...(fanout.trace ? { trace: fanout.trace } : {}),
    ...(fanout.approvals ? { approvals: fanout.approvals } : {}),
    metadata: fanout.metadata ?? {},
    ...(fanout.subject === undefined ? {} : { subject: fanout.subject }),
    ...(fanout.key ? { key: fanout.key } : {}),
  } as const
}
