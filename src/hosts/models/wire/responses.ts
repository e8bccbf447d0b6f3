/**
 * Reads an answer of OpenAI's Responses API item by item, with the same repairs as `chat.ts`.
 * https://developers.openai.com/api/reference/resources/responses/streaming-events (read
 * 2026-11-28).
 */

import type { Ending, Metadata } from '../answer.ts'
import { errorOf } from './error-event.ts'
import { EventReader } from './events.ts'
import { isRecord, type JsonObject, listOf, numberOf, recordOf, textOf } from './json.ts'
import { ProviderError } from './provider-error.ts'

interface Item {
  readonly kind: string
  /** Vendor's item ID, which is sent back with the item. */
  readonly id: string | undefined
  readonly phase: string | undefined
  /** ID of the tool call. */
  readonly called: string
  readonly tool: string
  written: string
  /** Indexes of the item's text parts received so far. */
  readonly parts: Set<number>
  isDone: boolean
}

export class ResponsesReader extends EventReader {
  readonly #items = new Map<string, Item>()
  #usage: JsonObject | undefined
  #ending: Ending | undefined
  #isRefused = false

  get isFinished(): boolean {
    return this.#ending !== undefined
  }

  take(event: JsonObject, name: string | undefined): void {
    const type = textOf(event.type, name) ?? (event.object === 'response' ? WHOLE_RESPONSE : '')
    if (type === WHOLE_RESPONSE) return this.#response(event)
    if (type === 'error' || !type.startsWith('response.')) return this.#other(event, name)
    const [, part, action] = type.split('.')
    if (action === undefined) return this.#state(recordOf(event.response), part)
    const delta = textOf(event.delta)
    switch (`${part}.${action}`) {
      case 'output_item.added':
        return void this.#begin(keyOf(event), recordOf(event.item))
      case 'output_item.done':
        return this.#done(keyOf(event), recordOf(event.item))
      case 'output_text.delta':
        return this.#say(event, 'message', delta)
      case 'refusal.delta':
        this.#isRefused = true
        return this.#say(event, 'message', delta)
      case 'reasoning_summary_text.delta':
      case 'reasoning_text.delta':
      case 'reasoning.delta':
        return this.#say(event, 'reasoning', delta)
      case 'function_call_arguments.delta':
        return this.#write(event, event.delta)
    }
  }

  end(): void {
    for (const [key, item] of this.#items) if (!item.isDone) this.#settle(key, item)
    if (this.#usage) this.answer.report(reportedUsage(this.#usage))
    if (this.#ending === undefined && this.isDone && !this.answer.isEmpty) {
      this.mend('no response.completed before the end of the stream')
      this.#ending = 'stop'
    }
    if (this.#ending === undefined) return
    this.answer.finish(this.#isRefused && this.#ending === 'stop' ? 'refusal' : this.#ending)
  }

  #other(event: JsonObject, name: string | undefined): void {
    const error = errorOf(event, name)
    if (error === undefined) this.mend(`omitted an event of type ${quotedType(event.type)}`)
    else this.fail(error)
  }

  /** Processes the response in `response.created`, `response.completed`, and similar events. */
  #state(response: JsonObject, state: string | undefined): void {
    this.answer.model ??= textOf(response.model)
    if (isRecord(response.usage)) this.#usage = response.usage
    else if (response.usage != null) this.mend('omitted usage that is not an object')
    if (state === 'failed' || state === 'error') {
      const body = { ...response, ...recordOf(response.error) }
      return this.answer.fail(new ProviderError({ status: 200, body }))
    }
    if (state !== 'completed' && state !== 'incomplete' && state !== 'done') return
    this.#missing(response)
    const { reason } = recordOf(response.incomplete_details)
    this.#ending = textOf(reason)
      ? (ENDINGS[String(reason)] ?? 'other')
      : state === 'incomplete'
        ? 'other'
        : 'stop'
    this.close()
  }

  /** Reads a response that was sent as a single JSON document instead of a stream. */
  #response(response: JsonObject): void {
    const state = textOf(response.status) ?? 'completed'
    this.#state(response, isRecord(response.error) ? 'failed' : state)
    if (state === 'cancelled') this.#ending = 'cut'
  }

  /** Adds output items that only the last event contains; that event repeats all items. */
  #missing({ output }: JsonObject): void {
    for (const [index, item] of listOf(output).entries()) {
      const existing = this.#items.get(String(index))
      if (isRecord(item) && !existing?.isDone) this.#done(String(index), item)
    }
  }

