/**
 * Uses a session's input as an answer if the session's run, or a subagent, waits for an answer. A
 * queued run would block the run that it could unblock. The message ID derives from the request's
 * key and the reservation records the answer, so both are idempotent.
 */

import type { Refusal } from '../../core/problem.ts'
import { refusal } from '../../core/problem.ts'
import { openQuestion } from '../../core/run/human-input/question.ts'
import { isLive, spawnCalls } from '../../core/run/state/state.ts'
import { fail, type Outcome, ok } from '../../lib/outcome.ts'
import type { World } from '../../ports/world.ts'
import { readRun } from '../logs/run.ts'
import { runPartition } from '../partition/keys.ts'
import type { Committed } from '../partition/log.ts'
import { findSession } from '../session/store.ts'
import { type Lookup, type Reservation, reserve } from '../tenant/idempotency.ts'
import { messagesIn, readInput, type SaidMessage } from './content.ts'
import { sendMessage } from './messages.ts'
import type { RunRequest } from './request.ts'

/** Outcome of an input that answered a question and started no run. */
export interface AnsweredInput {
  readonly message_id: string
  /** ID of the run that received the answer as a message. */
  readonly run_id: string
  /**
   * ID of the answered question. Null if it was closed before the message arrived; the model then
   * reads the message.
   */
  readonly question: string | null
  /** Request members that do not apply to an answer. */
  readonly ignored: readonly string[]
}

interface AnsweredRun {
  /** Session's active run. */
  readonly run: Committed
  readonly replayed: boolean
  readonly webhook_secret: undefined
  readonly answered: AnsweredInput
}

type Answering = Outcome<AnsweredRun, Refusal> | undefined

/**
 * Delivers an input as an answer. Returns undefined without an open question, with an explicit
 * instruction in the request, or for a conversation of several messages.
 */
export async function answerInput(
  world: World,
  tenant: string,
  request: RunRequest,
  key: Lookup | undefined,
): Promise<Answering> {
  const { session_id, on_busy } = request
  const isAnswer = messagesIn(request.input).length === 1
  if (session_id === undefined || on_busy !== undefined || !isAnswer) return undefined
  const session = await findSession(world, tenant, session_id)
  const current = session?.state.current?.run_id
  if (current === undefined) return undefined
  const asks = await askingRun(world, tenant, current)
  if (asks === undefined) return undefined
  const place = { id: asks, answers: current }
  if (!key) return deliver(world, tenant, request, place, undefined)
  const reserved = await reserve(world, tenant, key, asks, current)
  if (!reserved.ok) return reserved
  return deliverReserved(world, tenant, request, reserved.value, key.keyed.key)
}

/**
 * Redelivers an answer whose idempotency key was already used. Returns undefined if the key belongs
 * to a separate run.
 */
export async function deliverReserved(
  world: World,
  tenant: string,
  request: RunRequest,
  reservation: Reservation,
  key: string,
): Promise<Answering> {
  const { id, answers } = reservation
  return answers === undefined ? undefined : deliver(world, tenant, request, { id, answers }, key)
}

async function deliver(
  world: World,
  tenant: string,
  request: RunRequest,
  { id, answers }: { readonly id: string; readonly answers: string },
  key: string | undefined,
): Promise<Outcome<AnsweredRun, Refusal>> {
  const pointer = '/input'
  const sending = key === undefined ? { pointer } : { pointer, key: `input ${key}` }
  const read = await readInput(world, tenant, request)
  if (!read.ok) return read
  const [{ said: content }] = read.value as [SaidMessage]
  const sent = await sendMessage(world, runPartition(tenant, id), content, sending)
  const run = await readRun(world, runPartition(tenant, answers))
  if (!run || (!sent.ok && sent.error.code === 'not_found')) {
    return fail(refusal('gone', 'The run that requested this approval has been deleted.'))
  }
  if (!sent.ok) return sent
  const { message_id, replayed, answers: question } = sent.value
  const answer = { message_id, run_id: id, question, ignored: ignoredOf(request) }
  return ok({ run, replayed, webhook_secret: undefined, answered: answer })
}

/** Finds the run with an open question: the given run or a descendant, in call order. */
export async function askingRun(
  world: World,
  tenant: string,
  id: string,
): Promise<string | undefined> {
  const run = await readRun(world, runPartition(tenant, id))
  if (!run || run.state.cancel) return undefined
  if (openQuestion(run.state)) return id
  if (run.state.waiting?.on !== 'input') return undefined
  for (const call of spawnCalls(run.state)) {
    const below = isLive(call) && call.child?.waits ? call.child.run_id : undefined
    const asks = below && (await askingRun(world, tenant, below))
    if (asks) return asks
  }
  return undefined
}

const USED: ReadonlySet<string> = new Set(['input', 'context', 'session_id'])

const ignoredOf = (request: RunRequest): string[] =>
  Object.entries(request).flatMap(([name, value]) =>
    value === undefined || USED.has(name) ? [] : [name],
  )
