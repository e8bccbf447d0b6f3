/**
 * Reads an answer in the chat completions dialect, member by member. Obvious mistakes are repaired;
 * invalid members are skipped and named without affecting other members.
 * https://developers.openai.com/api/reference/resources/chat (read 2026-11-28); examples of invalid
 * answers: test/fixtures/interop.
 */

import type { AnswerBuilder, Ending } from '../answer.ts'
import { ChatCalls } from './chat-calls.ts'
import { errorOf } from './error-event.ts'
import { EventReader } from './events.ts'
import { isRecord, type JsonObject, listOf, numberOf, recordOf, textOf } from './json.ts'
import { ProviderError } from './provider-error.ts'

type TextKind = 'text' | 'reasoning'

export class ChatReader extends EventReader {
  readonly #calls: ChatCalls
  #usage: JsonObject | undefined
  #finish: string | undefined
  #isRefused = false
  /** Type of the open message part, and the number of parts so far. */
  #openKind: TextKind | undefined
  #parts = 0
  #hasBegun = false

  /** Creates an answer reader; `provider` is the name under which the provider's data is stored. */
  constructor(answer: AnswerBuilder, provider: string) {
    super(answer)
    this.#calls = new ChatCalls(answer, provider)
  }

  get isFinished(): boolean {
    return this.#finish !== undefined
  }

  take(event: JsonObject, name: string | undefined): void {
    const error = errorOf(event, name)
    if (error !== undefined) return this.fail(error)
    this.answer.model ??= textOf(event.model)
    this.#count(event)
    const choices = listOf(event.choices)
    const choice = choices.find(
      (candidate) => isRecord(candidate) && (numberOf(candidate.index) ?? 0) === 0,
    )
    if (choices.length > 1) this.mend('omitted additional choices')
    if (choice) this.#choice(choice as JsonObject)
    else if (event.choices == null) this.#older(event)
  }

  end(): void {
    this.#calls.end()
    if (this.#usage) this.answer.report(reportedUsage(this.#usage))
    const ending = this.#ending()
    if (ending !== undefined) this.answer.finish(ending)
  }

  #ending(): Ending | undefined {
    if (this.#finish === undefined) {
      // The server reports a complete answer, but a truncated tool call contradicts that report.
      if (!this.isDone || this.answer.isEmpty || !this.#calls.areWhole) return undefined
      this.mend('no finish_reason before the end of the stream')
      return 'stop'
    }
    const ending = ENDINGS[this.#finish.toLowerCase()] ?? 'other'
    return this.#isRefused && ending === 'stop' ? 'refusal' : ending
  }

  #count({ usage, x_groq, choices }: JsonObject): void {
    const inChoice = recordOf(listOf(choices)[0]).usage
    for (const usagePart of [inChoice, recordOf(x_groq).usage, usage]) {
      if (isRecord(usagePart)) this.#usage = { ...this.#usage, ...usagePart }
      else if (usagePart != null) this.mend('omitted usage that is not an object')
    }
  }

  /**
   * Reads an event of older Workers AI models, `{"response": "text"}`; the last event contains the
   * usage.
   */
  #older({ response, tool_calls, usage }: JsonObject): void {
    if (response === undefined && tool_calls === undefined) return
    this.#delta({ content: response, tool_calls })
    if (isRecord(usage)) this.#finish ??= 'stop'
  }

  #choice(choice: JsonObject): void {
    const { delta, message, text } = choice
    // Some servers repeat the whole message in the last event; such a repetition is ignored.
    if (isRecord(delta)) this.#delta(delta)
    else if (isRecord(message) && !this.#hasBegun) this.#delta(message)
    else if (textOf(text)) this.#say('text', text as string)
    else if (delta != null) this.mend(`omitted a delta of type ${typeof delta}`)
    const finish = textOf(choice.finish_reason)
    if (finish !== undefined) this.#finish = finish
    // An event that contains a complete message is the final event.
    else if (isRecord(message) && !isRecord(delta)) this.#finish ??= 'stop'
    if (finish === 'error') this.answer.fail(new ProviderError({ status: 200, body: choice }))
  }

