/** Collects tool calls from chat completion deltas, which identify a call in several ways. */

import type { AnswerBuilder, Metadata } from '../answer.ts'
import { isRecord, type JsonObject, numberOf, recordOf, textOf } from './json.ts'

interface Growing {
  id: string
  name: string
  written: string
  provider: Metadata | undefined
}

export class ChatCalls {
  readonly #answer: AnswerBuilder
  readonly #provider: string
  readonly #calls: Growing[] = []
  /** Current tool call at each stream index, and last tool call with each ID. */
  readonly #byIndex = new Map<number, Growing>()
  readonly #byId = new Map<string, Growing>()

  constructor(answer: AnswerBuilder, provider: string) {
    this.#answer = answer
    this.#provider = provider
  }

  /** Whether the arguments of all tool calls are complete. */
  get areWhole(): boolean {
    return this.#calls.every(({ written: args }) => args.trim() === '' || isJson(args))
  }

  /** Processes one member of the `tool_calls` list. */
  take(member: unknown): void {
    if (!isRecord(member)) return this.#answer.mend('omitted a tool call that is not an object')
    const callee = recordOf(member.function ?? member.custom)
    const name = textOf(callee.name, member.name) ?? ''
    const args = callee.arguments ?? callee.input ?? member.arguments
    const call = this.#callOf(member, name, args)
    if (call === undefined) return this.#answer.mend('omitted arguments without a tool call')
    if (call.id === '') call.id = textOf(member.id) ?? ''
    if (call.id !== '') this.#byId.set(call.id, call)
    this.#name(call, name)
    this.#write(call, args)
    // Data that the vendor expects back with the tool call, such as a signature.
    if (isRecord(member.extra_content) && Object.keys(member.extra_content).length > 0)
      call.provider = { [this.#provider]: { extra_content: member.extra_content } }
  }

  /** Adds the tool calls to the answer in the order in which they started. */
  end(): void {
    for (const [index, { id, name, written: args, provider }] of this.#calls.entries()) {
      if (name === '') this.#answer.mend('omitted a tool call without a name')
      else this.#answer.call({ id: id || `call_${index}`, tool: name, arguments: args, provider })
    }
  }

  /**
   * Returns the tool call to which a delta belongs. A new ID starts a new call, even at a known
   * index, because some servers restart the index at 0.
   */
  #callOf(member: JsonObject, name: string, args: unknown): Growing | undefined {
    const index = numberOf(member.index)
    const id = textOf(member.id) ?? ''
    const last = this.#calls.at(-1)
    const at = index === undefined ? undefined : this.#byIndex.get(index)
    const sameId = id !== '' && at?.id === id ? at : this.#byId.get(id)
    const byId = sameId && isTwin(sameId, name, at, index) ? undefined : sameId
    const existing = byId ?? (index === undefined ? last : at)
    const isNew =
      existing === undefined ||
      (byId === undefined && id !== '' && existing.id !== '' && name !== '') ||
      (byId === undefined && name !== '' && existing.name !== '' && isNext(existing, index, args))
    if (!isNew) return existing
    if (name === '' && id === '' && index === undefined) return undefined
    const call: Growing = { id, name: '', written: '', provider: undefined }
    this.#calls.push(call)
    this.#answer.hold(CALL_BYTES)
    if (index !== undefined) this.#byIndex.set(index, call)
    return call
  }

  /**
   * Adds to the name of a tool call; the name may be sent once, repeated with each delta, or split
   * before the arguments.
   */
  #name(call: Growing, name: string): void {
    if (name === '' || name === call.name) return
    if (call.name === '' || call.written === '') call.name += name
    else this.#answer.mend('omitted a duplicate name of a tool call')
  }

  #write(call: Growing, args: unknown): void {
    if (args === undefined || args === null) return
    if (typeof args !== 'string') {
      // Arguments that are not a string are always complete.
      this.#answer.mend('arguments of a tool call are not a string')
      call.written = JSON.stringify(args)
    } else if (isAnew(call.written, args)) {
      this.#answer.mend('arguments of a tool call were sent twice')
      call.written = args
    } else call.written += args
    this.#answer.hold(typeof args === 'string' ? args.length : call.written.length)
  }
}

const CALL_BYTES = 64

/**
 * Reports whether a delta starts a separate call that reuses an ID at a new index; some servers
 * send one ID for all calls.
 */
const isTwin = (
  existing: Growing,
  name: string,
  at: Growing | undefined,
  index: number | undefined,
) =>
  index !== undefined &&
  at === undefined &&
  name !== '' &&
  (name !== existing.name || isObject(existing.written))

/** Reports whether a delta that has a name and no new ID starts another tool call. */
const isNext = (existing: Growing, index: number | undefined, args: unknown): boolean =>
  index === undefined || (Boolean(args) && isObject(existing.written))

/**
 * Maximum length of arguments to parse per delta, in characters; longer arguments would be parsed
 * again for each delta.
 */
const PARSED_LENGTH = 4_096

const isObject = (text: string): boolean =>
  text.length <= PARSED_LENGTH && text.trimEnd().endsWith('}') && isJson(text)

/**
 * Reports whether the delta restarts the arguments, because a placeholder precedes it or each delta
 * contains the full text.
 */
const isAnew = (previous: string, delta: string): boolean =>
  delta.startsWith('{') &&
  (previous === '{}' || (previous.length > 2 && delta.startsWith(previous)))

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
