/**
 * `subagents`: what a model can do about those it has started. It sees its own children and nobody
 * else's; what it stops reports as cancelled like any other end.
 */

import type { RunState } from '../../core/run/state.ts'
import { isLive, spawnCalls } from '../../core/run/state.ts'
import type { ToolAnswer } from '../builtin/answer.ts'
import { bad, good } from '../builtin/answer.ts'
import type { Head } from '../log.ts'
import { runPartition } from '../names.ts'
import { performCancel } from './cancel.ts'
import type { Context } from './context.ts'

interface Given {
  readonly action: 'list' | 'stop'
  readonly target?: string
}

export async function subagentsTool(context: Context, given: Given): Promise<ToolAnswer> {
  if (given.action === 'list') return list(context)
  const found = target(context.state, given.target?.trim() ?? '')
  if (typeof found === 'string') return bad(found)
  if (!found.live) return bad(`INVALID_STATE: ${found.run_id} has ended already.`)
  await performCancel(context, found.call)
  return good(JSON.stringify({ run_id: found.run_id, status: 'cancelling' }))
}

async function list({ world, tenant, state }: Context): Promise<ToolAnswer> {
  const children = spawnCalls(state).flatMap(({ child }) => (child ? [child] : []))
  const heads = await world.store.heads(children.map(({ run_id }) => runPartition(tenant, run_id)))
  const shown = children.map(({ run_id, agent, label, task, announce }, index) => {
    const row = heads[index]
    const status = announce?.status ?? (row ? (JSON.parse(row.body) as Head).view.status : 'queued')
    return { run_id, agent, label, task, status }
  })
  return good(JSON.stringify({ subagents: shown }))
}

interface Target {
  readonly call: string
  readonly run_id: string
  readonly live: boolean
}

/** By run id, or by a label that only one of those that live has. */
function target(state: RunState, wanted: string): Target | string {
  const { id, root_run_id } = state.spec!
  if (wanted === '') return 'INVALID_PARAMS: target is required.'
  if (wanted === id || wanted === root_run_id) return 'INVALID_STATE: Not a subagent run'
  const own = spawnCalls(state).filter(({ child }) => child !== null)
  const byId = own.find(({ child }) => child?.run_id === wanted)
  const labelled = own.filter(({ child }) => child?.label === wanted)
  const live = labelled.filter(isLive)
  if (!byId && live.length > 1) {
    const ids = live.map(({ child }) => child?.run_id).join(', ')
    return `AMBIGUOUS: ${live.length} live subagents have this label: ${ids}. Give the run id.`
  }
  const call = byId ?? live[0] ?? labelled.at(-1)
  if (!call?.child)
    return `NOT_FOUND: you have no subagent ${JSON.stringify(wanted.slice(0, 100))}.`
  return { call: call.id, run_id: call.child.run_id, live: isLive(call) }
}
