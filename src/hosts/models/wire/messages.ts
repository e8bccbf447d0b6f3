/**
 * Reads an answer of Anthropic's Messages API block by block, with the same repairs as `chat.ts`.
 * https://platform.claude.com/docs/en/build-with-claude/streaming (read 2026-11-28).
 */

import type { Ending, Metadata } from '../answer.ts'
import { errorOf } from './error-event.ts'
import { EventReader } from './events.ts'
import { isRecord, type JsonObject, listOf, numberOf, recordOf, textOf } from './json.ts'

interface ToolUse {
  readonly id: string
  readonly tool: string
  written: string
}

export class MessagesReader extends EventReader {
  /** Tool calls whose input is incomplete, by block index. */
  readonly #uses = new Map<string, ToolUse>()
  /** Type of each started block, by block index. */
  readonly #blocks = new Map<string, 'text' | 'reasoning' | 'call' | 'other'>()
  #usage: JsonObject = {}
  #stopReason: string | undefined

  get isFinished(): boolean {
    return this.#stopReason !== undefined
  }

  take(event: JsonObject, name: string | undefined): void {
    const type = textOf(event.type, name)
    switch (type) {
      case 'message_start':
        return this.#start(recordOf(event.message))
      case 'content_block_start':
        return this.#begin(keyOf(event), recordOf(event.content_block))
      case 'content_block_delta':
        return this.#delta(keyOf(event), recordOf(event.delta))
      case 'content_block_stop':
        return this.#stop(keyOf(event))
      case 'message_delta':
        this.#count(event.usage)
        this.#stopReason = textOf(recordOf(event.delta).stop_reason) ?? this.#stopReason
        return
      case 'message_stop':
        return this.close()
      case 'message':
        return this.#readDocument(event)
      case 'ping':
        return
    }
    const error = errorOf(event, name)
    if (error === undefined) this.mend(`omitted an event of type ${quotedType(type)}`)
    else this.fail(error)
  }

  end(): void {
    for (const key of [...this.#uses.keys()]) this.#stop(key)
    this.answer.report(reportedUsage(this.#usage))
    const ending = this.#ending()
    if (ending !== undefined) this.answer.finish(ending)
  }

  #ending(): Ending | undefined {
    if (this.#stopReason !== undefined) return ENDINGS[this.#stopReason.toLowerCase()] ?? 'other'
    if (!this.isDone || this.answer.isEmpty) return undefined
    this.mend('no stop_reason before the end of the message')
    return 'stop'
  }

  #start(message: JsonObject): void {
    this.answer.model ??= textOf(message.model)
    this.#count(message.usage)
    for (const [index, block] of listOf(message.content).entries()) this.#block(`${index}`, block)
  }

  /** Reads a message that was sent as a single JSON document instead of a stream. */
  #readDocument(message: JsonObject): void {
    this.#start(message)
    this.#stopReason = textOf(message.stop_reason) ?? 'end_turn'
    this.close()
  }

  #block(key: string, block: unknown): void {
    if (!isRecord(block)) return this.mend('omitted a block that is not an object')
    this.#begin(key, block)
    this.#stop(key)
  }

  #begin(key: string, block: JsonObject): void {
    if (this.#blocks.has(key)) this.#stop(key)
    const { type, signature, data, input } = block
    switch (type) {
      case 'text':
        this.#blocks.set(key, 'text')
        this.answer.grow('text', key, textOf(block.text) ?? '')
        return
      case 'thinking':
        this.#blocks.set(key, 'reasoning')
        this.answer.grow('reasoning', key, textOf(block.thinking) ?? '', signed(signature))
        return
      case 'redacted_thinking': {
        this.#blocks.set(key, 'reasoning')
        const redactedData = textOf(data)
        this.answer.begin(
          'reasoning',
          key,
          redactedData ? vendorMetadata({ redactedData }) : undefined,
        )
        return
      }
      case 'tool_use': {
        this.#blocks.set(key, 'call')
        const isGiven = isRecord(input) && Object.keys(input).length > 0
        const [id, tool] = [textOf(block.id) ?? `toolu_${key}`, textOf(block.name) ?? '']
        this.#uses.set(key, { id, tool, written: isGiven ? JSON.stringify(input) : '' })
        return
      }
      default:
        this.#blocks.set(key, 'other')
        this.mend(`omitted a block of type ${quotedType(type)}`)
    }
  }

  #delta(key: string, delta: JsonObject): void {
    const { text, thinking, signature, partial_json } = delta
    const kind = this.#blocks.get(key)
    if (typeof text === 'string') this.answer.grow('text', key, text)
    else if (typeof thinking === 'string') this.answer.grow('reasoning', key, thinking)
    else if (typeof signature === 'string')
      this.answer.grow('reasoning', key, '', signed(signature))
    else if (partial_json !== undefined) return this.#input(key, partial_json)
    else if (kind !== 'other' && delta.type !== 'citations_delta')
      return this.mend(`omitted a delta of type ${quotedType(delta.type)}`)
    if (kind === undefined) this.#blocks.set(key, typeof text === 'string' ? 'text' : 'reasoning')
  }

