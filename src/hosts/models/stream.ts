/**
 * Assembles the parts of a model's stream into one finished message. Deltas are passed on as they
 * come; the message counts only when the finish part has come too, else the answer was cut off.
 */

import { LIMITS } from '../../core/limits.ts'
import type { AssistantPart, Usage } from '../../core/message.ts'
import { believedUsage } from '../../core/usage.ts'
import { byteLength } from '../../lib/bytes.ts'
import { fail, type Outcome, ok } from '../../lib/outcome.ts'
import type { Delta, ModelAnswer } from '../../ports/world.ts'
import { warningText } from './settings.ts'
import type { StreamPart } from './types.ts'

type Metadata = Readonly<Record<string, unknown>>
interface Open {
  readonly type: 'text' | 'reasoning'
  text: string
  provider: Metadata | undefined
}
type Finish = Extract<StreamPart, { type: 'finish' }>

/** The outcome of the stream: a message; an `error` part; or no sign that it was whole. */
export type StreamEnd =
  | { readonly type: 'error'; readonly error: unknown; readonly usage?: Usage | undefined }
  | { readonly type: 'cut'; readonly usage?: Usage | undefined }
export type Streamed = Omit<ModelAnswer, 'model'> & { readonly model: string | undefined }

/** The cost of a part besides its texts. */
const PART_BYTES = 64
/** Settings are fewer. */
const WARNINGS = 16
/** One more than are performed: it stands for those that are only counted. */
const CALLS = LIMITS.calls_per_step + 1

/** Collects parts in the order in which they began. */
export class Collector {
  readonly #parts: (Open | AssistantPart)[] = []
  readonly #open = new Map<string, Open>()
  readonly #onDelta: (delta: Delta) => void
  #finish: Finish | undefined
  #error: { readonly error: unknown } | undefined
  #model: string | undefined
  #bytes = 0
  #calls = 0
  readonly #warnings: string[] = []
  readonly #sent: () => number

  /** `sent`: bytes of the request. */
  constructor(onDelta: (delta: Delta) => void, sent: () => number) {
    this.#onDelta = onDelta
    this.#sent = sent
  }

  /** About how much is kept, here or by the stream that makes the parts. */
  get bytes(): number {
    return this.#bytes
  }

