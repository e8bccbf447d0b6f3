/**
 * The transcript, derived from the log: everything that the model was shown and said, in order.
 * Subagent results are placed at the step where they first entered a request.
 */

import { byteLength } from '../../../lib/bytes.ts'
import { digest } from '../../../lib/digest.ts'
import { LIMITS } from '../../limits.ts'
import type { AssistantPart, Body, Message } from '../../message.ts'
import { isRef, preview } from '../../message.ts'
import type { Announce } from '../log/facts.ts'
import type { Call, InputEntry, RunState, Step } from '../state/state.ts'
import { currentCalls, lastStep } from '../state/state.ts'
import { todosBefore } from '../state/todos.ts'
import { announceBlock, announcedBody, missingBlock, reports, summaryBlock } from './blocks.ts'
import { repairText } from './structured-output.ts'
import { answeringEnd } from './waiting-spawns.ts'

/** All messages of the run itself; bodies may be references. */
export const messages = (state: RunState): Message[] => [...opening(state), ...from(state, 0)]

/**
 * Returns the messages of the next model call from this run. A summary follows the input when it
 * covers later messages, else precedes it.
 */
export function shownMessages(state: RunState): Message[] {
  const { compacted } = state
  if (compacted === null) return messages(state)
  const { kept_from, summary } = compacted
  const openingMessages = opening(state).map((message) =>
    shortened(message, state.started?.window ?? 0),
  )
  const summaryMessage: Message = {
    role: 'user',
    ...summaryBlock(summary, todosBefore(state, kept_from)),
  }
  const first =
    kept_from === 0 ? [summaryMessage, ...openingMessages] : [...openingMessages, summaryMessage]
  return [...first, ...from(state, kept_from)]
}

/** The opening of a run: its input, and the skill that this activated by hand. */
function opening(state: RunState): Message[] {
  const out: Message[] = (state.spec?.input ?? []).map(({ role, text }) =>
    role === 'user' ? { role, text } : { role, parts: [{ type: 'text', text }] },
  )
  if (state.activation !== null) out.push({ role: 'user', text: state.activation })
  return out
}

/** A quarter of the window is shown of a large input. */
function shortened(message: Message, max: number): Message {
  if (message.role !== 'user' || !isRef(message.text) || message.text.bytes <= max) return message
  return { ...message, text: { ...message.text, max } }
}

/** The part after the opening, from this step on. */
function from(state: RunState, first: number): Message[] {
  const out: Message[] = []
  let seenCount = state.steps[first - 1]?.seen ?? 0
  const room = roomFor(state)
  for (let index = first; index <= state.steps.length; index += 1) {
    const step = state.steps[index]
    const callIds = index > first ? state.steps[index - 1]!.calls : []
    const calls = callIds.map((id) => state.calls.get(id)!)
    const entries = state.pending_input.slice(seenCount, step?.seen)
    // What enters with the same request has the same share.
    const shorten = shared([...answersIn(calls), ...resultsIn(state, entries)], room)
    pushResults(out, calls, shorten)
    const repair = index > first ? repairText(state, index - 1) : undefined
    if (repair !== undefined) out.push({ role: 'user', text: repair })
    pushInbox(out, state, entries, shorten)
    if (step === undefined) break
    seenCount = step.seen
    out.push({ role: 'assistant', parts: step.parts })
  }
  return out
}

/** A session's record of a run that has ended. */
export const remembered = (state: RunState): Message[] => messages(settled(state))

/** The text that the session's next run sees instead of all before; null: it sees everything. */
export const rememberedShort = (state: RunState): Message[] | null =>
  state.compacted === null ? null : shownMessages(settled(state))

/**
 * Adds a result for every call, because no provider accepts a call without one. A call that was in
 * progress when the run ended may have happened, so the next run must know of it.
 */
function settled(state: RunState): RunState {
  const open = currentCalls(state).filter(({ result }) => result === null)
  if (open.length === 0) return state
  const calls = new Map(state.calls)
  for (const call of open) {
    const end = answeringEnd(call)
    const text = end === null ? whyOpen(call) : (announcedBody(end) ?? '')
    calls.set(call.id, { ...call, result: { text, is_error: end?.status !== 'completed' } })
  }
  return { ...state, calls }
}

function whyOpen({ child, intent, mode, pauses }: Call): string {
  if (child !== null)
    return `The subagent ${child.run_id} had not ended when the run ended, and was then cancelled.`
  if (mode === 'question') return NOT_ANSWERED
  if (mode === 'caller') return NOT_PERFORMED
  if (pauses && intent === null) return NOT_CONTINUED
  return intent === null ? NOT_MADE : CUT_SHORT
}

const NOT_ANSWERED = 'The user has not answered: the run ended before.'
const NOT_PERFORMED =
  'The program that provides this function returned no result: the run ended before.'
const NOT_CONTINUED =
  'The server of this tool waited for an answer of the user: the run ended before. It is unknown ' +
  'what it had done by then.'
const NOT_MADE = 'This call was not made: the run ended before.'
const CUT_SHORT =
  'The outcome of this call is unknown: the run ended while it was made. It may or may not have ' +
  'happened, and it was not repeated. Find out before trying again.'

/**
 * The prompt fingerprint of the model's next answer: the start, the answer before and its input,
 * the results of its calls, the first `seen` entries of the pending input. An answer with another
 * fingerprint belongs to what never became the log, because another worker's start or answer did.
 */
