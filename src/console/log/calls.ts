/** Applies events of a tool call; each event changes only its call. */

import type { components } from '../../client/index.ts'
import type { Call, RunView } from './shape.ts'

type Schemas = components['schemas']
type Change = Partial<Call> | ((call: Call) => Partial<Call>)

export function replaced(run: RunView, id: string, change: Change): RunView {
  const at = run.items.findLastIndex((item) => item.kind === 'call' && item.key === id)
  const call = run.items[at]
  if (call?.kind !== 'call') return run
  const next = { ...call, ...(typeof change === 'function' ? change(call) : change) }
  return { ...run, items: run.items.with(at, next) }
}

export function resulted(run: RunView, data: Schemas['ToolResultData']): RunView {
  const { call, status, text, duration_ms } = data
  return replaced(run, call, { status, result: text, duration_ms })
}

export function decided(run: RunView, data: Schemas['ApprovalDecidedData']): RunView {
  const { id, decision, reason } = data
  const changed = data.arguments === undefined ? {} : { arguments: data.arguments }
  return replaced(run, data.call, ({ status }) => ({
    status: status === 'asks' ? 'pending' : status,
    approval: { id, decision, reason },
    ...changed,
  }))
}

export function spawned(run: RunView, data: Schemas['SubagentSpawnedData'], at: string): RunView {
  const { run_id, agent, label, task } = data
  const child = { run_id, agent, label, task }
  return replaced(run, data.call, { status: 'running', since: at, child })
}
