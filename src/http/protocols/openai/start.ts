/**
 * Converts an OpenAI request to a turn: a new run, the session's next run, or a waiting run that
 * continues. The turn is accepted like every other run (`engine/run/accept.ts`).
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
import type { RequestKey } from '../../../engine/tenant/idempotency.ts'
import type { World } from '../../../ports/world.ts'
import { granted, RequestRefused, refuse } from '../../request/problem.ts'
import { moved } from '../../request/refusal-pointer.ts'
import { type Turn, turnsOf } from '../../turn/turns.ts'
import { callName, type ResponseName, responseName } from './ids.ts'
import { type Conversation, placeIn, type Result } from './input.ts'

export interface Starting {
  readonly world: World
  readonly tenant: string
  readonly keyed: RequestKey | undefined
  readonly conversation: Conversation
  /** Run request members except the input and the session. */
  readonly request: Omit<RunRequest, 'input' | 'session_id'>
  readonly previous?: string | undefined
  readonly session?: string | undefined
}

export interface Started extends ResponseName {
  readonly replayed: boolean
}

const at = (pointer: string, message: string) =>
  refuse('invalid_request', message, { errors: [{ pointer, message }] })

/** Starts the turn; a rejection uses JSON pointers of the OpenAI request. */
export async function startTurn(start: Starting): Promise<Started> {
  try {
    return await begin(start)
  } catch (error) {
    if (!(error instanceof RequestRefused)) throw error
    throw new RequestRefused(
      moved(error.refusal, (place) => placeIn(start.conversation, place)),
      error.headers,
    )
  }
}

async function begin(start: Starting): Promise<Started> {
  const { conversation, previous, session } = start
  if (previous !== undefined && session !== undefined)
    throw at('/conversation', 'Pass either a conversation or a previous_response_id.')
  const previousTurn = previous === undefined ? undefined : await previousOf(start, previous)
  if (conversation.results.length > 0) return goOn(start, previousTurn?.run)
  if (previousTurn) await maySucceed(start, previousTurn)
  const session_id = previousTurn ? previousTurn.run.state.spec!.session_id : session
  if (session !== undefined) await hasNoCalls(start, session)
  return accept(start, session_id)
}

async function accept(start: Starting, session_id: string | undefined): Promise<Started> {
  const { world, tenant, keyed: idempotency, conversation, request } = start
  const { messages } = conversation
  const [only] = messages
  if (only === undefined) throw at('/input', 'The input contains no message.')
  const input = messages.length === 1 && only.role === 'user' ? only.content : messages
  const runRequest = { ...request, input, ...(session_id === undefined ? {} : { session_id }) }
  const earlierTurns = session_id === undefined ? [] : await turnsIn(start, session_id)
  const {
    run,
    replayed,
    answered: answerInfo,
  } = granted(await acceptRun(world, tenant, runRequest, idempotency))
  const id = run.state.spec!.id
  return { run: id, turn: answerInfo ? nextTurn(earlierTurns) : 0, replayed }
}

/** Returns the index of the turn that starts with the new input. */
const nextTurn = (turns: readonly Turn[]): number => {
  const last = turns.at(-1)
  if (last === undefined) return 0
  return last.end === 'parked' ? last.index + 1 : last.index
}

/** Returns the turns of the session's active run. */
async function turnsIn({ world, tenant }: Starting, session: string): Promise<Turn[]> {
  const current = (await findSession(world, tenant, session))?.state.current?.run_id
  return current === undefined ? [] : turnsOfRun(world, tenant, current)
}

async function turnsOfRun(world: World, tenant: string, run: string): Promise<Turn[]> {
  const rows = await world.store.read(runPartition(tenant, run))
  return turnsOf(factsAfter<RunFact>(rows, 0))
}

interface PreviousTurn {
  readonly name: ResponseName
  readonly run: Committed
}

async function previousOf({ world, tenant }: Starting, id: string): Promise<PreviousTurn> {
  const name = responseName(id)
  const run = name && (await readRun(world, runPartition(tenant, name.run)))
  if (!run) throw refuse('not_found', `Response ${id} not found.`)
  return { name, run }
}

