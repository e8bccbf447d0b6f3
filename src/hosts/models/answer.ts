/**
 * Builds the finished message of a model call from the deltas of its stream. Deltas are passed on
 * at once; the message is valid only after the model reports completion.
 */

import { LIMITS } from '../../core/limits.ts'
import type { AssistantPart, Usage } from '../../core/message.ts'
import { believedUsage, type Reported } from '../../core/usage.ts'
import { byteLength, cut } from '../../lib/bytes.ts'
import { fail, type Outcome, ok } from '../../lib/outcome.ts'
import type { Delta, ModelAnswer } from '../../ports/world.ts'

export type Metadata = Readonly<Record<string, unknown>>
type TextKind = 'text' | 'reasoning'

interface Open {
  readonly type: TextKind
  text: string
  provider: Metadata | undefined
  /** First half of a surrogate pair whose second half has not arrived yet. */
  half: string
}

/** Reason why the answer ended; `cut` means that the model did not finish. */
export type Ending = 'stop' | 'calls' | 'length' | 'refusal' | 'other' | 'cut'

/** Outcome of the model stream: a message, a provider error, or an incomplete answer. */
export type StreamEnd =
  | { readonly type: 'error'; readonly error: unknown; readonly usage?: Usage | undefined }
  | { readonly type: 'cut'; readonly usage?: Usage | undefined }
export type Streamed = Omit<ModelAnswer, 'model'> & { readonly model: string | undefined }

export interface AnswerCall {
  readonly id: string
  readonly tool: string
  /** Arguments of the tool call as JSON text written by the model; may be malformed. */
  readonly arguments: string
  readonly provider?: Metadata | undefined
}

/** Estimated memory overhead of a message part in addition to its text, in bytes. */
const PART_BYTES = 64
/** Maximum number of warnings per answer, higher than the number of settings. */
const WARNINGS = 16
/**
 * Maximum number of tool calls stored per answer: one more than are performed, so that the last one
 * represents all excess calls.
 */
const CALLS = LIMITS.calls_per_step + 1
/** Maximum number of repairs recorded per answer; further repairs are counted. */
const MAX_MENDS = 8
const MENDED_BYTES = 200

/** Collects the parts of an answer in the order in which they started. */
export class AnswerBuilder {
  readonly #parts: (Open | AssistantPart)[] = []
  readonly #open = new Map<string, Open>()
  readonly #onDelta: (delta: Delta) => void
  readonly #sent: () => number
  readonly #warnings: string[] = []
  readonly #mends = new Set<string>()
  #mendings = 0
  #reported: Reported | undefined
  #ending: Ending | undefined
  #error: { readonly error: unknown } | undefined
  #bytes = 0
  #calls = 0
  /** Name of the model that answered, if the provider reports it. */
  model: string | undefined

  /**
   * Creates an answer builder; `sent` returns the request size in bytes, for providers that report
   * no usage.
   */
  constructor(onDelta: (delta: Delta) => void, sent: () => number) {
    this.#onDelta = onDelta
    this.#sent = sent
  }

  /** Approximate number of bytes that the builder and the stream reader keep. */
  get bytes(): number {
    return this.#bytes
  }

  /** Whether no part of the message has arrived yet. */
  get isEmpty(): boolean {
    return this.#parts.length === 0
  }

  /** Records the number of bytes that the stream reader keeps for an incomplete part. */
  hold(bytes: number): void {
    this.#bytes += bytes
  }

  warn(sentences: readonly string[]): void {
    this.#warnings.push(...sentences.slice(0, WARNINGS - this.#warnings.length))
  }

