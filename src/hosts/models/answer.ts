/**
 * Builds the finished message of one call from the parts of its stream. Deltas are passed on as
 * they come; the message counts only when the model has said that it is finished.
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
  /** The first half of a character whose second half is still to come. */
  half: string
}

/** Why the model ended its answer; `cut`: it did not, or something ended it from outside. */
export type Ending = 'stop' | 'calls' | 'length' | 'refusal' | 'other' | 'cut'

/** The outcome of the stream: a message; an error of the provider; or no sign that it was whole. */
export type StreamEnd =
  | { readonly type: 'error'; readonly error: unknown; readonly usage?: Usage | undefined }
  | { readonly type: 'cut'; readonly usage?: Usage | undefined }
export type Streamed = Omit<ModelAnswer, 'model'> & { readonly model: string | undefined }

export interface AnswerCall {
  readonly id: string
  readonly tool: string
  /** JSON text as the model wrote it, perhaps malformed. */
  readonly arguments: string
  readonly provider?: Metadata | undefined
}

/** The cost of a part besides its texts, in bytes. */
const PART_BYTES = 64
/** Settings are fewer. */
const WARNINGS = 16
/** Limit of stored calls, one above those performed; it represents all excess calls. */
const CALLS = LIMITS.calls_per_step + 1
/** Kept of what was mended in one answer; the rest is only counted. */
const MAX_MENDS = 8
const MENDED_BYTES = 200

/** Collects parts in the order in which they began. */
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
  /** The model that answered, if the provider names it. */
  model: string | undefined

  /** `sent`: bytes of the request, for a provider that reports no usage. */
  constructor(onDelta: (delta: Delta) => void, sent: () => number) {
    this.#onDelta = onDelta
    this.#sent = sent
  }

  /** About how many bytes are kept, here or by the reader of the stream. */
  get bytes(): number {
    return this.#bytes
  }

  /** Whether any part of a message has come. */
  get isEmpty(): boolean {
    return this.#parts.length === 0
  }

  /** Counts bytes that a reader keeps for a part that is not complete. */
  hold(bytes: number): void {
    this.#bytes += bytes
  }

  warn(sentences: readonly string[]): void {
    this.#warnings.push(...sentences.slice(0, WARNINGS - this.#warnings.length))
  }

  /** Notes what of the stream was mended or left out: a short phrase for the log. */
  mend(phrase: string): void {
    this.#mendings += 1
    if (this.#mends.size < MAX_MENDS) this.#mends.add(cut(phrase, MENDED_BYTES))
  }

  /** Opens a part; `id` is unique among the open parts of the type. */
  begin(type: TextKind, id: string, provider?: Metadata): Open {
    const part: Open = { type, text: '', provider, half: '' }
    this.#bytes += PART_BYTES + sizeOf(provider)
    this.#parts.push(part)
    this.#open.set(`${type}:${id}`, part)
    return part
  }

  /** Appends text to an open part, which is created if needed. */
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

  /** Takes the usage as far as it is reported; a later report replaces an earlier one. */
  report(reported: Reported): void {
    this.#reported = reported
  }

  /** The model or its server gave the reason for the end. */
  finish(ending: Ending): void {
    this.#ending = ending
  }

  /** The provider reported a failure; the first one counts. */
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

  /** Halves of characters come together, or are mended: nothing else can store or send them. */
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
  ending: Exclude<Ending, 'cut'>,
  parts: readonly AssistantPart[],
): ModelAnswer['finish'] {
  if (ending === 'length' || ending === 'refusal') return ending
  if (parts.some((part) => part.type === 'call')) return 'calls'
  return ending === 'calls' ? 'stop' : ending
}

const textBytes = (part: Open | AssistantPart): number =>
  byteLength((part.type === 'call' ? part.arguments : part.text) as string)