  #begin(key: string, item: JsonObject): Item {
    const existing = this.#items.get(key)
    if (existing) return existing
    const created: Item = {
      kind: textOf(item.type) ?? 'message',
      id: textOf(item.id),
      phase: textOf(item.phase),
      called: textOf(item.call_id, item.id) ?? `call_${key}`,
      tool: textOf(item.name) ?? '',
      written: '',
      parts: new Set(),
      isDone: false,
    }
    this.#items.set(key, created)
    return created
  }

  #say(event: JsonObject, kind: 'message' | 'reasoning', text: string | undefined): void {
    if (text === undefined) return
    const key = keyOf(event)
    const item = this.#begin(key, { type: kind, id: event.item_id })
    const part = numberOf(event.summary_index ?? event.content_index) ?? 0
    this.#grow(key, item, part, kind === 'message' ? 'text' : 'reasoning', text)
  }

  #grow(key: string, item: Item, part: number, type: 'text' | 'reasoning', text: string): void {
    const id = `${key}:${part}`
    if (!item.parts.has(part)) this.answer.begin(type, id, metadata(item))
    item.parts.add(part)
    this.answer.grow(type, id, text)
  }

  #write(event: JsonObject, args: unknown): void {
    const item = this.#items.get(keyOf(event))
    if (item === undefined) return this.mend('omitted arguments without a tool call')
    if (typeof args === 'string') item.written += args
    else if (args != null) item.written = JSON.stringify(args)
    this.answer.hold(typeof args === 'string' ? args.length : item.written.length)
  }

  #done(key: string, item: JsonObject): void {
    const started = this.#begin(key, item)
    if (started.isDone) return
    const { arguments: args } = item
    if (typeof args === 'string' && args !== '') started.written = args
    else if (isRecord(args)) started.written = JSON.stringify(args)
    if (started.parts.size === 0) this.#sayWhole(key, started, item)
    this.#settle(key, started, textOf(item.encrypted_content))
  }

  /** Adds the full text of an item for which no deltas arrived. */
  #sayWhole(key: string, item: Item, { content, summary }: JsonObject): void {
    const type = item.kind === 'reasoning' ? 'reasoning' : 'text'
    if (item.kind !== 'reasoning' && item.kind !== 'message') return
    const parts = [...listOf(item.kind === 'reasoning' ? summary : undefined), ...listOf(content)]
    if (typeof content === 'string') parts.push({ text: content })
    for (const [index, part] of parts.entries()) {
      const { text, refusal } = recordOf(part)
      const partText = textOf(text, refusal)
      if (textOf(refusal)) this.#isRefused = true
      if (partText) this.#grow(key, item, index, type, partText)
    }
  }

  #settle(key: string, item: Item, encrypted?: string): void {
    item.isDone = true
    if (item.kind === 'function_call') {
      const { called: id, tool, written: args, id: itemId } = item
      if (tool === '') return this.mend('omitted a tool call without a name')
      const provider = itemId === undefined ? undefined : vendorMetadata({ itemId })
      return this.answer.call({ id, tool, arguments: args, provider })
    }
    if (item.kind !== 'reasoning') return
    if (encrypted === undefined) return
    // Reasoning is sent back in encrypted form, even if none of its text was shown.
    const provider = vendorMetadata({ itemId: item.id, reasoningEncryptedContent: encrypted })
    this.answer.grow('reasoning', `${key}:0`, '', provider)
  }
}

const WHOLE_RESPONSE = 'response'

/**
 * Returns the item's position in the output as its key, because some servers change item IDs
 * between events.
 */
const keyOf = ({ output_index, item_id, item }: JsonObject): string =>
  String(numberOf(output_index) ?? textOf(item_id, recordOf(item).id) ?? 0)

const vendorMetadata = (data: Metadata): Metadata => ({ openai: data })

const metadata = ({ id, phase }: Item): Metadata | undefined =>
  id === undefined ? undefined : vendorMetadata({ itemId: id, ...(phase ? { phase } : {}) })

const quotedType = (type: unknown): string => JSON.stringify(String(type).slice(0, 40))

const ENDINGS: Readonly<Record<string, Ending>> = {
  max_output_tokens: 'length',
  max_tokens: 'length',
  content_filter: 'refusal',
}

function reportedUsage(usage: JsonObject) {
  const input = recordOf(usage.input_tokens_details)
  return {
    input: numberOf(usage.input_tokens ?? usage.prompt_tokens),
    output: numberOf(usage.output_tokens ?? usage.completion_tokens),
    cacheRead: numberOf(input.cached_tokens),
    cacheWrite: numberOf(input.cache_write_tokens ?? input.cache_creation_tokens),
    reasoning: numberOf(recordOf(usage.output_tokens_details).reasoning_tokens),
  }
}
