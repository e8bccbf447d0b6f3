/**
 * How a request becomes a turn: a new run, the next run of a session, or a run that goes on with
 * what it has waited for. The same path as every other run's (`engine/run/accept.ts`).
 */

import { openQuestion } from '../../../core/run/human-input/question.ts'
import type { RunFact } from '../../../core/run/log/facts.ts'
import { isTerminal } from '../../../core/run/state/state.ts'
import { readRun } from '../../../engine/logs/run.ts'
import { runPartition } from '../../../engine/partition/keys.ts'
import type { Committed } from '../../../engine/partition/log.ts'
import { factsAfter } from '../../../engine/partition/log.ts'
import { acceptRun } from '../../../engine/run/accept.ts'
import { bringResults, openCallerCalls } from '../../../engine/run/caller-tools.ts'
import { readContent } from '../../../engine/run/content.ts'
import { sendMessage } from '../../../engine/run/messages.ts'
import type { RunRequest } from '../../../engine/run/request.ts'
import { runCount, runsOf } from '../../../engine/session/pages.ts'
import { findSession } from '../../../engine/session/store.ts'
import type { Keyed } from '../../../engine/tenant/idempotency.ts'
import type { World } from '../../../ports/world.ts'
import { granted, Refused, refuse } from '../../request/problem.ts'
import { moved } from '../../request/sent-place.ts'
import { type Turn, turnsOf } from '../../turn/turns.ts'
import { callName, type ResponseName, responseName } from './ids.ts'
import { type Conversation, placeIn, type Result } from './input.ts'

export interface Starting {
  readonly world: World
  readonly tenant: string
  readonly keyed: Keyed | undefined
  readonly conversation: Conversation
  /** Everything but the input and the session. */
  readonly request: Omit<RunRequest, 'input' | 'session_id'>
  readonly previous?: string | undefined
  readonly session?: string | undefined
}

export interface Started extends ResponseName {
  readonly replayed: boolean
}

const at = (pointer: string, message: string) =>
  refuse('invalid_request', message, { errors: [{ pointer, message }] })

/** Starts the turn; a refusal names places of the request as its conversation has them. */
export async function startTurn(start: Starting): Promise<Started> {
  try {
    return await begin(start)
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    throw new Refused(
      moved(error.refusal, (place) => placeIn(start.conversation, place)),
      error.headers,
    )
  }
}

async function begin(start: Starting): Promise<Started> {
  const { conversation, previous, session } = start
  if (previous !== undefined && session !== undefined)
    throw at('/conversation', 'Give either a conversation or a previous_response_id.')
  const before = previous === undefined ? undefined : await previousOf(start, previous)
  if (conversation.results.length > 0) return goOn(start, before?.run)
  if (before) await maySucceed(start, before)
  const session_id = before ? before.run.state.spec!.session_id : session
  if (session !== undefined) await hasNoCalls(start, session)
  return accept(start, session_id)
}

async function accept(start: Starting, session_id: string | undefined): Promise<Started> {
  const { world, tenant, keyed, conversation, request } = start
  const { messages } = conversation
  const [only] = messages
  if (only === undefined) throw at('/input', 'The input has no message.')
  const input = messages.length === 1 && only.role === 'user' ? only.content : messages
  const asked = { ...request, input, ...(session_id === undefined ? {} : { session_id }) }
  const before = session_id === undefined ? [] : await turnsIn(start, session_id)
  const { run, replayed, answered } = granted(await acceptRun(world, tenant, asked, keyed))
  const id = run.state.spec!.id
  return { run: id, turn: answered ? nextTurn(before) : 0, replayed }
}

/** The turn that begins with what is brought now. */
const nextTurn = (turns: readonly Turn[]): number => {
  const last = turns.at(-1)
  if (last === undefined) return 0
  return last.end === 'parked' ? last.index + 1 : last.index
}

/** The turns of the active run of the session. */
async function turnsIn({ world, tenant }: Starting, session: string): Promise<Turn[]> {
  const current = (await findSession(world, tenant, session))?.state.current?.run_id
  return current === undefined ? [] : turnsOfRun(world, tenant, current)
}

async function turnsOfRun(world: World, tenant: string, run: string): Promise<Turn[]> {
  const rows = await world.store.read(runPartition(tenant, run))
  return turnsOf(factsAfter<RunFact>(rows, 0))
}

interface Before {
  readonly name: ResponseName
  readonly run: Committed
}