  #input(key: string, value: unknown): void {
    const use = this.#uses.get(key)
    if (use === undefined) return this.mend('omitted input without a tool call')
    const isText = typeof value === 'string'
    if (isText) use.written += value
    else if (value !== null) use.written = JSON.stringify(value)
    if (!isText) this.mend('input of a tool call is not a string')
    this.answer.hold(isText ? value.length : use.written.length)
  }

  #stop(key: string): void {
    const kind = this.#blocks.get(key)
    this.#blocks.delete(key)
    if (kind === 'text' || kind === 'reasoning') return this.answer.end(kind, key)
    const use = this.#uses.get(key)
    this.#uses.delete(key)
    if (use === undefined) return
    if (use.tool === '') return this.mend('omitted a tool call without a name')
    this.answer.call({ id: use.id, tool: use.tool, arguments: use.written })
  }

  /** Updates the usage counts; later events repeat some of them with newer values. */
  #count(usage: unknown): void {
    if (usage == null) return
    if (!isRecord(usage)) return this.mend('omitted usage that is not an object')
    const reported = Object.entries(usage).filter(([, count]) => count != null)
    this.#usage = { ...this.#usage, ...Object.fromEntries(reported) }
  }
}

const keyOf = ({ index }: JsonObject): string => String(numberOf(index) ?? 0)
const vendorMetadata = (data: Metadata): Metadata => ({ anthropic: data })
const signed = (signature: unknown): Metadata | undefined => {
  const text = textOf(signature)
  return text === undefined ? undefined : vendorMetadata({ signature: text })
}
const quotedType = (type: unknown): string => JSON.stringify(String(type).slice(0, 40))

const ENDINGS: Readonly<Record<string, Ending>> = {
  end_turn: 'stop',
  stop: 'stop',
  stop_sequence: 'stop',
  pause_turn: 'stop',
  tool_use: 'calls',
  max_tokens: 'length',
  model_context_window_exceeded: 'length',
  refusal: 'refusal',
  error: 'cut',
}

/** Returns the usage including cache tokens, which Anthropic's `input_tokens` excludes. */
function reportedUsage(usage: JsonObject) {
  const cacheRead = numberOf(usage.cache_read_input_tokens)
  const cacheWrite = numberOf(usage.cache_creation_input_tokens)
  const input = numberOf(usage.input_tokens)
  return {
    input: input === undefined ? undefined : input + (cacheRead ?? 0) + (cacheWrite ?? 0),
    output: numberOf(usage.output_tokens),
    ...{ cacheRead, cacheWrite },
    reasoning: numberOf(recordOf(usage.output_tokens_details).thinking_tokens),
  }
}
