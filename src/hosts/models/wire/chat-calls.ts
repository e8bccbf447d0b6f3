/** Collects tool calls from the deltas of chat completions, which name a call in several ways. */

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
  /** The call that grows at each index of the stream, and the last one of each id. */
  readonly #byIndex = new Map<number, Growing>()
  readonly #byId = new Map<string, Growing>()

  constructor(answer: AnswerBuilder, provider: string) {
    this.#answer = answer
    this.#provider = provider
  }

  /** Whether no call has arguments that end in their middle. */
  get areWhole(): boolean {
    return this.#calls.every(({ written: args }) => args.trim() === '' || isJson(args))
  }

  /** Takes one member of `tool_calls`. */
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
    // Data that the vendor wants back with the call, such as a signature.
    if (isRecord(member.extra_content) && Object.keys(member.extra_content).length > 0)
      call.provider = { [this.#provider]: { extra_content: member.extra_content } }
  }

  /** Hands the calls over in the order in which they began. */
  end(): void {
    for (const [index, { id, name, written: args, provider }] of this.#calls.entries()) {
      if (name === '') this.#answer.mend('omitted a tool call without a name')
      else this.#answer.call({ id: id || `call_${index}`, tool: name, arguments: args, provider })
    }
  }

  /** A new id begins a new call, even at a known index: some servers count from 0 each time. */
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

  /** A name comes once, again with each delta, or in pieces before the arguments. */
  #name(call: Growing, name: string): void {
    if (name === '' || name === call.name) return
    if (call.name === '' || call.written === '') call.name += name
    else this.#answer.mend('omitted a second name of a tool call')
  }

  #write(call: Growing, args: unknown): void {
    if (args === undefined || args === null) return
    if (typeof args !== 'string') {
      // A value in place of its text is whole.
      this.#answer.mend('arguments of a tool call are not a string')
      call.written = JSON.stringify(args)
    } else if (isAnew(call.written, args)) {
      this.#answer.mend('arguments of a tool call were sent again')
      call.written = args
    } else call.written += args
    this.#answer.hold(typeof args === 'string' ? args.length : call.written.length)
  }
}

const CALL_BYTES = 64

/** Whether a call at a new index only has the id of another: some servers give all the same. */
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

/** Whether a delta with a name and no new id begins another call. */
const isNext = (existing: Growing, index: number | undefined, args: unknown): boolean =>
  index === undefined || (Boolean(args) && isObject(existing.written))

/** Calls whose other deltas repeat the name are longer: each of these would be parsed anew. */
const PARSED_LENGTH = 4_096

const isObject = (text: string): boolean =>
  text.length <= PARSED_LENGTH && text.trimEnd().endsWith('}') && isJson(text)

/** Whether the text begins from the start: a placeholder before, or all of it in each delta. */
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
