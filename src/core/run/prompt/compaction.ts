/**
 * Shortens a conversation that no longer fits the model's window: a summary replaces everything
 * before a certain step. The log and the transcript stay complete; only the model sees the
 * shortened conversation.
 */

import { byteLength, cut } from '../../../lib/bytes.ts'
import { LIMITS } from '../../limits.ts'
import { shownBytes } from '../../media.ts'
import type { Body, Message } from '../../message.ts'
import { isRef } from '../../message.ts'
import { callOf, type RunState, type Step } from '../state/state.ts'
import { answeringEnd } from './waiting-spawns.ts'

/** Typical number of bytes per token; the number differs by up to a third between providers. */
export const TOKEN_BYTES = 4

/** Returns the maximum size in bytes up to which a conversation is shown unshortened. */
export const comfortable = (window: number): number =>
  Math.floor((window * TOKEN_BYTES * LIMITS.compact_percent) / 100)

/**
 * Compaction is limited to once per step, because repeating it does not shorten the conversation
 * further.
 */
export const mayCompact = (state: RunState): boolean => state.compacted?.at !== state.steps.length

/** Whether the model may be asked for lasting notes, which happens at most once per compaction. */
export const mayFlush = (state: RunState): boolean =>
  mayCompact(state) && state.flush?.at !== state.steps.length

/** Whether memory entries wait to be written that were not yet attempted at this step. */
export const owesFlush = ({ flush, steps }: RunState): boolean =>
  flush?.pending != null && flush.tried !== steps.length

/**
 * Whether the provider rejected the conversation as too long when notes were requested at the
 * current step.
 */
export const wasRefused = (state: RunState): boolean =>
  state.flush?.at === state.steps.length && state.flush.refused && mayCompact(state)

/**
 * Returns the first step that compaction keeps. The newest steps stay within a quarter of the
 * window. The last step, whose results the model has not seen, stays if enough space remains.
 * `keepsNone` keeps no step, because a provider rejected less than the estimate.
 */
export function keptFrom(state: RunState, keepsNone: boolean): number {
  const { steps, pending_input } = state
  const oldest = state.compacted?.kept_from ?? 0
  if (keepsNone) return steps.length
  // At four bytes per token, a quarter of the window in bytes equals the window in tokens.
  const quarter = state.started?.window ?? 0
  let size = 0
  let from = steps.length
  while (from > oldest) {
    const step = steps[from - 1]!
    size += sizeOfStep(state, step)
    for (const entry of pending_input.slice(steps[from - 2]?.seen ?? 0, step.seen)) {
      size += entry.kind === 'message' ? sizeOf(entry.text) : LIMITS.announce_bytes
    }
    if (size > (from === steps.length ? comfortable(quarter) : quarter)) break
    from -= 1
  }
  return from
}

function sizeOfStep(state: RunState, step: Step): number {
  let size = 0
  for (const part of step.parts) size += sizeOf(part.type === 'call' ? part.arguments : part.text)
  let announced = 0
  for (const id of step.calls) {
    const call = callOf(state, id)
    const text = sizeOf(call?.result?.text ?? '')
    if (!call || answeringEnd(call) === null) size += text
    else {
      size += LIMITS.announce_bytes
      announced += text
    }
  }
  // All results of subagents together may use a quarter of the window.
  return size + Math.min(announced, state.started?.window ?? 0)
}

const sizeOf = (body: Body): number =>
  isRef(body)
    ? Math.min(body.bytes, body.max ?? body.bytes) + shownBytes(body.media)
    : byteLength(body)

/** Returns the state of a run as it was before the given step, for summarizing. */
export function stateBefore(state: RunState, step: number): RunState {
  const seenCount = state.steps[step - 1]?.seen ?? 0
  return {
    ...state,
    steps: state.steps.slice(0, step),
    pending_input: state.pending_input.slice(0, seenCount),
  }
}

/**
 * Maximum size in bytes of an entry shown to the summarizing model, taken from its beginning and
 * its end.
 */
const ENTRY_BYTES = 4_096
const TAIL_CHARACTERS = 512

interface Entry {
  readonly text: string
  /** Whether the entry is a message, as opposed to a call or a result. */
  readonly said: boolean
}

/**
 * Renders a conversation as text of at most `room` bytes: the first entry, then the newest messages
 * within half the space. The remaining space goes to the newest other entries, so that tool results
 * cannot displace the messages. Bodies must be loaded.
 */
export function asText(messages: readonly Message[], room: number): string {
  const [first = '', ...laterTexts] = messages.flatMap(entriesOf).map(shortened)
  const entries = laterTexts.map(
    (text): Entry => ({ text, said: /^(?:assistant|user):\n/.test(text) }),
  )
  const included = new Set<Entry>()
  let roomLeft = room - byteLength(first)
  const show = (candidates: readonly Entry[], most: number): void => {
    const least = roomLeft - most
    for (const entry of candidates.toReversed()) {
      if (included.has(entry)) continue
      const size = byteLength(entry.text) + 2
      if (roomLeft - size < least) return
      roomLeft -= size
      included.add(entry)
    }
  }
  show(
    entries.filter(({ said: isSpoken }) => isSpoken),
    roomLeft / 2,
  )
  show(entries, roomLeft)
  return [first, ...withGaps(entries, included)].join('\n\n')
}

function withGaps(entries: readonly Entry[], included: ReadonlySet<Entry>): string[] {
  const texts: string[] = []
  let omitted = 0
  const gap = (): void => {
    if (omitted > 0) texts.push(`[${omitted} entries omitted]`)
    omitted = 0
  }
  for (const entry of entries) {
    if (!included.has(entry)) {
      omitted += 1
      continue
    }
    gap()
    texts.push(entry.text)
  }
  gap()
  return texts
}

function entriesOf(message: Message): string[] {
  if (message.role === 'user') {
    return [`user:\n${[message.text, ...(message.more ?? [])].join('')}`]
  }
  if (message.role === 'tool') {
    return message.results.map(
      ({ tool, text, more = [], is_error }) =>
        `${is_error ? 'error' : 'result'} of ${tool}:\n${[text, ...more].join('')}`,
    )
  }
  return message.parts.flatMap((part) => {
    if (part.type === 'reasoning') return []
    return part.type === 'call'
      ? [`assistant calls ${part.tool}:\n${part.arguments}`]
      : [`assistant:\n${part.text}`]
  })
}

function shortened(entry: string): string {
  if (byteLength(entry) <= ENTRY_BYTES) return entry
  const head = cut(entry, ENTRY_BYTES - 2 * TAIL_CHARACTERS)
  return `${head}\n[…]\n${entry.slice(-TAIL_CHARACTERS).toWellFormed()}`
}
