/**
 * An input of a session is the answer when the session's run waits for one, itself or through a
 * subagent: behind that run it would wait for what it could end. The message is named by the
 * request's key, and the reservation says that it answers, so repeating both is harmless.
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

/** The fate of an input that made no run of its own. */
export interface AnsweredInput {
  readonly message_id: string
  /** The run that has the message. */
  readonly run_id: string
  /** The question that it answers; null: that was closed meanwhile, and the model reads it. */
  readonly question: string | null
  /** Members of the request that mean nothing here. */
  readonly ignored: readonly string[]
}

interface AnsweredRun {
  /** The run that has the session. */
  readonly run: Committed
  readonly replayed: boolean
  readonly webhook_secret: undefined
  readonly answered: AnsweredInput
}

type Answering = Outcome<AnsweredRun, Refusal> | undefined

/**
 * Undefined: nothing is asked, or the request says itself what is to happen; a conversation of
 * several messages is no answer.
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

/** The same for a key that has been used; undefined when it stands for a run of its own. */
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
    return fail(refusal('gone', 'The run of this approval has been deleted.'))
  }
  if (!sent.ok) return sent
  const { message_id, replayed, answers: question } = sent.value
  const answer = { message_id, run_id: id, question, ignored: ignoredOf(request) }
  return ok({ run, replayed, webhook_secret: undefined, answered: answer })
}

/** The run whose question is open: this one, or one below it, in the order of their calls. */
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