async function previousOf({ world, tenant }: Starting, id: string): Promise<Before> {
  const name = responseName(id)
  const run = name && (await readRun(world, runPartition(tenant, name.run)))
  if (!run) throw refuse('not_found', `Response ${id} not found.`)
  return { name, run }
}

/** A response is followed by one: its conversation has no other branch. */
async function maySucceed(start: Starting, { name, run }: Before): Promise<void> {
  const { world, tenant } = start
  const { state } = run
  if (openCallerCalls(state).length > 0) throw noOutput(run)
  const turns = await turnsOfRun(world, tenant, name.run)
  const isLast = name.turn === turns.at(-1)?.index
  if (isLast && openQuestion(state) && turns.at(-1)?.end === 'parked') return
  if (!isTerminal(state)) throw refuse('conflict', 'The previous response is still in progress.')
  const found = await findSession(world, tenant, state.spec!.session_id)
  if (!found)
    throw refuse('not_found', 'The conversation of the previous response has been deleted.')
  const count = runCount(found)
  const [newest] = await runsOf(world, tenant, found, { from: count - 1, to: count })
  if (isLast && newest === name.run) return
  throw refuse(
    'conflict',
    'Only the newest response of a conversation can be continued; for another branch, fork the ' +
      `session ${state.spec!.session_id} (POST /v1/sessions/{id}/fork) and name the fork as ` +
      'conversation.',
  )
}

/** A run that waits for functions of its caller would keep the next one waiting for a day. */
async function hasNoCalls({ world, tenant }: Starting, session: string): Promise<void> {
  const current = (await findSession(world, tenant, session))?.state.current?.run_id
  const run = current && (await readRun(world, runPartition(tenant, current)))
  if (run && openCallerCalls(run.state).length > 0) throw noOutput(run)
}

function noOutput({ state }: Committed) {
  const [call] = openCallerCalls(state)
  const name = callName({ run: state.spec!.id, step: call!.step, index: call!.index })
  return at('/input', `No tool output found for function call ${name}.`)
}

/** The results of all calls that are open, and messages beside them. */
async function goOn(start: Starting, before: Committed | undefined): Promise<Started> {
  const { world, tenant, conversation, keyed } = start
  const { results, messages } = conversation
  const { run: id } = results[0]!.name
  const other = results.find(({ name }) => name.run !== (before ? before.state.spec!.id : id))
  if (other) throw at('/input', `No tool call found for the output of ${other.call_id}.`)
  const partition = runPartition(tenant, id)
  const run = await readRun(world, partition)
  if (!run) throw at('/input', `No tool call found for the output of ${results[0]!.call_id}.`)
  const brought = results.map((result) => ({ call: calledAs(run, result), text: result.text }))
  const given = new Set(brought.map(({ call }) => call))
  const open = openCallerCalls(run.state)
  if (open.some((call) => given.has(call.id)) && !open.every((call) => given.has(call.id)))
    throw noOutput({ ...run, state: withOnly(run, given) })
  if (openQuestion(run.state) && messages.length === 0)
    throw at('/input', 'The run asks the user, too: give a message beside the outputs.')
  const turns = await turnsOfRun(world, tenant, id)
  const seen = turns.find(({ facts }) => facts.some(({ fact }) => isOf(fact, brought[0]!.call)))
  for (const [index, { content }] of messages.entries()) {
    const said = granted(
      await readContent(world, tenant, content, { pointer: `/input/${index}/content` }),
    )
    const key = keyed ? `input ${keyed.key} ${index}` : `output ${brought[0]!.call} ${index}`
    granted(await sendMessage(world, partition, said, { key }))
  }
  granted(await bringResults(world, partition, brought))
  return { run: id, turn: seen?.index ?? nextTurn(turns), replayed: seen !== undefined }
}

const isOf = (fact: RunFact, call: string): boolean =>
  fact.type === 'tool.result' && fact.call === call

function calledAs({ state }: Committed, { name, call_id }: Result): string {
  const id = state.steps[name.step]?.calls[name.index]
  if (id === undefined || state.calls.get(id)?.mode !== 'caller')
    throw at('/input', `No tool call found for the output of ${call_id}.`)
  return id
}

/** The state without the calls that are answered. */
function withOnly({ state }: Committed, given: ReadonlySet<string>): Committed['state'] {
  const calls = [...state.calls].filter(([id]) => !given.has(id))
  return { ...state, calls: new Map(calls) }
}