  take(part: StreamPart): void {
    switch (part.type) {
      case 'stream-start':
        this.#warnings.push(...part.warnings.slice(0, WARNINGS).map(warningText))
        break
      case 'text-start':
      case 'reasoning-start':
        this.#begin(part.type === 'text-start' ? 'text' : 'reasoning', part.id, metadata(part))
        break
      case 'text-delta':
      case 'reasoning-delta':
        this.#grow(part.type === 'text-delta' ? 'text' : 'reasoning', part)
        break
      case 'text-end':
      case 'reasoning-end':
        this.#end(part.type === 'text-end' ? 'text' : 'reasoning', part.id, metadata(part))
        break
      case 'tool-input-start':
        this.#bytes += PART_BYTES
        break
      case 'tool-input-delta':
        this.#bytes += byteLength(part.delta)
        break
      case 'tool-call':
        this.#calls += 1
        if (this.#calls > CALLS) break
        this.#bytes += PART_BYTES
        this.#parts.push({
          type: 'call',
          id: part.toolCallId,
          provider_id: part.toolCallId,
          tool: part.toolName,
          arguments: part.input,
          ...withProvider(metadata(part)),
        })
        break
      case 'response-metadata':
        this.#model = part.modelId ?? this.#model
        break
      case 'finish':
        this.#finish = part
        break
      case 'error':
        this.#error ??= { error: part.error }
        break
    }
  }

  end(): Outcome<Streamed, StreamEnd> {
    const usage = this.#finish ? this.#usage(this.#finish) : undefined
    if (this.#error) return fail({ type: 'error', error: this.#error.error, usage })
    const finish = this.#finish?.finishReason
    // A provider without a reason of its own got no sign from the model that it was done.
    const whole = finish && !(finish.unified === 'other' && finish.raw === undefined)
    if (!whole || finish.unified === 'error' || finish.unified === 'interrupted') {
      return fail({ type: 'cut', usage })
    }
    const parts = this.#parts.flatMap(closed)
    return ok({
      parts,
      ...(this.#calls > CALLS ? { dropped_calls: this.#calls - CALLS } : {}),
      usage: usage!,
      finish: finishOf(finish.unified, parts),
      model: this.#model,
      ...(this.#warnings.length > 0 ? { warnings: this.#warnings } : {}),
    })
  }

  #usage({ usage }: Finish): Usage {
    const output = () => this.#parts.reduce((sum, part) => sum + textBytes(part), 0)
    const { inputTokens, outputTokens } = usage ?? {}
    const reported = {
      input: inputTokens?.total,
      output: outputTokens?.total,
      cacheRead: inputTokens?.cacheRead,
      cacheWrite: inputTokens?.cacheWrite,
      reasoning: outputTokens?.reasoning,
    }
    return believedUsage(reported, { input: this.#sent, output })
  }

  #begin(type: Open['type'], id: string, provider: Metadata | undefined): Open {
    const part: Open = { type, text: '', provider }
    this.#bytes += PART_BYTES + sizeOf(provider)
    this.#parts.push(part)
    this.#open.set(`${type}:${id}`, part)
    return part
  }

  #grow(type: Open['type'], part: { id: string; delta: string }): void {
    const open = this.#open.get(`${type}:${part.id}`) ?? this.#begin(type, part.id, undefined)
    open.text += part.delta
    this.#bytes += byteLength(part.delta)
    open.provider = merge(open.provider, metadata(part))
    if (part.delta !== '') this.#onDelta({ type, text: part.delta })
  }

  #end(type: Open['type'], id: string, provider: Metadata | undefined): void {
    const open = this.#open.get(`${type}:${id}`)
    if (open) open.provider = merge(open.provider, provider)
    this.#bytes += sizeOf(provider)
    this.#open.delete(`${type}:${id}`)
  }
}

const metadata = (part: object): Metadata | undefined =>
  (part as { providerMetadata?: Metadata }).providerMetadata

/** Merges per provider: a signature may come with a later delta than an item id. */
function merge(left: Metadata | undefined, right: Metadata | undefined): Metadata | undefined {
  if (!left || !right) return right ?? left
  const out: Record<string, unknown> = { ...left }
  for (const [name, data] of Object.entries(right)) {
    out[name] = { ...(left[name] as object | undefined), ...(data as object) }
  }
  return out
}

const sizeOf = (provider: Metadata | undefined): number =>
  provider === undefined ? 0 : JSON.stringify(provider).length

const withProvider = (provider: Metadata | undefined): { provider?: Metadata } =>
  provider === undefined ? {} : { provider }

/** Blank parts say nothing, unless they carry data that the provider wants back. */
function closed(part: Open | AssistantPart): AssistantPart[] {
  if (part.type === 'call') return [part]
  const { type, text } = part
  const provider = part.provider as Metadata | undefined
  if (text === '' && (type === 'text' || provider === undefined)) return []
  return [{ type, text, ...withProvider(provider) }]
}

/** Some servers say `stop` although they ask for tools: the calls themselves decide. */
function finishOf(
  unified: Finish['finishReason']['unified'],
  parts: readonly AssistantPart[],
): ModelAnswer['finish'] {
  if (unified === 'length') return 'length'
  if (unified === 'content-filter') return 'refusal'
  if (parts.some((part) => part.type === 'call')) return 'calls'
  return unified === 'stop' || unified === 'tool-calls' ? 'stop' : 'other'
}

const textBytes = (part: Open | AssistantPart): number =>
  byteLength((part.type === 'call' ? part.arguments : part.text) as string)