  #delta(delta: JsonObject): void {
    this.#think(delta)
    this.#content(delta.content)
    const refusal = textOf(delta.refusal)
    if (refusal !== undefined) {
      this.#isRefused = true
      this.#say('text', refusal)
    }
    const calls = [...listOf(delta.tool_calls), ...listOf(delta.function_call)]
    if (calls.length === 0) return
    this.#close()
    this.#hasBegun = true
    for (const call of calls) this.#calls.take(call)
  }

  #think({ reasoning_content, reasoning, thinking, reasoning_details }: JsonObject): void {
    const thinkingText =
      textOf(reasoning_content, reasoning, thinking) ??
      textOf(recordOf(reasoning).text, recordOf(reasoning).content) ??
      listOf(reasoning_details)
        .map((detail) => textOf(recordOf(detail).text, recordOf(detail).summary) ?? '')
        .join('')
    if (thinkingText !== '') this.#say('reasoning', thinkingText)
  }

  #content(content: unknown): void {
    if (content == null || content === '') return
    if (typeof content === 'string') return this.#say('text', content)
    if (!Array.isArray(content) && !isRecord(content))
      return this.mend(`omitted content of type ${typeof content}`)
    for (const part of Array.isArray(content) ? content : [content]) this.#part(part)
  }

  #part(part: unknown): void {
    if (typeof part === 'string') return this.#say('text', part)
    const { type, text, thinking, content, refusal } = recordOf(part)
    const thought = type === 'thinking' || type === 'reasoning'
    const partText =
      textOf(text, refusal) ??
      textOf(thinking, content) ??
      listOf(thinking)
        .map((item) => textOf(recordOf(item).text) ?? '')
        .join('')
    if (partText !== '') return this.#say(thought ? 'reasoning' : 'text', partText)
    if (typeof text !== 'string' && typeof thinking !== 'string')
      this.mend(`omitted a part of type ${String(type).slice(0, 40)}`)
  }

  #say(type: TextKind, text: string): void {
    this.#hasBegun = true
    if (this.#openKind !== type) {
      this.#close()
      this.#parts += 1
      this.#openKind = type
    }
    this.answer.grow(type, String(this.#parts), text)
  }

  #close(): void {
    if (this.#openKind) this.answer.end(this.#openKind, String(this.#parts))
    this.#openKind = undefined
  }
}

/** Meanings of the vendors' `finish_reason` values; any other value maps to `other`. */
const ENDINGS: Readonly<Record<string, Ending>> = {
  stop: 'stop',
  end_turn: 'stop',
  eos: 'stop',
  eos_token: 'stop',
  stop_sequence: 'stop',
  complete: 'stop',
  completed: 'stop',
  length: 'length',
  max_tokens: 'length',
  max_output_tokens: 'length',
  model_length: 'length',
  tool_calls: 'calls',
  tool_call: 'calls',
  tool_use: 'calls',
  function_call: 'calls',
  content_filter: 'refusal',
  content_filtered: 'refusal',
  safety: 'refusal',
  refusal: 'refusal',
  sensitive: 'refusal',
  abort: 'cut',
  aborted: 'cut',
  cancelled: 'cut',
  error: 'cut',
  network_error: 'cut',
  insufficient_system_resource: 'cut',
}

function reportedUsage(usage: JsonObject) {
  const input = recordOf(usage.prompt_tokens_details ?? usage.input_tokens_details)
  const output = recordOf(usage.completion_tokens_details ?? usage.output_tokens_details)
  const cached = [input.cached_tokens, usage.prompt_cache_hit_tokens, usage.cached_tokens]
  return {
    input: numberOf(usage.prompt_tokens ?? usage.input_tokens),
    output: numberOf(usage.completion_tokens ?? usage.output_tokens),
    cacheRead: cached.map(numberOf).find((count) => count !== undefined),
    cacheWrite: numberOf(input.cache_creation_tokens ?? input.cache_write_tokens),
    reasoning: numberOf(output.reasoning_tokens ?? usage.reasoning_tokens),
  }
}
