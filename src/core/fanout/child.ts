/**
 * The runs of a fan-out: one for each task, and the closing one. They are named by the fan-out and
 * their place in it, so creating one twice is creating it once.
 */

import { LIMITS } from '../limits.ts'
import type { Body } from '../message.ts'
import { childId, heardBelow, sessionOf } from '../run/child.ts'
import type { RunSpec } from '../run/facts.ts'
import { JOIN_DEFAULT } from '../run/facts.ts'
import type { FanoutSpec, TaskPlan } from './facts.ts'
import { CLOSING } from './state.ts'

/** The run of a task (by its place in the list) or the closing run. */
export const fanoutChildId = (fanout: string, call: string): string =>
  call === CLOSING
    ? childId(fanout, { step: 1, index: 0 })
    : childId(fanout, { step: 0, index: Number(call) })

/** A subagent like one that a model has started, with nobody above it but the fan-out. */
export function taskSpec(fanout: FanoutSpec, index: number, plan: TaskPlan): RunSpec {
  return {
    ...common(fanout, String(index)),
    kind: 'subagent',
    lane: 'subagent',
    depth: 1,
    agent: plan.agent,
    label: plan.label,
    role: plan.role,
    repo_dir: plan.repo_dir,
    input: [{ role: 'user', text: plan.input }],
  }
}

/** A run like one that a request has created: what it was asked, then the results. */
export function closingSpec(
  fanout: FanoutSpec,
  { agent, input }: { readonly agent: string; readonly input: Body },
  results: Body,
): RunSpec {
  return {
    ...common(fanout, CLOSING),
    kind: 'main',
    lane: 'main',
    depth: 0,
    agent,
    label: null,
    role: null,
    repo_dir: null,
    input: [
      { role: 'user', text: input },
      { role: 'user', text: results },
    ],
  }
}

function common(fanout: FanoutSpec, call: string) {
  const id = fanoutChildId(fanout.id, call)
  return {
    id,
    session_id: sessionOf(id),
    turn: null,
    root_run_id: id,
    parent: { run_id: fanout.id, call, session_id: null },
    agent_entry: null,
    base_dir: null,
    model: null,
    inherited_model: null,
    tools: null,
    disallowed_tools: [],
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
    webhook: heardBelow(fanout.webhook),
    metadata: {},
  } as const
}
