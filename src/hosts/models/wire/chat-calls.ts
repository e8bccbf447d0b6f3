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
    return this.#calls.every(({ written }) => written.trim() === '' || isJson(written))
  }

  /** Takes one member of `tool_calls`. */
  take(given: unknown): void {
    if (!isRecord(given)) return this.#answer.mend('omitted a tool call that is not an object')
    const called = recordOf(given.function ?? given.custom)
    const name = textOf(called.name, given.name) ?? ''
    const written = called.arguments ?? called.input ?? given.arguments
    const call = this.#callOf(given, name, written)
    if (call === undefined) return this.#answer.mend('omitted arguments without a tool call')
    if (call.id === '') call.id = textOf(given.id) ?? ''
    if (call.id !== '') this.#byId.set(call.id, call)
    this.#name(call, name)
    this.#write(call, written)
    // Data that the vendor wants back with the call, such as a signature.
    if (isRecord(given.extra_content) && Object.keys(given.extra_content).length > 0)
      call.provider = { [this.#provider]: { extra_content: given.extra_content } }
  }

  /** Hands the calls over in the order in which they began. */
  end(): void {
    for (const [index, { id, name, written, provider }] of this.#calls.entries()) {
      if (name === '') this.#answer.mend('omitted a tool call without a name')
      else
        this.#answer.call({ id: id || `call_${index}`, tool: name, arguments: written, provider })
    }
  }

  /** A new id begins a new call, even at a known index: some servers count from 0 each time. */
  #callOf(given: JsonObject, name: string, written: unknown): Growing | undefined {
    const index = numberOf(given.index)
    const id = textOf(given.id) ?? ''
    const last = this.#calls.at(-1)
    const at = index === undefined ? undefined : this.#byIndex.get(index)
    const named = id !== '' && at?.id === id ? at : this.#byId.get(id)
    const byId = named && isTwin(named, name, at, index) ? undefined : named
    const known = byId ?? (index === undefined ? last : at)
    const isNew =
      known === undefined ||
      (byId === undefined && id !== '' && known.id !== '' && name !== '') ||
      (byId === undefined && name !== '' && known.name !== '' && isNext(known, index, written))
    if (!isNew) return known
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

  #write(call: Growing, given: unknown): void {
    if (given === undefined || given === null) return
    if (typeof given !== 'string') {
      // A value in place of its text is whole.
      this.#answer.mend('arguments of a tool call are not a string')
      call.written = JSON.stringify(given)
    } else if (isAnew(call.written, given)) {
      this.#answer.mend('arguments of a tool call were sent again')
      call.written = given
    } else call.written += given
    this.#answer.hold(typeof given === 'string' ? given.length : call.written.length)
  }
}

const CALL_BYTES = 64

/** Whether a call at a new index only has the id of another: some servers give all the same. */
const isTwin = (named: Growing, name: string, at: Growing | undefined, index: number | undefined) =>
  index !== undefined &&
  at === undefined &&
  name !== '' &&
  (name !== named.name || isObject(named.written))

/** Whether a delta with a name and no new id begins another call. */
const isNext = (known: Growing, index: number | undefined, written: unknown): boolean =>
  index === undefined || (Boolean(written) && isObject(known.written))

/** Calls whose other deltas repeat the name are longer: each of these would be parsed anew. */
const PARSED_LENGTH = 4_096

const isObject = (text: string): boolean =>
  text.length <= PARSED_LENGTH && text.trimEnd().endsWith('}') && isJson(text)

/** Whether the text begins from the start: a placeholder before, or all of it in each delta. */
const isAnew = (before: string, given: string): boolean =>
  given.startsWith('{') && (before === '{}' || (before.length > 2 && given.startsWith(before)))

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