export function promptFingerprint(state: RunState, seenCount: number): string {
  const inputs = state.pending_input.slice(0, seenCount)
  const entries = inputs.map((entry) => [
    entry.kind,
    entry.kind === 'message' ? entry.id : entry.call,
  ])
  const last = lastStep(state)
  const results = currentCalls(state).map(({ result }) => result && digestOnce(result))
  const pin = state.started?.pin ?? null
  const parts = last && digestOnce(last.parts)
  return digest([pin, state.steps.length, parts, last?.seen, entries, results])
}

/** Answers and results are long, are never changed, and are read with each projection. */
const digests = new WeakMap<object, string>()

function digestOnce(value: object): string {
  const valueDigest = digests.get(value) ?? digest(value)
  digests.set(value, valueDigest)
  return valueDigest
}

/**
 * The conversation that the model had seen when it gave the answer of this step, without the
 * answer.
 */
export function messagesBefore(state: RunState, step: number): Message[] {
  const seenCount = state.steps[step]?.seen ?? state.pending_input.length
  const earlier = {
    ...state,
    steps: state.steps.slice(0, step),
    pending_input: state.pending_input.slice(0, seenCount),
  }
  return shownMessages(earlier).map((message) =>
    message.role === 'assistant' ? { role: 'assistant', parts: forOthers(message.parts) } : message,
  )
}

/** Another model may read it: no reasoning, nothing that only one provider understands. */
const forOthers = (parts: readonly AssistantPart[]): AssistantPart[] =>
  parts.flatMap((part) => {
    if (part.type === 'reasoning') return []
    const { provider: _, ...plainPart } = part
    return [plainPart]
  })

/** Shortens what has a share of the room. */
type Shorten = (body: Body) => Body

function pushResults(out: Message[], calls: readonly Call[], shorten: Shorten): void {
  const results = calls.flatMap((call) => {
    if (call.result === null) return []
    const { id, tool, result } = call
    const end = answeringEnd(call)
    const pieces = end === null ? { text: result.text } : reports([announceBlock(end, shorten)])
    return [{ call: id, tool, ...pieces, is_error: result.is_error }]
  })
  if (results.length > 0) out.push({ role: 'tool', results })
}

/** Texts of subagents that are results of these calls. */
const answersIn = (calls: readonly Call[]): Body[] =>
  calls.flatMap((call) => (call.result === null ? [] : (announcedBody(answeringEnd(call)) ?? [])))

/** Entries since the last answer: subagents' reports in one message, then people's messages. */
function pushInbox(
  out: Message[],
  state: RunState,
  entries: readonly InputEntry[],
  shorten: Shorten,
): void {
  if (entries.length === 0) return
  pushReports(out, state, entries, shorten)
  for (const entry of entries) {
    if (entry.kind === 'message') out.push({ role: 'user', text: entry.text })
  }
}

/** Returns the remaining bytes for results, which may use a quarter of the window (rule 20). */
interface Room {
  left: number
}
/** A token has about four bytes, so a quarter of the tokens is as many bytes as there are tokens. */
const roomFor = ({ started }: RunState): Room => ({
  left: started?.window ?? Number.POSITIVE_INFINITY,
})

/**
 * Equal shares of what is left: what was shown once is shown alike ever after, because later
 * results have no part in it. A short result, and the beginning of a long one, is always shown.
 */
function shared(results: readonly Body[], room: Room): Shorten {
  const share = Math.max(LIMITS.announce_bytes, Math.floor(room.left / results.length))
  for (const body of results) {
    room.left -= Math.min(share, isRef(body) ? body.bytes : byteLength(body))
  }
  room.left = Math.max(0, room.left)
  return (body) => (isRef(body) && body.bytes > share ? { ...body, max: share } : body)
}

/** Texts of subagents that report in these entries. */
const resultsIn = ({ calls }: RunState, entries: readonly InputEntry[]): Body[] =>
  entries.flatMap((entry) =>
    entry.kind === 'announce' ? (announcedBody(calls.get(entry.call)?.child?.announce) ?? []) : [],
  )

function pushReports(
  out: Message[],
  state: RunState,
  entries: readonly InputEntry[],
  shorten: Shorten,
): void {
  const kinds = new Map(
    entries.flatMap((entry) => (entry.kind === 'message' ? [] : [[entry.call, entry] as const])),
  )
  if (kinds.size === 0) return
  const blocks: (readonly Body[])[] = []
  for (const call of state.calls.values()) {
    const entry = kinds.get(call.id)
    if (!entry || !call.child) continue
    blocks.push(
      entry.kind === 'missing'
        ? missingBlock(call.child, state.barrier_reason, state.spec?.join)
        : announceBlock(call.child.announce!, shorten),
    )
  }
  out.push({ role: 'user', ...reports(blocks) })
}

/** Returns the result of a subagent that ended after the run, for the rest of its session. */
export function lateReport(state: RunState, announce: Announce): Message {
  const text = announcedBody(announce)
  const shorten = shared(text === null ? [] : [text], roomFor(state))
  return { role: 'user', ...reports([announceBlock(announce, shorten)]) }
}

/** The text of the last assistant message, its parts joined; empty when it has none. */
export const finalText = (state: RunState): Body => textOf(lastStep(state))

/** Returns the last text of a run that ended early; null when there is none, or it completed. */
export function partialText(state: RunState): Body | null {
  if (state.output !== null) return null
  const texts = state.steps.map(textOf)
  return texts.findLast((text) => isRef(text) || text.trim() !== '') ?? null
}

function textOf(step: Step | undefined): Body {
  const texts = (step?.parts ?? []).flatMap((part) => (part.type === 'text' ? [part.text] : []))
  if (texts.length === 1) return texts[0]!
  return texts.map(preview).join('\n')
}
