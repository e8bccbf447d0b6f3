/**
 * `subagents`: lets a model query and stop only the subagents that it has started. A stopped
 * subagent reports as cancelled, like any cancelled run.
 */

import type { Call, RunState } from '../../core/run/state/state.ts'
import { isLive, spawnCalls } from '../../core/run/state/state.ts'
import type { RunView } from '../../core/run/views/view.ts'
import { subagents as tool } from '../../core/tools/builtin/subagents.ts'
import { runPartition } from '../partition/keys.ts'
import { headOf } from '../partition/stored.ts'
import type { ToolAnswer } from './answer.ts'
import { bad, good } from './answer.ts'
import { type Caller, performed } from './tool.ts'

interface Args {
  readonly action: 'list' | 'stop' | 'send'
  readonly target?: string
  readonly message?: string
}

export const subagents = performed(tool, { perform: subagentsTool })

async function subagentsTool(caller: Caller, args: Args): Promise<ToolAnswer> {
  if (args.action === 'list') return list(caller)
  if (args.action === 'send') return send(caller, args)
  const match = target(caller.state, args.target?.trim() ?? '')
  if (typeof match === 'string') return bad(match)
  const { run_id, ended } = match
  // A subagent that has ended stays unchanged and the response gives its status, as in `POST
  // /v1/runs/{id}/cancel`.
  if (ended !== null) return good(JSON.stringify({ run_id, status: ended, note: HAD_ENDED }))
  await caller.stop(match.call)
  return good(JSON.stringify({ run_id, status: 'cancelling' }))
}

async function send(caller: Caller, args: Args): Promise<ToolAnswer> {
  const { state } = caller
  const { message = '' } = args
  if (message.trim() === '') return bad('INVALID_PARAMS: Message is required.')
  const requested = args.target?.trim() ?? ''
  // A reused label may now identify a different subagent than when the model selected it.
  const sameLabel = spawnCalls(state).filter(({ child }) => child?.label === requested)
  if (sameLabel.length > 1) return bad(ambiguous('subagents have used', sameLabel))
  const match = target(state, requested)
  if (typeof match === 'string') return bad(match)
  const sent = await caller.send(match.run_id, message)
  if (!sent.ok) return bad(`INVALID_STATE: ${match.run_id} has already ended.`)
  return good(JSON.stringify({ run_id: match.run_id, message_id: sent.value.message_id }))
}

function ambiguous(phrase: string, calls: readonly Call[]): string {
  const ids = calls.map(({ child }) => child?.run_id).join(', ')
  return `AMBIGUOUS: ${calls.length} ${phrase} this label: ${ids}. Pass the run ID.`
}

async function list({ world, tenant, state }: Caller): Promise<ToolAnswer> {
  const children = spawnCalls(state).flatMap(({ child }) => (child ? [child] : []))
  const heads = await world.store.heads(children.map(({ run_id }) => runPartition(tenant, run_id)))
  const entries = children.map(({ run_id, agent, label, task, announce }, index) => {
    const row = heads[index]
    if (announce) return { run_id, agent, label, task, status: announce.status }
    const view = row ? headOf<RunView>(row.body).view : { status: 'queued' }
    const { status, waiting_on } = view as Pick<RunView, 'status'> & Partial<RunView>
    return { run_id, agent, label, task, status, ...(waiting_on ? { waiting_on } : {}) }
  })
  return good(JSON.stringify({ subagents: entries }))
}

const HAD_ENDED = 'The run had already ended; nothing was cancelled.'

interface Target {
  readonly call: string
  readonly run_id: string
  /** Terminal status of the subagent; null while it is active. */
  readonly ended: string | null
}

/** Finds a subagent by run ID, or by a label that only one active subagent has. */
function target(state: RunState, requested: string): Target | string {
  const { id, root_run_id } = state.spec!
  if (requested === '') return 'INVALID_PARAMS: target is required.'
  if (requested === id || requested === root_run_id) return 'INVALID_STATE: Not a subagent run'
  const childCalls = spawnCalls(state).filter(({ child }) => child !== null)
  const byId = childCalls.find(({ child }) => child?.run_id === requested)
  const labelled = childCalls.filter(({ child }) => child?.label === requested)
  const live = labelled.filter(isLive)
  if (!byId && live.length > 1) {
    return ambiguous('live subagents have', live)
  }
  const call = byId ?? live[0] ?? labelled.at(-1)
  if (!call?.child)
    return `NOT_FOUND: subagent ${JSON.stringify(requested.slice(0, 100))} not found.`
  return { call: call.id, run_id: call.child.run_id, ended: call.child.announce?.status ?? null }
}
