/** Logs for tests of the pure core: given these facts, what is the state, what follows? */

import { evolve } from '../../src/core/run/evolve.ts'
import type { Announce, Join, RunFact, RunSpec, Stamped } from '../../src/core/run/facts.ts'
import { JOIN_DEFAULT } from '../../src/core/run/facts.ts'
import type { RunState } from '../../src/core/run/state.ts'
import { INITIAL } from '../../src/core/run/state.ts'

export const NOW = 1_800_000_000_000

function spec(over: Partial<RunSpec> = {}): RunSpec {
  return {
    id: 'run_parent',
    kind: 'main',
    lane: 'main',
    session_id: 'ses_parent',
    turn: null,
    root_run_id: 'run_parent',
    depth: 0,
    parent: null,
    agent: 'general',
    agent_entry: null,
    label: null,
    role: null,
    repo_dir: null,
    base_dir: null,
    model: null,
    inherited_model: null,
    tools: null,
    disallowed_tools: [],
    mcp_config_path: null,
    mcp_servers: null,
    strict: false,
    on_duplicate: 'shadow',
    join: JOIN_DEFAULT,
    limits: {
      max_steps: null,
      timeout_seconds: null,
      max_children: 1_000,
      live_children: 32,
      max_depth: 1,
    },
    webhook: null,
    metadata: {},
    input: [{ role: 'user', text: 'go' }],
    ...over,
  }
}

export const created = (over: Partial<RunSpec> = {}): RunFact => ({
  type: 'run.created',
  run: spec(over),
})

export const started = (
  over: Partial<Extract<RunFact, { type: 'run.started' }>> = {},
): RunFact => ({
  type: 'run.started',
  agent: 'general',
  model: 'test/model',
  window: 100_000,
  config_digest: 'digest',
  pin: 'pin',
  max_steps: 50,
  timeout_seconds: 3_600,
  ...over,
})

type Mode = 'once' | 'repeatable' | 'write' | 'spawn' | 'refused'

/** An answer that asks for these calls, or one without calls. */
export function answered(
  step: number,
  calls: Readonly<Record<string, Mode>> = {},
  over: { seen?: number; text?: string } = {},
): RunFact {
  const plans = Object.entries(calls).map(([id, mode]) => ({
    id,
    mode,
    tool: mode === 'spawn' ? 'sessions_spawn' : 'tool',
    ...(mode === 'refused' ? { refusal: 'no' } : {}),
  }))
  return {
    type: 'assistant.message',
    step,
    seen: over.seen ?? 0,
    parts: [
      { type: 'text', text: over.text ?? `step ${step}` },
      ...plans.map(({ id, tool }) => {
        return { type: 'call', id, provider_id: id, tool, arguments: '{}' } as const
      }),
    ],
    calls: plans,
    finish: plans.length > 0 ? 'calls' : 'stop',
    model: 'test/model',
    usage: { input_tokens: 1, output_tokens: 1, model_calls: 1 },
  }
}

export const spawned = (call: string): RunFact => ({
  type: 'subagent.spawned',
  call,
  run_id: `run_${call}`,
  session_id: `ses_${call}`,
  agent: 'general',
  label: call,
  lane: 'subagent',
  task: `task of ${call}`,
})

export function announced(call: string, over: Partial<Announce> = {}): RunFact {
  const announce: Announce = {
    run_id: `run_${call}`,
    agent: 'general',
    label: call,
    task: `task of ${call}`,
    status: 'completed',
    steps: 1,
    result: `result of ${call}`,
    error: null,
    structured: null,
    duration_ms: 1,
    usage: { input_tokens: 1, output_tokens: 1, model_calls: 1 },
    truncated: false,
    ...over,
  }
  const type = announce.status === 'completed' ? 'subagent.announced' : 'subagent.failed'
  return { type, call, announce }
}

export const failedChild = (call: string): RunFact =>
  announced(call, { status: 'failed', result: null, error: { code: 'x', message: 'broken' } })

/** Facts in their places, a second apart from NOW on. */
export function log(...facts: readonly RunFact[]): Stamped<RunFact>[] {
  return facts.map((fact, index) => ({ seq: index + 1, at: NOW + index * 1_000, fact }))
}

export const given = (...facts: readonly RunFact[]): RunState => ({
  ...evolve(INITIAL, log(...facts)),
  epoch: 1,
})

/** A parent at rest with these children spawned. */
export const parentOf = (join: Partial<Join>, ...children: readonly string[]): RunFact[] => [
  created({ join: { ...JOIN_DEFAULT, ...join } }),
  started(),
  answered(0, Object.fromEntries(children.map((child) => [child, 'spawn'] as const))),
  ...children.map(spawned),
  answered(1),
]