  /** Records a repair or an omission in the stream, as a short phrase for the log. */
  mend(phrase: string): void {
    this.#mendings += 1
    if (this.#mends.size < MAX_MENDS) this.#mends.add(cut(phrase, MENDED_BYTES))
  }

  /** Opens a message part; `id` is unique among the open parts of its type. */
  begin(type: TextKind, id: string, provider?: Metadata): Open {
    const part: Open = { type, text: '', provider, half: '' }
    this.#bytes += PART_BYTES + sizeOf(provider)
    this.#parts.push(part)
    this.#open.set(`${type}:${id}`, part)
    return part
  }

  /** Appends text to an open message part; creates the part if it is missing. */
  grow(type: TextKind, id: string, text: string, provider?: Metadata): void {
    const open = this.#open.get(`${type}:${id}`) ?? this.begin(type, id)
    if (provider) open.provider = merge(open.provider, provider)
    if (text !== '') this.#say(open, text)
  }

  end(type: TextKind, id: string, provider?: Metadata): void {
    const open = this.#open.get(`${type}:${id}`)
    if (open) open.provider = merge(open.provider, provider)
    this.#bytes += sizeOf(provider)
    this.#open.delete(`${type}:${id}`)
  }

  call({ id, tool, arguments: argumentsText, provider }: AnswerCall): void {
    this.#calls += 1
    if (this.#calls > CALLS) return
    this.#bytes += PART_BYTES
    const [name, text] = [tool.toWellFormed(), argumentsText.toWellFormed()]
    if (name !== tool || text !== argumentsText) this.mend('an unpaired surrogate in a call')
    const call = { id, provider_id: id.toWellFormed(), tool: name, arguments: text }
    this.#parts.push({ type: 'call', ...call, ...withProvider(provider) })
  }

  /** Records the usage that the provider reports; a later report replaces an earlier one. */
  report(reported: Reported): void {
    this.#reported = reported
  }

  /** Records the reason why the answer ended, as reported by the model or its server. */
  finish(ending: Ending): void {
    this.#ending = ending
  }

  /** Records a failure reported by the provider; only the first failure counts. */
  fail(error: unknown): void {
    this.#error ??= { error }
  }

  result(): Outcome<Streamed, StreamEnd> {
    const usage = this.#reported && this.#usage(this.#reported)
    if (this.#error) return fail({ type: 'error', error: this.#error.error, usage })
    if (this.#ending === undefined || this.#ending === 'cut') return fail({ type: 'cut', usage })
    for (const part of this.#parts) if (part.type !== 'call') this.#endHalf(part)
    const parts = this.#parts.flatMap(closed)
    return ok({
      parts,
      ...(this.#calls > CALLS ? { dropped_calls: this.#calls - CALLS } : {}),
      usage: usage ?? this.#usage({ input: undefined, output: undefined }),
      finish: finishOf(this.#ending, parts),
      model: this.model,
      ...(this.#warnings.length > 0 ? { warnings: this.#warnings } : {}),
      ...(this.#mendings > 0 ? { mended: this.#notes() } : {}),
    })
  }

  #notes(): NonNullable<ModelAnswer['mended']> {
    return { count: this.#mendings, notes: [...this.#mends] }
  }

  #usage(reported: Reported): Usage {
    const output = () => this.#parts.reduce((sum, part) => sum + textBytes(part), 0)
    return believedUsage(reported, { input: this.#sent, output })
  }

  /** Joins surrogate halves and replaces unpaired ones, which cannot be stored or sent. */
  #say(open: Open, text: string): void {
    let joined = open.half === '' ? text : open.half + text
    open.half = isHigh(joined.charCodeAt(joined.length - 1)) ? joined.slice(-1) : ''
    if (open.half !== '') joined = joined.slice(0, -1)
    if (!joined.isWellFormed()) {
      this.mend(`an unpaired surrogate in the ${open.type}`)
      joined = joined.toWellFormed()
    }
    if (joined === '') return
    open.text += joined
    this.#bytes += byteLength(joined)
    this.#onDelta({ type: open.type, text: joined })
  }

  #endHalf(part: Open | AssistantPart): void {
    if (!('half' in part) || part.half === '') return
    part.half = ''
    part.text += REPLACEMENT
    this.#onDelta({ type: part.type, text: REPLACEMENT })
    this.mend(`an unpaired surrogate in the ${part.type}`)
  }
}

const REPLACEMENT = '\uFFFD'

const isHigh = (code: number): boolean => code >= 0xd800 && code <= 0xdbff

/**
 * Merges provider metadata by provider, because a signature may arrive in a later delta than an
 * item ID.
 */
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

/** Closes a part; drops a blank one, unless it carries data that the provider must get back. */
function closed(part: Open | AssistantPart): AssistantPart[] {
  if (part.type === 'call') return [part]
  const { type, text } = part
  const provider = part.provider as Metadata | undefined
  if (text === '' && (type === 'text' || provider === undefined)) return []
  return [{ type, text, ...withProvider(provider) }]
}

/**
 * Determines the finish reason of the answer from its tool calls, because some servers report
 * `stop` although the answer has calls.
 */
function finishOf(
  ending: Exclude<Ending, 'cut'>,
  parts: readonly AssistantPart[],
): ModelAnswer['finish'] {
  if (ending === 'length' || ending === 'refusal') return ending
  if (parts.some((part) => part.type === 'call')) return 'calls'
  return ending === 'calls' ? 'stop' : ending
}

const textBytes = (part: Open | AssistantPart): number =>
  byteLength((part.type === 'call' ? part.arguments : part.text) as string)