/**
 * Rejects a previous response that already has a successor, because a conversation has no branches.
 */
async function maySucceed(start: Starting, { name, run }: PreviousTurn): Promise<void> {
  const { world, tenant } = start
  const { state } = run
  if (openCallerCalls(state).length > 0) throw noOutput(run)
  const turns = await turnsOfRun(world, tenant, name.run)
  const isLast = name.turn === turns.at(-1)?.index
  if (isLast && openQuestion(state) && turns.at(-1)?.end === 'parked') return
  if (!isTerminal(state)) throw refuse('conflict', 'The previous response is still in progress.')
  const session = await findSession(world, tenant, state.spec!.session_id)
  if (!session)
    throw refuse(
      'not_found',
      'The conversation that contains the previous response has been deleted.',
    )
  const count = runCount(session)
  const [newest] = await runsOf(world, tenant, session, { from: count - 1, to: count })
  if (isLast && newest === name.run) return
  throw refuse(
    'conflict',
    'Only the newest response in a conversation can be continued; for another branch, ' +
      `fork the session ${state.spec!.session_id} (POST /v1/sessions/{id}/fork) and pass ` +
      'the fork as `conversation`.',
  )
}

/**
 * Rejects a session with pending client functions, because a run that waits for them would delay
 * the next run for up to a day.
 */
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

/** Continues a waiting run with the results of all open calls and the messages next to them. */
async function goOn(start: Starting, previousRun: Committed | undefined): Promise<Started> {
  const { world, tenant, conversation, keyed: idempotency } = start
  const { results, messages } = conversation
  const { run: id } = results[0]!.name
  const other = results.find(
    ({ name }) => name.run !== (previousRun ? previousRun.state.spec!.id : id),
  )
  if (other) throw at('/input', `No tool call found for the output of ${other.call_id}.`)
  const partition = runPartition(tenant, id)
  const run = await readRun(world, partition)
  if (!run) throw at('/input', `No tool call found for the output of ${results[0]!.call_id}.`)
  const outputs = results.map((result) => ({ call: calledAs(run, result), text: result.text }))
  const callIds = new Set(outputs.map(({ call }) => call))
  const open = openCallerCalls(run.state)
  if (open.some((call) => callIds.has(call.id)) && !open.every((call) => callIds.has(call.id)))
    throw noOutput({ ...run, state: withOnly(run, callIds) })
  if (openQuestion(run.state) && messages.length === 0)
    throw at(
      '/input',
      'The run is also waiting for an answer from the user; send a message with the ' + 'outputs.',
    )
  const turns = await turnsOfRun(world, tenant, id)
  const seenTurn = turns.find(({ facts }) => facts.some(({ fact }) => isOf(fact, outputs[0]!.call)))
  for (const [index, { content }] of messages.entries()) {
    const contents = granted(
      await readContent(world, tenant, content, { pointer: `/input/${index}/content` }),
    )
    const key = idempotency
      ? `input ${idempotency.key} ${index}`
      : `output ${outputs[0]!.call} ${index}`
    granted(await sendMessage(world, partition, contents, { key }))
  }
  granted(await bringResults(world, partition, outputs))
  return { run: id, turn: seenTurn?.index ?? nextTurn(turns), replayed: seenTurn !== undefined }
}

const isOf = (fact: RunFact, call: string): boolean =>
  fact.type === 'tool.result' && fact.call === call

function calledAs({ state }: Committed, { name, call_id }: Result): string {
  const id = state.steps[name.step]?.calls[name.index]
  if (id === undefined || state.calls.get(id)?.mode !== 'caller')
    throw at('/input', `No tool call found for the output of ${call_id}.`)
  return id
}

/** Returns the run state without the calls that are already answered. */
function withOnly({ state }: Committed, callIds: ReadonlySet<string>): Committed['state'] {
  const calls = [...state.calls].filter(([id]) => !callIds.has(id))
  return { ...state, calls: new Map(calls) }
}
