/**
 * Run transcript, derived from the log: everything shown to the model and its answers, in order.
 * Subagent results appear at the step where they first entered a request.
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

/** Returns all messages of this run, without earlier runs. Message bodies may be references. */
export const messages = (state: RunState): Message[] => [...opening(state), ...from(state, 0)]

/**
 * Returns this run's messages for its next model call. A summary that covers steps of this run
 * follows the input; a summary of only earlier history precedes the input.
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

/** Returns the opening messages of a run: its input, and the skill that the input activated. */
function opening(state: RunState): Message[] {
  const out: Message[] = (state.spec?.input ?? []).map(({ role, text }) =>
    role === 'user' ? { role, text } : { role, parts: [{ type: 'text', text }] },
  )
  if (state.activation !== null) out.push({ role: 'user', text: state.activation })
  return out
}

/** Shortens a large user message to at most `max` bytes. */
function shortened(message: Message, max: number): Message {
  if (message.role !== 'user' || !isRef(message.text) || message.text.bytes <= max) return message
  return { ...message, text: { ...message.text, max } }
}

/** Returns the messages after the run's opening, starting at step `first`. */
function from(state: RunState, first: number): Message[] {
  const out: Message[] = []
  let seenCount = state.steps[first - 1]?.seen ?? 0
  const room = roomFor(state)
  for (let index = first; index <= state.steps.length; index += 1) {
    const step = state.steps[index]
    const callIds = index > first ? state.steps[index - 1]!.calls : []
    const calls = callIds.map((id) => state.calls.get(id)!)
    const entries = state.pending_input.slice(seenCount, step?.seen)
    // Results that enter the conversation with the same request share the space equally.
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

/** Returns the messages of an ended run that its session keeps. */
export const remembered = (state: RunState): Message[] => messages(settled(state))

/**
 * Returns the messages that the session's next run sees instead of all earlier ones. Returns null
 * if the next run sees all earlier messages.
 */
export const rememberedShort = (state: RunState): Message[] | null =>
  state.compacted === null ? null : shownMessages(settled(state))

/**
 * Adds a result to every open call, because no provider accepts a call without one. A call in
 * progress when the run ended may have been executed, so the next run must know about it.
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
    return (
      `The subagent ${child.run_id} was cancelled because it was still running when the run ` +
      'ended.'
    )
  if (mode === 'question') return NOT_ANSWERED
  if (mode === 'caller') return NOT_PERFORMED
  if (pauses && intent === null) return NOT_CONTINUED
  return intent === null ? NOT_MADE : CUT_SHORT
}

const NOT_ANSWERED = 'The run ended before the user answered.'
const NOT_PERFORMED =
  'The run ended before the program that provides this function returned a result.'
const NOT_CONTINUED =
  "The run ended while this tool's server waited for the user's answer. What the server " +
  'had done by then is unknown.'
const NOT_MADE = 'The run ended before this call was made.'
const CUT_SHORT =
  'The outcome of this call is unknown because the run ended while the call was in ' +
  'progress. The call may have been executed, and it was not retried. Check before ' +
  'retrying.'

/**
 * Returns the prompt fingerprint of the next answer. It covers the run's start, the previous answer
 * with its input and call results, and the first `seenCount` pending inputs. An answer with a
 * different fingerprint is based on state that another worker's start or answer has superseded.
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

/** Answers and results are long and immutable, and every projection reads them. */
const digests = new WeakMap<object, string>()

function digestOnce(value: object): string {
  const valueDigest = digests.get(value) ?? digest(value)
  digests.set(value, valueDigest)
  return valueDigest
}

/**
 * Returns the conversation that the model had seen when it answered this step, without the answer.
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

/** Removes reasoning and provider-specific parts, because another model may read the message. */
const forOthers = (parts: readonly AssistantPart[]): AssistantPart[] =>
  parts.flatMap((part) => {
    if (part.type === 'reasoning') return []
    const { provider: _, ...plainPart } = part
    return [plainPart]
  })

/** Function that shortens a result's body to its share of the space. */
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

/** Returns the result texts that subagents supplied for these calls. */
const answersIn = (calls: readonly Call[]): Body[] =>
  calls.flatMap((call) => (call.result === null ? [] : (announcedBody(answeringEnd(call)) ?? [])))

/**
 * Adds entries since the last answer: subagents' reports in one message, then people's messages.
 */
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

/**
 * Remaining space in bytes for results, which may use a quarter of the window (PROTOCOL.md rule
 * 20).
 */
interface Room {
  left: number
}
/** At four bytes per token, a quarter of the window in bytes equals the window in tokens. */
const roomFor = ({ started }: RunState): Room => ({
  left: started?.window ?? Number.POSITIVE_INFINITY,
})

/**
 * Returns a function that gives each result an equal share of the remaining space. Later results do
 * not affect earlier ones, so text once shown always stays the same. Short results, and the
 * beginning of long ones, are always shown.
 */
function shared(results: readonly Body[], room: Room): Shorten {
  const share = Math.max(LIMITS.announce_bytes, Math.floor(room.left / results.length))
  for (const body of results) {
    room.left -= Math.min(share, isRef(body) ? body.bytes : byteLength(body))
  }
  room.left = Math.max(0, room.left)
  return (body) => (isRef(body) && body.bytes > share ? { ...body, max: share } : body)
}

/** Returns the result texts of the subagents that these input entries report. */
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

/** Returns the result of a subagent that ended after the run, for later runs of the session. */
export function lateReport(state: RunState, announce: Announce): Message {
  const text = announcedBody(announce)
  const shorten = shared(text === null ? [] : [text], roomFor(state))
  return { role: 'user', ...reports([announceBlock(announce, shorten)]) }
}

/**
 * Returns the text of the last assistant message, with its parts joined; empty if there is none.
 */
export const finalText = (state: RunState): Body => textOf(lastStep(state))

/** Returns the last text of a run that ended early; null if there is none, or the run completed. */
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
