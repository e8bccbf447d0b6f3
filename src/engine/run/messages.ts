/**
 * Sends a message to an active run. The message is committed before it is acknowledged, and read by
 * the next model call.
 */

import type { Body, BodyRef } from '../../core/message.ts'
import { isRef } from '../../core/message.ts'
import type { Refusal } from '../../core/problem.ts'
import { refusal } from '../../core/problem.ts'
import { messageOf } from '../../core/run/decide/accepts.ts'
import { pauseOf } from '../../core/run/human-input/pause.ts'
import { answeredBy, openQuestion } from '../../core/run/human-input/question.ts'
import { repliesIn } from '../../core/run/human-input/reply.ts'
import type { RunState } from '../../core/run/state/state.ts'
import { parseTraceparent } from '../../core/trace/context.ts'
import { derivedId, random } from '../../lib/id.ts'
import type { Outcome } from '../../lib/outcome.ts'
import { fail, ok } from '../../lib/outcome.ts'
import type { World } from '../../ports/world.ts'
import { command, readRun } from '../logs/run.ts'
import { homeOfRun } from '../partition/home.ts'
import { parsePartition } from '../partition/keys.ts'
import type { Committed } from '../partition/log.ts'
import { spillSaid, type TextWithMedia } from '../tenant/media.ts'

export interface Sent {
  readonly message_id: string
  /** Whether a message with the same key was already received. */
  readonly replayed: boolean
  /** ID of the answered question (a call of the run); null for an ordinary message. */
  readonly answers: string | null
}

interface Sending {
  readonly key?: string | undefined
  readonly by?: 'parent'
  /** JSON pointer to the message text in the request. */
  readonly pointer?: string
  /** Value of the request's `traceparent` header. */
  readonly traceparent?: string | undefined
}

/**
 * Sends a message to a run. `key` makes it idempotent; `by` is a sender that is not a person.
 * Rejects with `not_found`, `run_ended`, and, for a key used with another text,
 * `idempotency_mismatch`.
 */
export async function sendMessage(
  world: World,
  partition: string,
  message: string | TextWithMedia,
  { key, by, pointer = '/content', traceparent }: Sending = {},
): Promise<Outcome<Sent, Refusal>> {
  const { tenant, id: run } = parsePartition(partition)
  const message_id = key ? derivedId('msg', run, key) : random('msg', world.clock.random(17))
  const current = await readRun(world, partition)
  if (!current) return fail(refusal('not_found', 'Run not found.'))
  const home = homeOfRun(tenant, current.state.spec)
  const content = typeof message === 'string' ? { text: message, media: [] } : message
  const body = await spillSaid(world, home, content)
  const existing = messageOf(current.state, message_id)
  if (existing) return sameText(existing, sentAs(current, message_id, true), body)
  const wrong = by === 'parent' ? undefined : unfit(current.state, content.text, pointer)
  if (wrong !== undefined) return fail(wrong)
  const from = { ...(by === undefined ? {} : { by }), ...callerOf(current.state, traceparent) }
  const received = { type: 'message.received', message_id, text: body, ...from } as const
  const after = await command(world, partition, [received])
  if (!after) return fail(refusal('not_found', 'Run not found.'))
  const arrived = messageOf(after.state, message_id)
  if (arrived) return sameText(arrived, sentAs(after, message_id, false), body)
  return fail(refusal('run_ended', 'The run has ended or is being cancelled.'))
}

function callerOf({ spec }: RunState, header: string | undefined) {
  const traceContext = spec?.trace?.exported ? parseTraceparent(header) : undefined
  return traceContext?.caller
    ? { caller: { trace: traceContext.id, span: traceContext.caller } }
    : {}
}

/** Rejects an invalid answer to an MCP server's form while the sender can still correct it. */
function unfit(state: RunState, text: string, pointer: string): Refusal | undefined {
  const open = openQuestion(state)
  const pause = open && pauseOf(open)
  const replies = pause && repliesIn(pause.requests, text)
  if (typeof replies !== 'string') return undefined
  const errors = [{ pointer, message: replies }]
  const detail = `The message does not answer the form of MCP server ${pause?.server}: ${replies}`
  return refusal('invalid_request', detail, { errors })
}

const sentAs = ({ state }: Committed, message_id: string, replayed: boolean): Sent => ({
  message_id,
  replayed,
  answers: answeredBy(state, message_id)?.id ?? null,
})

function sameText(
  existing: { readonly text: Body },
  sent: Sent,
  text: Body,
): Outcome<Sent, Refusal> {
  const same =
    isRef(existing.text) && isRef(text) ? sameRef(existing.text, text) : existing.text === text
  if (same) return ok(sent)
  return fail(
    refusal('idempotency_mismatch', 'This Idempotency-Key was already used with different text.'),
  )
}

const sameRef = (left: BodyRef, right: BodyRef): boolean =>
  digestsOf(left).join() === digestsOf(right).join()

const digestsOf = ({ digest, media = [] }: BodyRef): string[] => [
  digest,
  ...media.map((item) => item.digest),
]
