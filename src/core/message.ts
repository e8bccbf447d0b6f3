/**
 * Messages between a run and its model. A finished message is a fact; its deltas are not. Facts
 * contain large texts by digest, so that a commit row stays below its size limit.
 */

import type { Media, MediaRef } from './media.ts'
import { shownBytes } from './media.ts'

/**
 * Text, or a reference to a blob that contains it: the blob's SHA-256, its size in bytes, and a
 * preview.
 */
export type Body = string | BodyRef
export interface BodyRef {
  readonly digest: string
  readonly bytes: number
  readonly preview: string
  /**
   * Suffix appended to the blob's text, so that texts with a common beginning share one blob.
   * Included in `bytes`.
   */
  readonly tail?: string
  /**
   * Maximum number of the text's bytes shown to the model, followed by a note about the full
   * length.
   */
  readonly max?: number
  /** Images, audio, and files that the text names, in the order in which it names them. */
  readonly media?: readonly MediaRef[]
}

export const isRef = (body: Body): body is BodyRef => typeof body !== 'string'

/** Returns the part of a body that a listing or event can show without loading the blob. */
export const preview = (body: Body): string => (isRef(body) ? body.preview : body)

interface TextPart {
  readonly type: 'text'
  readonly text: Body
  /** Opaque data of the provider that must be sent back unchanged (signatures, item IDs). */
  readonly provider?: unknown
}
interface ReasoningPart {
  readonly type: 'reasoning'
  readonly text: Body
  readonly provider?: unknown
}
export interface CallPart {
  readonly type: 'call'
  /**
   * Call ID assigned by Strata, derived from (run, step, index), because a provider may reuse IDs.
   */
  readonly id: string
  /** Call ID assigned by the provider, kept as data. */
  readonly provider_id: string
  readonly tool: string
  /** Arguments of the call as the model wrote them: JSON text, possibly malformed. */
  readonly arguments: Body
  readonly provider?: unknown
}
export type AssistantPart = TextPart | ReasoningPart | CallPart

interface ToolResult {
  readonly call: string
  readonly tool: string
  readonly text: Body
  /** Message bodies that directly follow the message's text. */
  readonly more?: readonly Body[]
  /** Media objects of the message, present once loaded. */
  readonly media?: readonly Media[]
  readonly is_error: boolean
}

export type Message =
  /**
   * Message with several bodies: the bodies in `more` directly follow the text. `media` is present
   * once loaded.
   */
  | {
      readonly role: 'user'
      readonly text: Body
      readonly more?: readonly Body[]
      readonly media?: readonly Media[]
    }
  | { readonly role: 'assistant'; readonly parts: readonly AssistantPart[] }
  | { readonly role: 'tool'; readonly results: readonly ToolResult[] }

/** Token usage as reported by the provider, if plausible (`usage.ts`). */
export interface Usage {
  readonly input_tokens: number
  readonly output_tokens: number
  readonly model_calls: number
  /**
   * Input tokens read from the provider's cache, and input tokens written to it; absent if not
   * reported.
   */
  readonly cache_read_tokens?: number
  readonly cache_write_tokens?: number
  /** Output tokens used for reasoning; absent if not reported. */
  readonly reasoning_tokens?: number
  /** Price from the tenant's price list, if the list includes the model. */
  readonly list_price?: number
  /** Whether some values are estimated because the provider reported implausible values. */
  readonly estimated?: true
}

export const NO_USAGE: Usage = { input_tokens: 0, output_tokens: 0, model_calls: 0 }

export const addUsage = (left: Usage, right: Usage): Usage => ({
  input_tokens: left.input_tokens + right.input_tokens,
  output_tokens: left.output_tokens + right.output_tokens,
  model_calls: left.model_calls + right.model_calls,
  ...sumOf('cache_read_tokens', left, right),
  ...sumOf('cache_write_tokens', left, right),
  ...sumOf('reasoning_tokens', left, right),
  ...(left.estimated || right.estimated ? { estimated: true } : {}),
  ...(left.list_price === undefined && right.list_price === undefined
    ? {}
    : { list_price: exact((left.list_price ?? 0) + (right.list_price ?? 0)) }),
})

type Share = 'cache_read_tokens' | 'cache_write_tokens' | 'reasoning_tokens'

/** Adds up an optional part of the usage, which most providers do not report and most logs omit. */
const sumOf = (name: Share, left: Usage, right: Usage): Partial<Usage> =>
  left[name] === undefined && right[name] === undefined
    ? {}
    : { [name]: (left[name] ?? 0) + (right[name] ?? 0) }

/** Rounds away the floating-point noise of additions. */
const exact = (amount: number): number => Math.round(amount * 1e9) / 1e9

/** Tool definition as the model sees it. */
export interface ToolSpec {
  readonly name: string
  readonly description: string
  /** JSON Schema of the tool's arguments; always an object schema. */
  readonly input_schema: Readonly<Record<string, unknown>>
}

/** Returns every text body of a message, in order. */
export function bodiesOf(message: Message): readonly Body[] {
  if (message.role === 'user') return [message.text, ...(message.more ?? [])]
  if (message.role === 'tool')
    return message.results.flatMap(({ text, more = [] }) => [text, ...more])
  return message.parts.map((part) => (part.type === 'call' ? part.arguments : part.text))
}

/**
 * Returns the approximate number of characters that messages show to the model; other content is
 * converted to characters.
 */
export const lengthOf = (messages: readonly Message[]): number =>
  messages.flatMap(bodiesOf).reduce((sum, body) => sum + lengthOfBody(body), 0)

const lengthOfBody = (body: Body): number =>
  isRef(body) ? (body.max ?? body.bytes) + shownBytes(body.media) : body.length

/** Returns the images, audio, and files of a loaded message. */
export function mediaOf(message: Message): readonly Media[] {
  if (message.role === 'user') return message.media ?? []
  if (message.role === 'tool') return message.results.flatMap(({ media = [] }) => media)
  return []
}
