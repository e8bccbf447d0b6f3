/** Logs for tests of the pure core: given these facts, what is the state, what follows? */

import { evolve } from '../../src/core/run/evolve.ts'
import type { Announce, Join, LoggedFact, RunFact, RunSpec } from '../../src/core/run/log/facts.ts'
import { JOIN_DEFAULT } from '../../src/core/run/log/facts.ts'
import type { RunState } from '../../src/core/run/state/state.ts'
import { INITIAL } from '../../src/core/run/state/state.ts'

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
  model_patience_seconds: 0,
  ...over,
})

/** A run that is at work and has not answered yet. */
export const begins = [created(), started()] as const

type Mode = 'once' | 'repeatable' | 'write' | 'spawn' | 'refused' | 'caller'

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

/** One whose end is the result of its call. */
export const awaited = (call: string): RunFact => ({ ...spawned(call), wait: true }) as RunFact

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
export function log(...facts: readonly RunFact[]): LoggedFact<RunFact>[] {
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

type Of<T extends RunFact['type']> = Extract<RunFact, { readonly type: T }>

export const messaged = (id: string, text = `message ${id}`): RunFact => ({
  type: 'message.received',
  message_id: id,
  text,
})

export const intended = (
  call: string,
  mode: Of<'tool.call'>['mode'],
  over: Partial<Of<'tool.call'>> = {},
): RunFact => ({ type: 'tool.call', call, tool: 'tool', mode, epoch: 1, ...over })

export const resulted = (call: string, over: Partial<Of<'tool.result'>> = {}): RunFact => ({
  type: 'tool.result',
  call,
  tool: 'tool',
  status: 'ok',
  text: `result of ${call}`,
  duration_ms: 1,
  ...over,
})

export const waiting = (
  on: Of<'run.waiting'>['on'],
  over: Partial<Of<'run.waiting'>> = {},
): RunFact => ({ type: 'run.waiting', on, until: null, ...over })

export const RESUMED: RunFact = { type: 'run.resumed' }

export const cancelRequested = (reason: string | null = null): Of<'cancel.requested'> => ({
  type: 'cancel.requested',
  by: 'api',
  reason,
})

export const timedOut: RunFact = {
  type: 'run.timed_out',
  stop_reason: 'timeout',
  error: { code: 'timeout', message: 'over' },
}

export const completed = (text = 'done'): RunFact => ({
  type: 'run.completed',
  stop_reason: 'end_turn',
  output: { text, structured: null, attachments: [] },
})

/** An answer whose calls a person is asked about first, with these arguments. */
export function asking(step: number, calls: Readonly<Record<string, string>>): RunFact {
  const names = Object.keys(calls)
  const plain = answered(step, Object.fromEntries(names.map((id) => [id, 'once'] as const)))
  if (plain.type !== 'assistant.message') throw new Error('no answer')
  return {
    ...plain,
    parts: names.map((id) => {
      return { type: 'call', id, provider_id: id, tool: 'tool', arguments: calls[id]! } as const
    }),
    calls: plain.calls.map((plan) => ({ ...plan, ask: 'a rule' })),
  }
}

/** What a person said about this call of this run. */
export const decidedOn = (
  call: string,
  id: string,
  over: Partial<Of<'approval.decided'>> = {},
): RunFact => ({
  type: 'approval.decided',
  id,
  call,
  decision: 'approve',
  by: 'key_1',
  reason: null,
  ...over,
})

/** That a subagent waits for a person, or waits no more; `word` is the seq in its own log. */
export const childWaits = (call: string, word: number, until: number | null = null): RunFact => ({
  type: 'subagent.waiting',
  call,
  run_id: `run_${call}`,
  word,
  until,
})

export const childResumed = (call: string, word: number): RunFact => ({
  type: 'subagent.resumed',
  call,
  run_id: `run_${call}`,
  word,
})

/** Budgets and places of a run, none of which binds unless it is named. */
export const limitsOf = (over: Partial<RunSpec['limits']>): Pick<RunSpec, 'limits'> => ({
  limits: {
    max_steps: null,
    timeout_seconds: null,
    max_children: 1_000,
    live_children: 32,
    max_depth: 1,
    ...over,
  },
})
