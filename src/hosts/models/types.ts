/** Types of a callable model and of the AI SDK language model. */

import type { LanguageModelV4 } from '@ai-sdk/provider'
import type { ModelRequest } from '../../ports/world.ts'
import type { AnswerBuilder } from './answer.ts'
import type { ModelExchange } from './exchange.ts'

export type LanguageModel = LanguageModelV4
export type CallOptions = Parameters<LanguageModel['doStream']>[0]
export type Prompt = CallOptions['prompt']
export type ProviderOptions = NonNullable<CallOptions['providerOptions']>
type StreamResult = Awaited<ReturnType<LanguageModel['doStream']>>
export type StreamPart = StreamResult['stream'] extends ReadableStream<infer Part> ? Part : never

/** Model call: the request, its limits, and the receiver of the answer. */
interface ModelCall {
  readonly request: ModelRequest
  readonly exchange: ModelExchange
  readonly answer: AnswerBuilder
}
/** Callable model; each call is one HTTP request that fills in an answer. Rejects on failure. */
export type OpenModel = (call: ModelCall) => Promise<void>
