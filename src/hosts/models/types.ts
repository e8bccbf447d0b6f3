/** The AI SDK's language model as we use it; types only, so nothing is loaded. */

import type { OpenAICompatibleProvider } from '@ai-sdk/openai-compatible'

export type LanguageModel = ReturnType<OpenAICompatibleProvider['languageModel']>
export type CallOptions = Parameters<LanguageModel['doStream']>[0]
export type Prompt = CallOptions['prompt']
export type ProviderOptions = NonNullable<CallOptions['providerOptions']>
type StreamResult = Awaited<ReturnType<LanguageModel['doStream']>>
export type StreamPart = StreamResult['stream'] extends ReadableStream<infer Part> ? Part : never
