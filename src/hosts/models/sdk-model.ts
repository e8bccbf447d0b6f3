/**
 * Adapts a language model of the AI SDK: each `doStream` call is one HTTP request, without a hidden
 * retry.
 */

import { traceHeaders } from '../../core/trace/context.ts'
import { type Addressee, callOptions } from './prompt.ts'
import { takePart } from './stream.ts'
import type { LanguageModel, OpenModel } from './types.ts'

export const sdkModel =
  (model: LanguageModel, to: Addressee): OpenModel =>
  async ({ request, exchange, answer }) => {
    const { options, warnings } = callOptions(request, to)
    answer.warn(warnings)
    const { signal: abortSignal } = exchange.deadline
    const headers = traceHeaders(request.traceparent)
    const { stream } = await model.doStream({ ...options, abortSignal, headers })
    const reader = stream.getReader()
    // Reads past the finish part to the end of the stream, because only then can the connection be
    // reused.
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      takePart(answer, value)
      exchange.keep(answer.bytes)
    }
  }
