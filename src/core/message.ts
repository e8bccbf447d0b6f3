/**
 * Messages between a run and its model. The finished message is the fact; its deltas are not. Large
 * texts stand in a fact by digest, so that one commit row stays under its limit.
 */

import type { Media, MediaRef } from './media.ts'
import { shownBytes } from './media.ts'

/** A text, or where to find it: the SHA-256 of a blob, its size in bytes and how it begins. */
export type Body = string | BodyRef
export interface BodyRef {
  readonly digest: string
  readonly bytes: number
  readonly preview: string
  /** Follows the blob's text: what differs where many texts begin alike. Counts in `bytes`. */
  readonly tail?: string
  /** So many bytes of it are shown to the model; then follows how long it is. */
  readonly max?: number
  /** Pictures, sound and files that belong to it, in the order in which its text names them. */
  readonly media?: readonly MediaRef[]
}

export const isRef = (body: Body): body is BodyRef => typeof body !== 'string'

/** The part of a body that a listing or an event can show without loading it. */
export const preview = (body: Body): string => (isRef(body) ? body.preview : body)

interface TextPart {
  readonly type: 'text'
  readonly text: Body
  /** Opaque data of the provider that must be sent back unchanged (signatures, item ids). */
  readonly provider?: unknown
}
interface ReasoningPart {
  readonly type: 'reasoning'
  readonly text: Body
  readonly provider?: unknown
}
export interface CallPart {
  readonly type: 'call'
  /** Ours: named by (run, step, index). A provider may repeat its own ids. */
  readonly id: string
  /** The provider's own call id, as data. */
  readonly provider_id: string
  readonly tool: string
  /** The arguments as the model wrote them: JSON text, perhaps malformed. */
  readonly arguments: Body
  readonly provider?: unknown
}
export type AssistantPart = TextPart | ReasoningPart | CallPart

interface ToolResult {
  readonly call: string
  readonly tool: string
  readonly text: Body
  /** Follows the text at once. */
  readonly more?: readonly Body[]
  /** Media of a loaded message. */
  readonly media?: readonly Media[]
  readonly is_error: boolean
}

export type Message =
  /** `more` follows the text at once: a text made of several bodies. `media`: once it is loaded. */
  | {
      readonly role: 'user'
      readonly text: Body
      readonly more?: readonly Body[]
      readonly media?: readonly Media[]
    }
  | { readonly role: 'assistant'; readonly parts: readonly AssistantPart[] }
  | { readonly role: 'tool'; readonly results: readonly ToolResult[] }

/** Tokens as the provider counted them, as far as that can be true (`usage.ts`). */
export interface Usage {
  readonly input_tokens: number
  readonly output_tokens: number
  readonly model_calls: number
  /**
   * Part of the input: read from the provider's cache, and written to it; absent: none reported.
   */
  readonly cache_read_tokens?: number
  readonly cache_write_tokens?: number
  /** Part of the output: reasoning of the model; absent: none reported. */
  readonly reasoning_tokens?: number
  /** Price in the list of the tenant, if it names the model. */
  readonly list_price?: number
  /** Some of it is not as reported, because a provider said nothing that could be true. */
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

/** Most providers report no such share, and most logs say nothing of it. */
const sumOf = (name: Share, left: Usage, right: Usage): Partial<Usage> =>
  left[name] === undefined && right[name] === undefined
    ? {}
    : { [name]: (left[name] ?? 0) + (right[name] ?? 0) }

/** Without the noise of adding fractions. */
const exact = (amount: number): number => Math.round(amount * 1e9) / 1e9

/** A tool as the model sees it. */
export interface ToolSpec {
  readonly name: string
  readonly description: string
  /** JSON Schema of the arguments; always an object schema. */
  readonly input_schema: Readonly<Record<string, unknown>>
}

/** Every text of a message, in its order. */
export function bodiesOf(message: Message): readonly Body[] {
  if (message.role === 'user') return [message.text, ...(message.more ?? [])]
  if (message.role === 'tool')
    return message.results.flatMap(({ text, more = [] }) => [text, ...more])
  return message.parts.map((part) => (part.type === 'call' ? part.arguments : part.text))
}

/** About how many characters a model is shown of them; what else it is shown counts as so many. */
export const lengthOf = (messages: readonly Message[]): number =>
  messages.flatMap(bodiesOf).reduce((sum, body) => sum + lengthOfBody(body), 0)

const lengthOfBody = (body: Body): number =>
  isRef(body) ? (body.max ?? body.bytes) + shownBytes(body.media) : body.length

/** Pictures, sound and files of a message that is loaded. */
export function mediaOf(message: Message): readonly Media[] {
  if (message.role === 'user') return message.media ?? []
  if (message.role === 'tool') return message.results.flatMap(({ media = [] }) => media)
  return []
}
